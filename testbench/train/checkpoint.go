package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"

	"fieldbrain/files"
	"fieldbrain/testbench/policy"
)

// A Point is one generation of the learning curve.
type Point struct {
	Best  float64  `json:"best"` // cost of the best sample
	Mean  float64  `json:"mean"` // of all samples
	Sigma float64  `json:"sigma"`
	Held  *float64 `json:"held,omitempty"` // cost of the distribution's mean in the held-out worlds, where it was looked at
}

// A Checkpoint is a training between two generations.
type Checkpoint struct {
	Options Options   `json:"plan"`
	Search  *Search   `json:"search"`
	Curve   []Point   `json:"curve"` // a point for every generation
	Best    []float64 `json:"best"`  // weights that were best in the held-out worlds
	Cost    float64   `json:"cost"`  // theirs
	At      int       `json:"at"`    // generation after which they were
	Stale   int       `json:"stale"` // looks at the held-out worlds since
	Steps   uint64    `json:"steps"` // of cars, 1 ms each
	Ended   string    `json:"ended"` // why it is over; empty while it goes on
}

// begin returns the checkpoint before the first generation.
func begin(p Options) *Checkpoint {
	start := policy.Novice(p.Profile, p.Hidden)
	return &Checkpoint{Options: p, Search: NewSearch(start, spread), Best: start, Cost: math.MaxFloat64}
}

// Saved returns the policy that is best so far.
func (c *Checkpoint) Saved() (policy.Saved, error) {
	made, err := policy.New(c.Options.Profile, c.Options.Hidden, c.Best)
	if err != nil {
		return policy.Saved{}, err
	}
	return policy.Saved{Policy: made, Origin: policy.Origin{
		Family: c.Options.Family, Seed: c.Options.Seed, Generations: c.At, Cost: c.Cost,
	}}, nil
}

// Check complains about what no training can have left.
func (c *Checkpoint) Check() error {
	if err := c.Options.Check(); err != nil {
		return err
	}
	n := policy.Weights(c.Options.Profile, c.Options.Hidden)
	if c.Search == nil {
		return errors.New("train: no search")
	}
	if err := c.Search.Check(n); err != nil {
		return err
	}
	if len(c.Curve) != c.Search.Generation || c.Stale < 0 || c.At < 0 || c.At > c.Search.Generation || math.IsNaN(c.Cost) {
		return fmt.Errorf("train: %d points of %d generations, the best after %d", len(c.Curve), c.Search.Generation, c.At)
	}
	_, err := policy.New(c.Options.Profile, c.Options.Hidden, c.Best)
	return err
}

// maxCheckpoint bounds a checkpoint's file in bytes.
const maxCheckpoint = 64 << 20

// An envelope is the file: a hash, so that a cut or changed one is noticed, and what it
// covers.
type envelope struct {
	Form    int             `json:"fieldbrain_training"`
	Sum     string          `json:"sha256"`
	Content json.RawMessage `json:"content"`
}

// Write puts the checkpoint under a name: after a power cut the old one is there or the
// new one, whole.
func (c *Checkpoint) Write(path string) error {
	text, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	sum := sha256.Sum256(text)
	if text, err = json.Marshal(envelope{1, hex.EncodeToString(sum[:]), text}); err != nil {
		return fmt.Errorf("train: %w", err)
	}
	return files.Write(path, append(text, '\n'))
}

// ReadCheckpoint reads one; nil without an error where nothing is.
func ReadCheckpoint(path string) (*Checkpoint, error) {
	text, err := files.Reader{Max: maxCheckpoint}.Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	var s envelope
	var tight bytes.Buffer
	if json.Unmarshal(text, &s) != nil || s.Form != 1 || json.Compact(&tight, s.Content) != nil {
		return nil, fmt.Errorf("%s: is no checkpoint of a training, or only a part of one: name another one, or begin anew with --afresh", path)
	}
	if sum := sha256.Sum256(tight.Bytes()); hex.EncodeToString(sum[:]) != s.Sum {
		return nil, fmt.Errorf("%s: is damaged or was edited: take a whole copy of it, or begin anew with --afresh", path)
	}
	c := new(Checkpoint)
	if err := json.Unmarshal(s.Content, c); err != nil {
		return nil, fmt.Errorf("%s: holds something else than a checkpoint: begin anew with --afresh", path)
	}
	if err := c.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w: begin anew with --afresh", path, err)
	}
	return c, nil
}
