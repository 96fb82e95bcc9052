package policy

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"fieldbrain/files"
	"fieldbrain/testbench/plant"
)

// Suffix ends the name of a policy's file.
const Suffix = ".policy"

// maxFile bounds a policy's file in bytes: the largest has 2278 weights.
const maxFile = 256 << 10

// form is the number of the file's form.
const form = 1

// An Origin says where a policy comes from. Nothing that drives reads it.
type Origin struct {
	Family      string  `json:"family,omitempty"`      // of worlds it was trained in
	Seed        uint64  `json:"seed,omitempty"`        // of the training
	Generations int     `json:"generations,omitempty"` // of the training until it
	Cost        float64 `json:"cost,omitempty"`        // in train worlds that it was not trained in
}

// A Saved is a policy with its origin.
type Saved struct {
	*Policy
	Origin Origin
}

// A page is the file: the content, and its hash, so that no changed or cut one drives.
type page struct {
	Form    int             `json:"fieldbrain_policy"`
	Sum     string          `json:"sha256"` // of the content, without blanks
	Content json.RawMessage `json:"content"`
}

// A content is what the hash covers.
type content struct {
	Profile plant.Profile `json:"profile"`
	Hidden  int           `json:"hidden"`
	Origin  Origin        `json:"origin"`
	Weights []float64     `json:"weights"`
}

// A FileError says what is wrong with a policy's file and what to do.
type FileError struct{ File, Reason, Remedy string }

// Error reads file: reason: remedy.
func (e *FileError) Error() string {
	return fmt.Sprintf("%s: %s: %s", e.File, e.Reason, e.Remedy)
}

// What people can do.
const (
	another = "name a file that fieldbrain train wrote, or train one: fieldbrain train --out FILE.policy"
	again   = "take a whole copy of it, or let fieldbrain train write it again"
)

// Named reports whether a pilot's name means a policy's file.
func Named(name string) bool { return filepath.Ext(name) == Suffix }

// Encode returns the file.
func (s Saved) Encode() ([]byte, error) {
	text, err := json.Marshal(content{s.profile, s.hidden, s.Origin, s.weights})
	if err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	sum := sha256.Sum256(text)
	whole, err := json.MarshalIndent(page{form, hex.EncodeToString(sum[:]), text}, "", "\t")
	if err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	return append(whole, '\n'), nil
}

// Write puts the file under a name, whole or not at all.
func (s Saved) Write(path string) error {
	text, err := s.Encode()
	if err != nil {
		return err
	}
	return files.Write(path, text)
}

// Read reads a policy's file.
func Read(path string) (Saved, error) {
	text, err := files.Reader{Max: maxFile}.Read(path)
	if err != nil {
		reason := strings.TrimPrefix(err.Error(), path+" ")
		var at *fs.PathError
		if errors.As(err, &at) {
			reason = at.Err.Error()
		}
		return Saved{}, &FileError{path, reason, another}
	}
	return Decode(path, text)
}

// Decode reads a policy's file from memory; path is how its caller calls it.
func Decode(path string, text []byte) (Saved, error) {
	wrong := func(remedy, format string, args ...any) (Saved, error) {
		return Saved{}, &FileError{path, fmt.Sprintf(format, args...), remedy}
	}
	if len(text) > maxFile {
		return wrong(another, "has more than %d bytes", maxFile)
	}
	var p page
	begins := bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) && bytes.Contains(text[:min(len(text), 200)], []byte(`"fieldbrain_policy"`))
	switch err := json.Unmarshal(text, &p); {
	case err != nil && begins:
		return wrong(again, "is cut or damaged")
	case err != nil || p.Form == 0:
		return wrong(another, "is no policy")
	case p.Form != form:
		return wrong(fmt.Sprintf("this program reads form %d: train it anew, or use the program that wrote it", form), "has form %d", p.Form)
	}
	var tight bytes.Buffer
	if err := json.Compact(&tight, p.Content); err != nil {
		return wrong(again, "has no content")
	}
	if sum := sha256.Sum256(tight.Bytes()); hex.EncodeToString(sum[:]) != p.Sum {
		return wrong(again, "is damaged or was edited: its content does not have the hash that it names")
	}
	var c content
	if err := json.Unmarshal(p.Content, &c); err != nil {
		return wrong(another, "holds something else than a policy")
	}
	made, err := New(c.Profile, c.Hidden, c.Weights)
	if err != nil {
		return wrong(another, "%s", strings.TrimPrefix(err.Error(), "policy: "))
	}
	return Saved{made, c.Origin}, nil
}
