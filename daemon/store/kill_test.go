package store_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/memory"
	"fieldbrain/daemon/store"
	"fieldbrain/field"
	"fieldbrain/testbench/tier"
)

// victim names the folder in which a child of this test saves until it is killed.
const victim = "FIELDBRAIN_STORE_VICTIM"

func TestMain(m *testing.M) {
	if path := os.Getenv(victim); path != "" {
		if err := saveForEver(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// saveForEver saves brains that get older and prints the age of each after Save
// has put it on the disk.
func saveForEver(path string) error {
	f, err := store.Open(path, 3)
	if err != nil {
		return err
	}
	table := field.PiCarX()
	s := memory.New(&table)
	s.Whole = true
	for begun := newest(path); ; {
		begun++
		s.Tick, s.Brain = begun, brain.State{Tick: begun}
		s.Field[0][0] = float32(begun % 1000)
		data, err := s.Encode()
		if err != nil {
			return err
		}
		if _, err := f.Save(data); err != nil {
			return err
		}
		fmt.Println(begun)
	}
}

// newest returns the age of the newest brain, 0 without one.
func newest(path string) uint64 {
	table := field.PiCarX()
	names, err := store.List(path)
	if err != nil || len(names) == 0 {
		return 0
	}
	data, err := store.Read(names[0])
	if err != nil {
		return 0
	}
	s, err := memory.Decode(data, &table)
	if err != nil {
		return 0
	}
	return s.Tick
}

// TestKilledInASave is S6: the test kills the process again and again in the
// middle of its saves. Every file that is there loads, and the newest is at least
// as old as the last one that the child reported.
func TestKilledInASave(t *testing.T) {
	kills := tier.Count(t, "kills", 10, 40, 40)
	path, table := t.TempDir(), field.PiCarX()
	state, unfinished := uint32(1), 0
	for i := range kills {
		state = field.Mix(state)
		told := killed(t, path, time.Duration(state%40)*time.Millisecond)
		names, err := store.List(path)
		if err != nil || len(names) == 0 || len(names) > 4 { // between the rename and the removal there is one more
			t.Fatalf("kill %d: files %v, %v", i, names, err)
		}
		for n, name := range names {
			data, err := store.Read(name)
			if err != nil {
				t.Fatal(err)
			}
			s, err := memory.Decode(data, &table)
			if err != nil {
				t.Fatalf("kill %d: %s: %v", i, name, err)
			}
			if s.Brain.Tick != s.Tick || s.Field[0][0] != float32(s.Tick%1000) {
				t.Errorf("kill %d: %s mixes two brains", i, name)
			}
			if n == 0 && s.Tick < told {
				t.Errorf("kill %d: the newest brain is of tick %d, the child reported tick %d", i, s.Tick, told)
			}
		}
		unfinished += left(t, path)
	}
	t.Logf("%d kills, %d of them in the middle of a write; the newest brain is of tick %d", kills, unfinished, newest(path))
}

// killed runs a child until some time after its first save, kills it, and
// returns the last save it told of.
func killed(t *testing.T, path string, after time.Duration) (told uint64) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), victim+"="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	child.Stderr = os.Stderr
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for first := true; lines.Scan(); first = false {
		if told, err = strconv.ParseUint(lines.Text(), 10, 64); err != nil {
			t.Fatal(err)
		}
		if first {
			time.AfterFunc(after, func() { child.Process.Kill() })
		}
	}
	var ended *exec.ExitError
	if err := child.Wait(); !errors.As(err, &ended) || ended.ExitCode() != -1 {
		t.Fatalf("the child was not killed: %v", err)
	}
	return told
}

// left returns how many unfinished files there are.
func left(t *testing.T, path string) (n int) {
	t.Helper()
	entries, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != ".lock" && e.Name()[0] == '.' {
			n++
		}
	}
	return n
}
