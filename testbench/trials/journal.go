package trials

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
)

// ErrOther is returned for a journal that another program wrote, or the same one
// with other settings: its drives are not comparable.
var ErrOther = errors.New("trials: the results are another program's, or of other settings")

// A key names a drive.
type key struct {
	world World
	pilot string
}

// A Journal keeps drives as they end, a line of JSON each behind a first line
// that says which program and settings drove them.
type Journal struct {
	program string

	mu   sync.Mutex
	out  io.Writer // may be nil: nothing is written
	done map[key]Record
}

// A label is a journal's first line.
type label struct {
	Program string `json:"program"`
}

// Resume reads what a journal holds and appends to out from now on; out may be
// nil. Program names what drives, settings included. Old holds whole lines, or
// nothing: then Resume writes the first one. It refuses, with ErrOther, what
// another program wrote.
func Resume(old []byte, program string, out io.Writer) (*Journal, error) {
	j := &Journal{program: program, out: out, done: map[key]Record{}}
	number := 0
	for line := range bytes.Lines(old) {
		if number++; number == 1 {
			var l label
			if err := json.Unmarshal(line, &l); err != nil || l.Program != program {
				return nil, ErrOther
			}
			continue
		}
		var r Record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("trials: line %d of the results: %w", number, err)
		}
		j.done[key{r.World, r.Pilot}] = r
	}
	if number == 0 && out != nil {
		return j, j.line(label{program})
	}
	return j, nil
}

// Record returns a drive that the journal holds.
func (j *Journal) Record(w World, pilot string) (Record, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	r, is := j.done[key{w, pilot}]
	return r, is
}

// add keeps a drive.
func (j *Journal) add(r Record) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done[key{r.World, r.Pilot}] = r
	if j.out == nil {
		return nil
	}
	return j.line(r)
}

// Write writes the label and every drive in a fixed order, whoever drove when.
func (j *Journal) Write(w io.Writer) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	sorted := slices.SortedFunc(maps.Values(j.done), func(a, b Record) int {
		return cmp.Or(
			cmp.Compare(a.Set, b.Set), cmp.Compare(a.Profile, b.Profile), cmp.Compare(a.Family, b.Family),
			cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.Pilot, b.Pilot),
		)
	})
	old := j.out
	defer func() { j.out = old }()
	j.out = w
	if err := j.line(label{j.program}); err != nil {
		return err
	}
	for i := range sorted {
		if err := j.line(sorted[i]); err != nil {
			return err
		}
	}
	return nil
}

// line writes one line in one call.
func (j *Journal) line(v any) error {
	text, err := json.Marshal(v)
	if err == nil {
		_, err = j.out.Write(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("trials: write the results: %w", err)
	}
	return nil
}
