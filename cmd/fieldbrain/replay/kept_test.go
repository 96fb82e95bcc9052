package replay_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbrain/cmd/fieldbrain/replay"
	"fieldbrain/daemon/recording"
	"fieldbrain/field/cpu"
	"fieldbrain/testbench/tier"
)

// keep makes a test of a recording.
func keep(t *testing.T, folder, name string, k replay.Kept, length time.Duration, from ...string) (string, error) {
	t.Helper()
	c, err := replay.Open(from...)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return k.Keep(folder, name, c, nil, length)
}

// judge replays a kept recording with an engine and judges it.
func judge(t *testing.T, path, isa string) (*replay.Report, error) {
	t.Helper()
	text, err := os.ReadFile(strings.TrimSuffix(path, recording.Suffix) + ".json")
	var k replay.Kept
	if err == nil {
		err = json.Unmarshal(text, &k)
	}
	if err == nil {
		err = k.Check()
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	c, err := replay.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r, err := replay.Run(c, &c.Head, replay.Options{Onward: true, Differ: c.Differ, Change: func(s *replay.Setup) { s.Config.Engine.Kind = isa }})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return r, k.Judge(r)
}

// TestKept replays what somebody kept with fieldbrain replay --test, on every engine: the
// failure must not come back.
func TestKept(t *testing.T) {
	tier.Alone(t, "one goroutine reads and repeats")
	paths, err := filepath.Glob("testdata/*" + recording.Suffix)
	if err != nil || len(paths) == 0 {
		t.Fatalf("%v: nothing is kept", err)
	}
	isas := cpu.ISAs()
	for _, path := range paths {
		hash := ""
		for _, isa := range isas[:tier.Count(t, "engines", 1, len(isas), len(isas))] {
			r, err := judge(t, path, isa)
			if err != nil {
				t.Errorf("%s on %s: %v", path, isa, err)
			}
			if hash == "" {
				hash = r.Hash
			}
			if r.Hash != hash {
				t.Errorf("%s on %s ends with the field %s, on %s with %s", path, isa, r.Hash, isas[0], hash)
			}
		}
	}
}

// TestKeep: a kept recording fails as long as the failure is there, and passes when it is
// gone.
func TestKeep(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	folder := t.TempDir()
	good, _ := record(t, "room", 3*time.Second, nil)
	bad := rewrite(t, good, func(e *recording.Entry) bool {
		if e.Input.Tick == 200 {
			e.Told.Speed++
		}
		return true
	})
	path, err := keep(t, folder, "same", replay.Kept{Same: true}, 2*time.Second, onDisk(t, folder, "g.mcap", good))
	if err != nil {
		t.Fatal(err)
	}
	if r, err := judge(t, path, "auto"); err != nil || r.Ticks < 400 || r.Ticks > 401 {
		t.Errorf("%v, %d ticks", err, r.Ticks)
	}
	path, err = keep(t, folder, "differs", replay.Kept{Same: true}, 0, onDisk(t, folder, "b.mcap", bad))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := judge(t, path, "auto"); err == nil || !strings.Contains(err.Error(), "tick 200 differs") {
		t.Errorf("the failure is there, and the test says %v", err)
	}
	path, err = keep(t, folder, "never", replay.Kept{Never: []string{"disarmed"}}, 0, onDisk(t, folder, "c.mcap", good))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := judge(t, path, "auto"); err == nil || !strings.Contains(err.Error(), "disarmed came up") {
		t.Errorf("the car begins disarmed, and the test says %v", err)
	}
	for _, k := range []replay.Kept{{}, {Never: []string{"boredom"}}} {
		if _, err := keep(t, folder, "x", k, 0, path); err == nil {
			t.Errorf("%+v is kept", k)
		}
	}
	onDisk(t, folder, "half.json", nil)
	if _, err := keep(t, folder, "half", replay.Kept{Same: true}, 0, path); err == nil {
		t.Error("somebody's half.json is overwritten")
	}
	if _, err := os.Stat(filepath.Join(folder, "half.mcap")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a recording without what is asked of it is left: %v", err)
	}
	if _, err := keep(t, folder, "../x", replay.Kept{Same: true}, 0, path); err == nil {
		t.Error("a name that leads elsewhere")
	}
}

// TestTested: only the folder that TestKept reads is one whose recordings it replays.
func TestTested(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(t.TempDir(), filepath.FromSlash(replay.KeptFolder)) // no sources around it
	if err := os.MkdirAll(elsewhere, 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(root, replay.KeptFolder), link); err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]string{"testdata": root, link: root, ".": "", elsewhere: "", "no/folder": ""} {
		if got := replay.Tested(folder); got != want {
			t.Errorf("%s: tested from %q, want %q", folder, got, want)
		}
	}
}
