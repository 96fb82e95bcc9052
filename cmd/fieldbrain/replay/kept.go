package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"fieldbrain/daemon/recording"
	"fieldbrain/files"
	"fieldbrain/robot/safety"
)

// A Kept is a recording that became a test: what every later program must do when it hears
// it again, on every engine.
type Kept struct {
	Why   string   `json:"why,omitempty"`   // the difference that there was when it was kept
	Same  bool     `json:"same"`            // it does what was recorded, bit for bit
	Never []string `json:"never,omitempty"` // causes against motion that do not come up
}

// KeptFolder is where the tests of this package look for kept recordings, from the root.
const KeptFolder = "cmd/fieldbrain/replay/testdata"

// Tested returns the root of the sources whose TestKept replays what lies in a folder, empty
// where none does.
func Tested(folder string) string {
	at, err := filepath.Abs(folder)
	if err == nil {
		at, err = filepath.EvalSymlinks(at)
	}
	root, is := strings.CutSuffix(at, string(filepath.Separator)+filepath.FromSlash(KeptFolder))
	if err != nil || !is {
		return ""
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(at), "kept_test.go")); err != nil {
		return ""
	}
	return root
}

// keptMost bounds a kept recording: a repository keeps it for ever.
const keptMost = 8 << 20

// keptName is how a kept recording may be called.
var keptName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,60}$`)

// Check returns why nobody could judge by it, or nil.
func (k *Kept) Check() error {
	for _, name := range k.Never {
		if !slices.ContainsFunc(safety.Faults(), func(f safety.Fault) bool { return f.Name == name }) {
			return fmt.Errorf("%s is no cause against motion: docs/faults.md has their names", name)
		}
	}
	if !k.Same && len(k.Never) == 0 {
		return errors.New("it asks for nothing")
	}
	return nil
}

// Judge returns what a replay, which went on to the end, did that it must not, or nil.
func (k *Kept) Judge(r *Report) error {
	var errs []error
	if k.Same && r.First != nil {
		errs = append(errs, fmt.Errorf("tick %d differs: %v: %s", r.First.Tick, r.First.What, r.First.Because))
	}
	if r.Stopped != "" || r.Ticks == 0 {
		errs = append(errs, fmt.Errorf("%d ticks, then %s", r.Ticks, r.Stopped))
	}
	for _, f := range safety.Faults() {
		if r.Causes.Has(f.Cause) && slices.Contains(k.Never, f.Name) {
			errs = append(errs, fmt.Errorf("the cause %s came up", f.Name))
		}
	}
	return errors.Join(errs...)
}

// CheckPlace refuses, before anything is replayed, a name or a folder that Keep could not
// write to.
func CheckPlace(folder, name string) error {
	if !keptName.MatchString(name) {
		return fmt.Errorf("a test is called by small letters, digits and hyphens, not %q", name)
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("%s is no folder: stand at the root of the sources, or say --tests FOLDER", folder)
	}
	for _, path := range []string{keptPath(folder, name), askedPath(folder, name)} {
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("%s is there already: choose another name", path)
		}
		if err := files.Check(path); err != nil {
			return err
		}
	}
	return nil
}

func keptPath(folder, name string) string  { return filepath.Join(folder, name+recording.Suffix) }
func askedPath(folder, name string) string { return filepath.Join(folder, name+".json") }

// Keep writes a test into a folder: the recording, so much of it from the given brain on,
// and what is asked of it.
func (k *Kept) Keep(folder, name string, c *Chain, start *recording.Frozen, length time.Duration) (path string, err error) {
	if err := errors.Join(CheckPlace(folder, name), k.Check()); err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := c.copy(&b, start, length); err != nil {
		return "", err
	}
	if b.Len() > keptMost {
		return "", fmt.Errorf("it would have %d MB, at most %d: keep less of it with --seconds and --from", b.Len()>>20, keptMost>>20)
	}
	text, err := json.MarshalIndent(k, "", "\t")
	if err != nil {
		return "", err
	}
	path = keptPath(folder, name)
	if err := files.Create(path, b.Bytes()); err != nil {
		return "", err
	}
	if err := files.Create(askedPath(folder, name), append(text, '\n')); err != nil {
		return "", errors.Join(err, os.Remove(path)) // a recording of which nothing is asked is no test
	}
	return path, nil
}

// copy writes so much of the chain, from a brain on or from its beginning, into one file
// of its own.
func (c *Chain) copy(w io.Writer, start *recording.Frozen, length time.Duration) error {
	head := c.Head
	head.Facts = map[string]string{"world": c.Head.Facts["world"], "from": "a kept recording"}
	if start != nil {
		head.Brain = start.Data
	}
	out, err := recording.NewWriter(w, &head)
	if err != nil {
		return err
	}
	var e recording.Entry
	var begun time.Duration
	for n := 0; ; {
		if err := c.Next(&e.Tick); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, recording.ErrCut) || errors.Is(err, recording.ErrDamaged) {
				break
			}
			return err
		}
		if start != nil && e.Input.Tick < start.Tick {
			continue
		}
		if n++; n == 1 {
			begun = e.At()
		}
		if length > 0 && e.At()-begun > length {
			break
		}
		if err := out.Write(&e); err != nil {
			return err
		}
	}
	return out.Close()
}
