package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"fieldbrain/daemon/config"
	"fieldbrain/files"
	"fieldbrain/testbench/policy"
	"fieldbrain/testbench/trials"
)

// benchSum is the hash of the compiled code of package trials and all that it
// imports, the rivals and their bench. make build sets it; without it nobody knows.
var benchSum string

// maxResults bounds the file of results, in bytes: a drive is a line of some hundred.
const maxResults = 256 << 20

// journal opens the file of results.
func (c benchDriveCmd) journal(e *env, settings config.Config) (j *trials.Journal, end func(), err error) {
	switch {
	case c.Results == "" && c.Renew:
		return nil, nil, config.Usagef("--renew: name the file with --results")
	case c.Results == "":
		j, err = trials.Resume(nil, trials.Program{}, nil)
		return j, func() {}, err
	}
	own, err := driver(settings, c.Pilots)
	if err != nil {
		return nil, nil, err
	}
	open, left := trials.Resume, 0
	if c.Renew {
		open = func(old []byte, own trials.Program, out io.Writer) (j *trials.Journal, err error) {
			j, left, err = trials.Renew(old, own, out)
			return j, err
		}
	}
	j, end, err = openResults(c.Results, own, open)
	switch {
	case errors.Is(err, trials.ErrOther):
		err = config.Usagef("--results %s: %w; %s", c.Results, err, c.instead(err))
	case errors.Is(err, trials.ErrDamaged):
		err = config.Usagef("--results %s: %w", c.Results, err)
	case err != nil:
		err = fmt.Errorf("--results: %w", err)
	case left > 0:
		fmt.Fprintf(e.err, "--renew: %d drives are kept, %d of another program or of other settings are dropped\n", j.Len(), left)
		if benchSum == "" {
			fmt.Fprintln(e.err, "--renew: only a program of make build knows whether the bench is the same code as before")
		}
	}
	if err == nil {
		c.tellBare(e, j)
	}
	return j, end, err
}

// instead says what to do about results that do not hold here.
func (c benchDriveCmd) instead(err error) string {
	switch {
	case errors.Is(err, trials.ErrForeign):
		return "name another file"
	case c.Renew: // nothing of it holds
		return "name another file, or remove this one"
	}
	return "name another file, or remove this one, or add --renew, which keeps what holds and drops the rest"
}

// tellBare says of a file that it is from before there were sums.
func (c benchDriveCmd) tellBare(e *env, j *trials.Journal) {
	if n := j.Bare(); n > 0 {
		fmt.Fprintf(e.err, "--results %s: %d drives are of a program that wrote no sums: a digit that has changed in one would go unnoticed; they get sums when this command has ended\n", c.Results, n)
	}
}

// driver returns what drives here.
func driver(settings config.Config, pilots []string) (p trials.Program, err error) {
	if p.Sum, err = fingerprint(settings, pilots); err != nil {
		return p, err
	}
	if r := thisBuild().Revision; !strings.HasPrefix(r, "unknown") {
		p.Revision = r
	}
	if benchSum != "" {
		p.Bench = fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s %d", benchSum, settings.Loop.Period)))[:32]
	}
	return p, nil
}

// openResults opens a file of drives by trials.Resume or Renew, cut where an
// interruption left half a line.
func openResults(
	path string, own trials.Program, open func([]byte, trials.Program, io.Writer) (*trials.Journal, error),
) (j *trials.Journal, end func(), err error) {
	if foreign(path, own) {
		return nil, nil, trials.ErrForeign
	}
	f, old, err := files.Extend(path, maxResults)
	if err != nil {
		return nil, nil, err
	}
	end = func() { _ = f.Close() } // every line was written with its own error
	if err := alone(f, len(old)); err != nil {
		end()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	sound := bytes.LastIndexByte(old, '\n') + 1
	if !resultsBegin(old, own) {
		err = trials.ErrForeign // somebody's own file, which has come since
	}
	if err == nil {
		_, err = f.Seek(int64(sound), io.SeekStart)
	}
	if err == nil {
		j, err = open(old[:sound], own, f)
	}
	if err == nil && sound < len(old) { // what follows is written over it; nothing may be left behind
		err = f.Truncate(max(int64(sound), at(f)))
	}
	if err != nil {
		end()
		return nil, nil, err
	}
	return j, end, nil
}

// foreign reports whether a file that can be read is none of results. It opens nothing for
// writing, which is refused of a program that runs, whatever else stands in the way.
func foreign(path string, own trials.Program) bool {
	const head = 1 << 16 // bytes; the first line has some hundred
	f, err := files.Open(path)
	if err != nil {
		return false // whoever opens it for writing says why
	}
	defer f.Close()
	begin, err := io.ReadAll(io.LimitReader(f, head))
	return err == nil && !resultsBegin(begin, own)
}

// resultsBegin reports whether a file is empty or begins as results do: with a line that
// names a program and nothing else, or with a part of own's that an interruption cut.
func resultsBegin(old []byte, own trials.Program) bool {
	line, _, whole := bytes.Cut(old, []byte("\n"))
	if !whole {
		first, err := json.Marshal(own)
		return err == nil && bytes.HasPrefix(first, old)
	}
	var p trials.Program
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	return d.Decode(&p) == nil && p.Sum != ""
}

// errShared says that two programs would write over each other's lines.
var errShared = errors.New("another program writes this file: wait for its end, or name another file")

// alone keeps a file from any other program that wants it so, until it is closed; size
// is what was read of it.
func alone(f *os.File, size int) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errShared
	}
	if err != nil {
		return err
	}
	if info, err := f.Stat(); err != nil || info.Size() != int64(size) { // it grew before it was ours
		return errors.Join(err, errShared)
	}
	return nil
}

// at returns where a file is written next.
func at(f *os.File) int64 {
	offset, _ := f.Seek(0, io.SeekCurrent) // it was just written there
	return offset
}

// fingerprint names this program, to the byte, the settings that a drive depends on,
// and the policies among the pilots.
func fingerprint(settings config.Config, pilots []string) (string, error) {
	sum, err := ownSum()
	if err != nil {
		return "", err
	}
	text, err := settings.Encode()
	if err != nil {
		return "", err
	}
	sum.Write(text)
	for _, name := range pilots {
		if !policy.Named(name) {
			continue
		}
		saved, err := policy.Read(name)
		if err == nil {
			text, err = saved.Encode()
		}
		if err != nil {
			return "", err
		}
		sum.Write(text)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:16]), nil
}
