package hostile_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"unicode"

	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/store"
	"fieldbrain/files"
	"fieldbrain/robot/picarx"
	"fieldbrain/testbench/hostile"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

func Example() {
	c := hostile.NewClient(6)
	fmt.Println(c.Kind, len(c.Pieces), c.Stops)
	// Output: deep 9 false
}

// sound returns the settings that all wrong ones are made from.
func sound(t *testing.T) []byte {
	t.Helper()
	text, err := config.Default().Encode()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A count says how often what came of something.
type count map[string]int

// log prints a count, sorted.
func (c count) log(t *testing.T, n int, what string) {
	t.Helper()
	var list []string
	for _, k := range slices.Sorted(maps.Keys(c)) {
		list = append(list, fmt.Sprintf("%s %d", k, c[k]))
	}
	t.Logf("%d %s: %s", n, what, strings.Join(list, ", "))
}

// worst is how much memory one hostile file may cost: a few times the megabyte that
// is read of it.
const worst = 100 << 20

// TestFiles gives what is no file, or a wrong one, to everything that reads and to
// the writer. Nothing hangs, nothing takes much memory, a refusal is short, printable
// and names the file, and what is no file is none afterwards.
func TestFiles(t *testing.T) {
	n := tier.Count(t, "files", 60, 250, 1000)
	text, folder, seen := sound(t), t.TempDir(), count{}
	readers := map[string]func(path string) error{
		"configuration": func(path string) error { _, err := config.Read(path); return err },
		"world":         func(path string) error { _, err := scenarios.Open(path); return err },
		"calibration":   func(path string) error { _, err := picarx.LoadCalibration(path); return err },
		"vendor's": func(path string) error {
			_, err := picarx.LoadVendor(path, picarx.DefaultCalibration())
			return err
		},
		"saved": func(path string) error { _, err := store.Read(path); return err },
	}
	for seed := range uint64(n) {
		s, err := hostile.Place(seed, folder, text)
		if err != nil {
			t.Fatal(err)
		}
		seen[s.Kind]++
		for name, read := range readers {
			if name == "saved" && s.Kind == "huge" {
				if err := read(s.Path); err != nil && !errors.Is(err, files.ErrLarge) {
					t.Errorf("seed %d: %v", seed, err)
				}
				continue // up to 256 MiB may be a saved brain
			}
			err := costs(t, seed, s.Kind+" as "+name, func() error { return read(s.Path) })
			if err == nil {
				seen["taken by "+name]++
				continue
			}
			checkRefusal(t, seed, s, err)
		}
		write(t, seed, s)
		if err := errors.Join(s.Close(), os.RemoveAll(s.Path)); err != nil {
			t.Fatal(err)
		}
	}
	seen.log(t, n, "files")
}

// costs runs f and complains when it takes much memory.
func costs(t *testing.T, seed uint64, what string, f func() error) error {
	t.Helper()
	before := allocated()
	err := f()
	if took := allocated() - before; took > worst {
		t.Errorf("seed %d, %s: %d MiB", seed, what, took>>20)
	}
	return err
}

// allocated returns how many bytes the process has taken from its heap so far.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// checkRefusal wants a refusal that a person can read.
func checkRefusal(t *testing.T, seed uint64, s hostile.Stranger, err error) {
	t.Helper()
	said := daemon.Printable(err.Error())
	if !strings.Contains(said, filepath.Base(s.Path)) {
		t.Errorf("seed %d, %s: a refusal without the file's name: %.200s", seed, s.Kind, said)
	}
	if lines := strings.Count(said, "\n") + 1; lines > 20 || len(said) > 20_000 {
		t.Errorf("seed %d, %s: a refusal of %d lines and %d bytes", seed, s.Kind, lines, len(said))
	}
	if strings.ContainsFunc(said, func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }) {
		t.Errorf("seed %d, %s: %q would reach a terminal", seed, s.Kind, said)
	}
}

// write lets the writer write to a stranger's name: only a regular file changes.
func write(t *testing.T, seed uint64, s hostile.Stranger) {
	t.Helper()
	before, err := os.Lstat(s.Path)
	if err != nil {
		t.Fatal(err)
	}
	err = files.Write(s.Path, []byte("new"))
	after, lost := os.Lstat(s.Path)
	if lost != nil {
		t.Fatalf("seed %d: a %s is gone: %v", seed, s.Kind, lost)
	}
	if (err == nil) != s.File {
		t.Errorf("seed %d: writing to a %s: %v", seed, s.Kind, err)
	}
	if !s.File && (after.Mode() != before.Mode() || !os.SameFile(before, after)) {
		t.Errorf("seed %d: a %s became %v", seed, s.Kind, after.Mode())
	}
}

// TestConfigurations gives wrong settings to the parser. What it takes is valid,
// survives a round trip and holds no control character; what it refuses it refuses
// with at most twenty complaints, each with its remedy.
func TestConfigurations(t *testing.T) {
	n := tier.Count(t, "configurations", 200, 500, 2000)
	text, seen := sound(t), count{}
	for seed := range uint64(n) {
		wrong := hostile.Config(seed, text)
		var c config.Config
		err := costs(t, seed, "a configuration", func() (err error) { c, err = config.Parse("f.toml", wrong); return err })
		var cs config.Complaints
		switch {
		case err == nil:
			seen["taken"]++
			taken(t, seed, c)
		case !errors.As(err, &cs) || len(cs) == 0 || len(cs) > 20:
			t.Errorf("seed %d: %d complaints, %.200v", seed, len(cs), err)
		default:
			seen["refused"]++
			seen["complaints"] += len(cs)
			for _, c := range cs {
				if c.Reason == "" || c.Remedy == "" || c.File != "f.toml" || len(c.String()) > 2000 {
					t.Errorf("seed %d: %.300s", seed, c)
				}
			}
		}
	}
	if seen["refused"] == 0 || seen["taken"] == 0 {
		t.Error("all or none were refused: the mistakes do not bite")
	}
	seen.log(t, n, "configurations")
}

// taken checks a configuration that the parser took.
func taken(t *testing.T, seed uint64, c config.Config) {
	t.Helper()
	if err := c.Validate(); err != nil {
		t.Errorf("seed %d: taken, and not valid: %v", seed, err)
	}
	again, err := c.Encode()
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	back, err := config.Parse("f.toml", again)
	if err != nil || fmt.Sprint(back) != fmt.Sprint(c) {
		t.Errorf("seed %d: no round trip: %v", seed, err)
	}
	for _, text := range []string{c.Body.Scenario, c.Body.Bus, c.Body.Calibration, c.Memory.Path, c.Control.Socket, c.Engine.GPUPath} {
		if strings.ContainsFunc(text, unicode.IsControl) {
			t.Errorf("seed %d: %q was taken", seed, text)
		}
	}
}
