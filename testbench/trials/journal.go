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

// ErrOther is returned for a journal with drives of another program, or of the same
// one with other settings, which this one need not repeat.
var ErrOther = errors.New("trials: the results are another program's, or of other settings")

// ErrForeign is returned for a file that is no journal: somebody's own, which no renewal
// may take the place of. It is an ErrOther.
var ErrForeign error = foreign{}

// foreign is ErrForeign's type.
type foreign struct{}

func (foreign) Error() string { return "trials: this is no file of results that this program knows" }
func (foreign) Unwrap() error { return ErrOther }

// ErrDamaged is returned for a journal with a line that no drive can have left.
var ErrDamaged = errors.New("trials: the results are damaged or were edited")

// damaged names the line, and what to do.
func damaged(number int, why error) error {
	return fmt.Errorf("%w: line %d: %w: remove that line, and its drive is driven again", ErrDamaged, number, why)
}

// A key names a drive.
type key struct {
	world World
	pilot string
}

// An entry is a drive and who drove it.
type entry struct {
	Record
	by Program
}

// A Journal keeps drives as they end, a line of JSON each. Before the first drive
// and wherever another one goes on stands a line with the Program that drove what
// follows. Of two lines for the same drive the second counts. A drive's line ends with a
// sum of it; a drive of a file from before there were sums has none.
type Journal struct {
	own  Program
	bare int // lines of drives without a sum

	mu   sync.Mutex
	out  io.Writer // may be nil: nothing is written
	last Program   // that the file names
	done map[key]entry
}

// Resume reads what a journal holds and appends to out from now on; out may be
// nil. Own drives from now on. Old holds whole lines, or nothing: then Resume writes
// the first one. It refuses, with ErrOther, drives that own need not repeat; those
// of a Rival it keeps from any program with the same Bench. A line that no drive can
// have left it refuses with ErrDamaged.
func Resume(old []byte, own Program, out io.Writer) (*Journal, error) {
	j, left, err := Renew(old, own, out)
	if err == nil && left > 0 {
		return nil, fmt.Errorf("%w (%d drives, besides %d that still hold)", ErrOther, left, len(j.done))
	}
	return j, err
}

// Renew is Resume, but leaves out what Resume refuses, to be driven again, and
// returns how many drives that are.
func Renew(old []byte, own Program, out io.Writer) (j *Journal, left int, err error) {
	j = &Journal{own: own, out: out, done: map[key]entry{}}
	number := 0
	for line := range bytes.Lines(old) {
		if number++; number == 1 || bytes.HasPrefix(line, []byte(`{"program":`)) {
			j.last = Program{}
			switch err := json.Unmarshal(line, &j.last); {
			case err == nil && j.last.Sum != "":
			case number == 1:
				return nil, 0, ErrForeign
			default:
				return nil, 0, fmt.Errorf("%w: line %d does not say which program drove what follows: remove it and what follows, and that is driven again", ErrDamaged, number)
			}
			continue
		}
		if err := j.read(line); err != nil {
			return nil, 0, damaged(number, err)
		}
	}
	all := len(j.done)
	maps.DeleteFunc(j.done, func(k key, e entry) bool { return !own.repeats(e.by, k.pilot) })
	left = all - len(j.done)
	if number == 0 && out != nil {
		return j, left, j.name(own)
	}
	return j, left, nil
}

// read takes a drive's line. Another program's, which need not have had all figures of
// today, is not looked at where it does not stay.
func (j *Journal) read(line []byte) error {
	line, sealed, err := unseal(line)
	if err != nil {
		return err
	}
	if !sealed {
		j.bare++
	}
	var r Record
	err = json.Unmarshal(line, &r)
	if err == nil && j.own.repeats(j.last, r.Pilot) {
		err = r.parse(line)
	}
	if err == nil {
		j.done[key{r.World, r.Pilot}] = entry{r, j.last}
	}
	return err
}

// Bare returns how many drives of the file that the journal was read from had no sum: a
// digit that has changed in one of them goes unnoticed.
func (j *Journal) Bare() int { return j.bare }

// Len returns how many drives the journal holds.
func (j *Journal) Len() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.done)
}

// Record returns a drive that the journal holds.
func (j *Journal) Record(w World, pilot string) (Record, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	e, is := j.done[key{w, pilot}]
	return e.Record, is
}

// program returns who drove a drive that the journal holds.
func (j *Journal) program(w World, pilot string) Program {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.done[key{w, pilot}].by
}

// add keeps a drive of the own program.
func (j *Journal) add(r Record) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done[key{r.World, r.Pilot}] = entry{r, j.own}
	if j.out == nil {
		return nil
	}
	if err := j.name(j.own); err != nil {
		return err
	}
	return j.drive(&r)
}

// name writes who drove what follows, unless the file says so already.
func (j *Journal) name(p Program) error {
	if j.last == p {
		return nil
	}
	j.last = p
	text, err := json.Marshal(p)
	return j.line(text, err)
}

// drive writes a drive with its sum.
func (j *Journal) drive(r *Record) error {
	text, err := json.Marshal(r)
	if err == nil {
		text = seal(text)
	}
	return j.line(text, err)
}

// Write writes every drive behind its program in a fixed order, whoever drove when.
func (j *Journal) Write(w io.Writer) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	sorted := slices.SortedFunc(maps.Values(j.done), func(a, b entry) int {
		return cmp.Or(
			cmp.Compare(a.by.Sum, b.by.Sum), cmp.Compare(a.by.Revision, b.by.Revision), cmp.Compare(a.by.Bench, b.by.Bench),
			cmp.Compare(a.Set, b.Set), cmp.Compare(a.Profile, b.Profile), cmp.Compare(a.Family, b.Family),
			cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.Pilot, b.Pilot),
		)
	})
	old, last := j.out, j.last
	defer func() { j.out, j.last = old, last }()
	j.out, j.last = w, Program{}
	if len(sorted) == 0 {
		return j.name(j.own)
	}
	for i := range sorted {
		if err := j.name(sorted[i].by); err != nil {
			return err
		}
		if err := j.drive(&sorted[i].Record); err != nil {
			return err
		}
	}
	return nil
}

// line writes one line in one call.
func (j *Journal) line(text []byte, err error) error {
	if err == nil {
		_, err = j.out.Write(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("trials: write the results: %w", err)
	}
	return nil
}
