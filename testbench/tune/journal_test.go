package tune_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"fieldbrain/testbench"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tune"
)

// toy tunes three numbers of a pilot that drives by formula: nothing takes time.
func toy() tune.Job {
	return tune.Job{
		Pilot: "toy", Profile: plant.P1, Budget: 40, Worlds: 2, Seconds: 6, Families: []string{"room", "corner"},
		Knobs: []tune.Knob{{Name: "a", Start: 1, Low: 0, High: 4}, {Name: "b", Start: 10, Low: -50, High: 50}, {Name: "c", Start: 0, Low: 0, High: 0.1}},
		Drive: func(v []float64, sc *scenarios.Scenario, _ testbench.Options) (*testbench.Result, error) {
			share := 1 / (1 + (v[0]-2.5)*(v[0]-2.5) + v[1]*v[1]/1000 + 100*(v[2]-0.03)*(v[2]-0.03))
			return &testbench.Result{Oracle: &share, Standing: float64(len(sc.Name)) / 100}, nil
		},
	}
}

// search runs a job with a journal in a file.
func search(t *testing.T, ctx context.Context, path string, job tune.Job) (*tune.Report, error) {
	t.Helper()
	j, err := tune.OpenJournal(path, "this", job)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	}()
	job.Journal = j
	before := j.Len()
	r, err := tune.Run(ctx, job)
	switch n := j.Len(); {
	case err == nil && n != max(r.Done, before):
		t.Errorf("the journal holds %d evaluations of %d", n, r.Done)
	case n < before:
		t.Errorf("the journal held %d evaluations, and now %d", before, n)
	}
	return r, err
}

// undisturbed is the report and the journal of a search without an interruption.
func undisturbed(t *testing.T, path string, job tune.Job) (*tune.Report, []byte) {
	t.Helper()
	job.Workers = 1 // evaluations end in their order
	r, err := search(t, t.Context(), path, job)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return r, text
}

// TestResume: a search whose process dies after any byte it wrote comes to the same
// report and the same journal, and drives again only what was not noted.
func TestResume(t *testing.T) {
	folder := t.TempDir()
	job := toy()
	want, whole := undisturbed(t, filepath.Join(folder, "whole"), job)
	if want.Done != 40 || want.After >= want.Before/2 {
		t.Fatalf("%+v", want)
	}
	path := filepath.Join(folder, "cut")
	for n := 0; n <= len(whole); n += 797 {
		noted := max(bytes.Count(whole[:n], []byte("\n"))-1, 0)
		for _, junk := range []string{"", "\x00\x00\x00"} {
			if noted == 0 && junk != "" && n > 0 {
				continue // what stands there might be anybody's
			}
			text := append(slices.Clone(whole[:n]), junk...)
			if n == 0 {
				text = bytes.Repeat([]byte{0}, len(junk))
			}
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			var drives atomic.Int64
			job.Workers, job.Drive = 1, func(v []float64, sc *scenarios.Scenario, o testbench.Options) (*testbench.Result, error) {
				drives.Add(1)
				return toy().Drive(v, sc, o)
			}
			have, err := search(t, t.Context(), path, job)
			if err != nil || !reflect.DeepEqual(have, want) {
				t.Fatalf("cut at %d: %+v, %v", n, have, err)
			}
			if d := int(drives.Load()); d != (40-noted)*2 {
				t.Errorf("cut at %d: %d drives, %d evaluations were noted", n, d, noted)
			}
			if text, err = os.ReadFile(path); err != nil || !bytes.Equal(text, whole) {
				t.Fatalf("cut at %d: another journal, %v", n, err)
			}
		}
	}
}

// TestInterrupt: a search that is ended again and again, at any number of workers,
// comes to the report of one worker that nobody disturbed.
func TestInterrupt(t *testing.T) {
	folder := t.TempDir()
	job := toy()
	want, _ := undisturbed(t, filepath.Join(folder, "whole"), job)
	path := filepath.Join(folder, "ended")
	for round := range 100 {
		ctx, cancel := context.WithCancel(t.Context())
		job := toy()
		job.Workers = 1 + round%5
		var calls atomic.Int64
		job.Drive = func(v []float64, sc *scenarios.Scenario, o testbench.Options) (*testbench.Result, error) {
			if calls.Add(1) == 9 {
				cancel()
			}
			return toy().Drive(v, sc, o)
		}
		have, err := search(t, ctx, path, job)
		cancel()
		if errors.Is(err, context.Canceled) {
			continue
		}
		if err != nil || !reflect.DeepEqual(have, want) || round < 5 {
			t.Errorf("round %d: %+v, %v", round, have, err)
		}
		return
	}
	t.Error("it never ended")
}

// TestMore: a finished search goes on when its budget grows, as if it had been larger
// from the beginning; patience ends it early.
func TestMore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	job := toy()
	job.Budget = 9 // in the middle of a generation
	if _, err := search(t, t.Context(), path, job); err != nil {
		t.Fatal(err)
	}
	job.Budget = 40
	have, err := search(t, t.Context(), path, job)
	if err != nil {
		t.Fatal(err)
	}
	want, err := tune.Run(t.Context(), job)
	if err != nil || !reflect.DeepEqual(have, want) {
		t.Errorf("%+v, %v", have, err)
	}
	job.Patience = 7
	job.Drive = func([]float64, *scenarios.Scenario, testbench.Options) (*testbench.Result, error) {
		return &testbench.Result{}, nil // nothing is better
	}
	r, err := tune.Run(t.Context(), job)
	if err != nil || r.Done != 13 || !strings.Contains(r.Ended, "no better numbers in 12 evaluations") {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestJournalRefuses: a file that is damaged, edited or of another job is refused with
// its name, what is wrong and what to do, and stays as it is.
func TestJournalRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	_, whole := undisturbed(t, path, toy())
	lines := bytes.SplitAfter(whole, []byte("\n"))
	without := func(i int) []byte { return bytes.Join(slices.Delete(slices.Clone(lines), i, i+1), nil) }
	for _, c := range []struct {
		name  string
		text  []byte
		spoil func(job *tune.Job)
		want  string
	}{
		{"somebody's file", []byte("[brain]\ncruise = 0.3\n"), nil, "is no journal"},
		{"one line of it", []byte("dear diary"), nil, "is no journal"},
		{"a digit", bytes.Replace(whole, lines[7], bytes.Replace(lines[7], []byte(`"cost":`), []byte(`"cost":1`), 1), 1), nil, "line 8 is damaged or was edited: remove that line"},
		{"zeros", bytes.Replace(whole, lines[3], make([]byte, len(lines[3])), 1), nil, "line 4 is damaged"},
		{"families", whole, func(job *tune.Job) { job.Families = []string{"room"} }, "families room,corner and not room; "},
		{"worlds", whole, func(job *tune.Job) { job.Worlds = 3 }, "worlds 2 and not 3; "},
		{"seed", whole, func(job *tune.Job) { job.Seed = 2 }, "seed 1 and not 2; "},
		{"bounds", whole, func(job *tune.Job) { job.Knobs[0].High = 5 }, "a=1(0..4),b"},
	} {
		if err := os.WriteFile(path, c.text, 0o600); err != nil {
			t.Fatal(err)
		}
		job := toy()
		if c.spoil != nil {
			c.spoil(&job)
		}
		_, err := tune.OpenJournal(path, "this", job)
		if !errors.Is(err, tune.ErrJournal) || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%s: %v", c.name, err)
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, c.text) {
			t.Errorf("%s: the file is another one now, %v", c.name, err)
		}
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := tune.OpenJournal(path, "that", toy()); err == nil || !strings.Contains(err.Error(), "program and settings this and not that") {
		t.Errorf("%v", err)
	}
	running, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tune.OpenJournal(running, "this", toy()); !errors.Is(err, tune.ErrJournal) {
		t.Errorf("a program that runs: %v", err)
	}
	held, err := tune.OpenJournal(path, "this", toy())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tune.OpenJournal(path, "this", toy()); err == nil || !strings.Contains(err.Error(), "another search writes it") {
		t.Errorf("%v", err)
	}
	if err := held.Close(); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(path, without(3), 0o600); err != nil { // a lost line is driven again
		t.Fatal(err)
	}
	if _, err := search(t, t.Context(), path, toy()); err != nil {
		t.Error(err)
	}
}

// TestFullDisk: where the journal cannot be written the search ends with the remedy.
func TestFullDisk(t *testing.T) {
	j, err := tune.OpenJournal(filepath.Join(t.TempDir(), "j"), "this", toy())
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil { // what is written fails from here on
		t.Fatal(err)
	}
	job := toy()
	job.Journal = j
	if _, err := tune.Run(t.Context(), job); err == nil || !strings.Contains(err.Error(), "make room and give the same command again") {
		t.Errorf("%v", err)
	}
}
