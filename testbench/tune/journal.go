package tune

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"fieldbrain/files"
)

// ErrJournal is wrapped by what a journal's file is refused for; the message names the
// file, what is wrong with it, and what to do.
var ErrJournal = errors.New("tune: this journal cannot be gone on with")

// A refusal is such a message.
type refusal struct{ why string }

func (r refusal) Error() string { return r.why }
func (r refusal) Unwrap() error { return ErrJournal }

// refuse returns a refusal of a file.
func refuse(path, format string, of ...any) error {
	return refusal{path + ": " + fmt.Sprintf(format, of...)}
}

// A Journal keeps evaluations, a line each that is on the disk before the search goes
// on, behind a line that says of which job they are. Every line begins with its sum.
type Journal struct {
	file  *os.File
	path  string
	noted map[int]note
}

// A note is a line: an evaluation that is over.
type note struct {
	Number int       `json:"n"`
	Values []float64 `json:"values"`
	Cost   float64   `json:"cost"`
}

// maxJournal bounds a journal's file in bytes: 10,000 evaluations of some hundred.
const maxJournal = 64 << 20

// OpenJournal opens or begins the journal of a job. Program names what drives, its
// settings included. A last line that an interruption left half written is taken away.
// OpenJournal refuses with ErrJournal a file that is no journal, that is damaged before
// its last line, that is another job's or another program's, or that somebody is
// writing; budget, patience and workers may differ. Close it.
func OpenJournal(path, program string, job Job) (*Journal, error) {
	mine, err := newLabel(program, job)
	if err != nil {
		return nil, err
	}
	f, old, err := files.Extend(path, maxJournal)
	switch {
	case errors.Is(err, syscall.ETXTBSY):
		return nil, refuse(path, "is no journal of a search but a program that runs: name another file")
	case err != nil:
		return nil, err
	}
	j := &Journal{file: f, path: path, noted: map[int]note{}}
	if err := j.open(old, mine); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return j, nil
}

// Forget removes a journal, if there is one; what is none it refuses with ErrJournal.
func Forget(path string) error {
	text, err := files.Reader{Max: maxJournal}.Read(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	first, _, _ := bytes.Cut(text, []byte("\n"))
	if len(bytes.Trim(text, "\x00")) > 0 && !bytes.Contains(first, []byte(`{"fieldbrain_tuning":`)) {
		return refuse(path, "is no journal of a search and stays: name another file")
	}
	return os.Remove(path)
}

// open reads what the file holds and makes it ready for more.
func (j *Journal) open(old []byte, mine *label) error {
	if err := syscall.Flock(int(j.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return refuse(j.path, "another search writes it: wait for its end, or name another file")
	}
	first, err := line(mine)
	if err != nil {
		return err
	}
	if begun := bytes.Trim(old, "\x00"); bytes.HasPrefix(first, begun) && len(begun) < len(first) {
		old = nil // nothing, or a part of what is written now
	}
	sound, err := j.read(old, mine)
	if err != nil {
		return err
	}
	if sound < len(old) || old == nil {
		if err := j.file.Truncate(int64(sound)); err != nil {
			return err
		}
	}
	if _, err := j.file.Seek(int64(sound), 0); err != nil {
		return err
	}
	if old != nil {
		return nil
	}
	if err := j.write(first); err != nil {
		return err
	}
	return files.SyncFolder(filepath.Dir(j.path))
}

// read returns how many bytes are whole lines.
func (j *Journal) read(old []byte, mine *label) (sound int, err error) {
	number := 0
	for text := range bytes.Lines(old) {
		number++
		content, whole := check(text)
		last := sound+len(text) == len(old)
		var n note
		switch {
		case number == 1 && !whole:
			return 0, refuse(j.path, "is no journal of a search, or its first line is damaged: name another file")
		case number == 1:
			if err := mine.compare(j.path, content); err != nil {
				return 0, err
			}
		case !whole && last:
			return sound, nil
		case !whole || json.Unmarshal(content, &n) != nil || j.twice(n):
			return 0, refuse(j.path, "line %d is damaged or was edited: remove that line, and its evaluation is driven again, or begin anew with --afresh", number)
		default:
			j.noted[n.Number] = n
		}
		sound += len(text)
	}
	return sound, nil
}

// twice reports whether another line says something else of the same evaluation.
func (j *Journal) twice(n note) bool {
	o, is := j.noted[n.Number]
	return is && (o.Cost != n.Cost || !slices.Equal(o.Values, n.Values))
}

// Len returns how many evaluations the journal holds; of no journal 0.
func (j *Journal) Len() int {
	if j == nil {
		return 0
	}
	return len(j.noted)
}

// Close ends it; every line is on the disk already.
func (j *Journal) Close() error { return j.file.Close() }

// find returns what an evaluation cost, where it is noted.
func (j *Journal) find(number int, values []float64) (cost float64, is bool, err error) {
	if j == nil {
		return 0, false, nil
	}
	n, is := j.noted[number]
	if is && !slices.Equal(n.Values, values) {
		return 0, false, refuse(j.path, "evaluation %d was of the values %v, and the search asks for %v: the lines before it were removed or edited, or another kind of processor computed them: begin anew with --afresh",
			number, n.Values, values)
	}
	return n.Cost, is, nil
}

// add notes an evaluation; when it returns, the line is on the disk. One call at a time.
func (j *Journal) add(number int, values []float64, cost float64) error {
	if j == nil {
		return nil
	}
	n := note{number, values, cost}
	text, err := line(n)
	if err == nil {
		err = j.write(text)
	}
	if err == nil {
		j.noted[number] = n
	}
	return err
}

// write writes a line.
func (j *Journal) write(text []byte) error {
	_, err := j.file.Write(text)
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("tune: %w: the evaluations noted before are kept; make room and give the same command again", err)
	}
	return nil
}

// line writes something as a line.
func line(of any) ([]byte, error) {
	text, err := json.Marshal(of)
	if err != nil {
		return nil, fmt.Errorf("tune: %w", err)
	}
	return fmt.Appendf(nil, "%08x %s\n", crc32.ChecksumIEEE(text), text), nil
}

// check returns a line's content, and whether it is as it was written.
func check(text []byte) (content []byte, whole bool) {
	sum, rest, is := strings.Cut(string(text), " ")
	content, ends := bytes.CutSuffix([]byte(rest), []byte("\n"))
	return content, is && ends && sum == fmt.Sprintf("%08x", crc32.ChecksumIEEE(content))
}
