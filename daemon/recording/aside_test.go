package recording_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon/recording"
	"fieldbrain/testbench/tier"
)

// asideName is how the first file is called of a drive that finds the name a.mcap taken.
var asideName = regexp.MustCompile(`^a-\d{8}T\d{6}\.\d{3}Z\.mcap$`)

// TestNamedTwice: a drive that finds files of an earlier one under its name writes over none
// of them and puts none of its own between them: its files bear its time, all of them.
func TestNamedTwice(t *testing.T) {
	tier.Alone(t, "one goroutine drains what it put")
	for name, before := range map[string][]string{
		"one file":                 {"a.mcap"},
		"several":                  {"a.mcap", "a-2.mcap"},
		"the quota took the first": {"a-2.mcap", "a-3.mcap"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			old := []byte("an earlier drive")
			for _, b := range before {
				if err := os.WriteFile(filepath.Join(folder, b), old, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			shelf, err := recording.NewShelf(filepath.Join(folder, "a.mcap"), recording.Limits{Segment: 32 << 10})
			if err != nil {
				t.Fatal(err)
			}
			first, aside := shelf.Aside()
			if !aside || !asideName.MatchString(filepath.Base(first)) {
				t.Errorf("the first file is %s, aside: %v", first, aside)
			}
			r := recording.NewRecorder(shelf, *head())
			drive := driving(t, r)
			for n := 0; r.Status().Files < 3; n++ {
				if n == 100 {
					t.Fatalf("no third file: %+v", r.Status())
				}
				drive(100)
			}
			if err := r.Finish(); err != nil {
				t.Fatal(err)
			}
			for _, b := range before {
				if data, err := os.ReadFile(filepath.Join(folder, b)); err != nil || !bytes.Equal(data, old) {
					t.Errorf("%s of the earlier drive: %q, %v", b, data, err)
				}
			}
			stem := strings.TrimSuffix(first, recording.Suffix)
			next := uint64(0)
			for i, path := range []string{first, stem + "-2.mcap", stem + "-3.mcap"} {
				list, _, end := numbers(t, path)
				if end != io.EOF || len(list) == 0 || list[0] != next {
					t.Fatalf("file %d: %d ticks, want the first to be %d; %v", i+1, len(list), next, end)
				}
				next = list[len(list)-1] + 1
			}
			if files, _ := recordings(t, folder); len(files) != len(before)+3 {
				t.Errorf("there are %v", files)
			}
		})
	}
}

// TestNameFree: a name that no drive has is taken as it is, whatever else lies there.
func TestNameFree(t *testing.T) {
	folder := t.TempDir()
	for _, other := range []string{"b.mcap", "ab.mcap", "a-b.mcap", "a.csv"} {
		if err := os.WriteFile(filepath.Join(folder, other), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(folder, "a.mcap")
	shelf, err := recording.NewShelf(path, recording.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if first, aside := shelf.Aside(); aside || first != path {
		t.Errorf("the first file is %s, aside: %v", first, aside)
	}
}

// TestNameTakenMeanwhile: a file that somebody puts under the next name while the recording
// runs stays as it is, and no tick is lost for it.
func TestNameTakenMeanwhile(t *testing.T) {
	folder := t.TempDir()
	shelf, err := recording.NewShelf(filepath.Join(folder, "a.mcap"), recording.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	mine, err := os.Create(filepath.Join(folder, "a-2.mcap"))
	if err != nil {
		t.Fatal(err)
	}
	defer mine.Close()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i, want := range []string{"a.mcap", "a-20260102T030405.000Z-2.mcap", "a-20260102T030405.000Z-3.mcap"} {
		f, err := shelf.Begin(head(), now.Add(time.Duration(i)))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if got := filepath.Base(f.Name()); got != want {
			t.Errorf("file %d is %s, want %s", i+1, got, want)
		}
	}
	if info, err := mine.Stat(); err != nil || info.Size() != 0 {
		t.Errorf("a stranger's file was written over: %v, %v", info, err)
	}
}

// TestQuotaOfAName: every drive of a name counts towards its quota and gives way to it, the
// oldest first, and no other file does.
func TestQuotaOfAName(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	shelf, err := recording.NewShelf(path("a.mcap"), recording.Limits{Quota: 1 << 20, Segment: 256 << 10})
	if err != nil {
		t.Fatal(err)
	}
	mine := []string{"a-2.mcap", "a-20260102T030405.000Z.mcap", "a-20260102T030405.000Z-2.mcap", "a-20260103T030405.000Z-17.mcap"}
	others := []string{"a-b.mcap", "a-1.mcap", "a-20260102T030405.000Z-1.mcap", "a-20260102T030405.000Z-b.mcap", "a20260102T030405.000Z.mcap", "b.mcap", "a-2.csv"}
	for i, name := range slices.Concat(mine, others) {
		if shelf.Owns(name) != (i < len(mine)) {
			t.Errorf("%s: the shelf's own: %v", name, shelf.Owns(name))
		}
		at := time.Date(2026, 1, 4, 0, 0, i, 0, time.UTC)
		if err := errors.Join(os.WriteFile(path(name), make([]byte, 300<<10), 0o600), os.Chtimes(path(name), at, at)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := shelf.Begin(head(), time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	left, _ := recordings(t, folder)
	for _, name := range mine[:2] {
		if slices.Contains(left, path(name)) {
			t.Errorf("%s is the oldest, and stayed", name)
		}
	}
	for _, name := range slices.Concat(mine[2:], others[:len(others)-1]) {
		if !slices.Contains(left, path(name)) {
			t.Errorf("%s was taken away", name)
		}
	}
}
