package measure_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// measure runs run.sh with programs played by shell scripts and returns what it
// printed.
func measure(t *testing.T, child, client string) (string, string, error) {
	t.Helper()
	for _, tool := range []string{"bash", "timeout"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("run.sh needs %s: %v", tool, err)
		}
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"fieldbrain-gpu": child, "fieldbrain": client} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "results")
	cmd := exec.Command("bash", "run.sh", out)
	cmd.Env = append(os.Environ(), "BIN="+dir, "BUDGET=60", "PYTHONPATH="+withoutTorch(t))
	said, err := cmd.CombinedOutput()
	return string(said), out, err
}

// withoutTorch returns a folder with a torch that cannot be imported, whatever
// is installed.
func withoutTorch(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "torch.py"), []byte("raise ImportError('no torch here')\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

const (
	sound = `case $1 in --probe) echo "device:  a card";; --selftest) echo "PASS collapsed";; esac`
	bench = `case "$*" in *--from*) echo "a table of $5";; *) echo '{"void": false}';; esac`
)

// TestRun wants every part carried out, and success.
func TestRun(t *testing.T) {
	said, out, err := measure(t, sound, bench)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, want := range []string{"ok      probe", "ok      self-test of 100 ticks", "PASS collapsed", "ok      bench, dense", "ok      bench, collapsed", "a table of", "PASS: the card"} {
		if !strings.Contains(said, want) {
			t.Errorf("no word of %q:\n%s", want, said)
		}
	}
	for _, name := range []string{"card.txt", "selftest.txt", "dense.json", "collapsed.json", "summary.txt"} {
		if text, err := os.ReadFile(filepath.Join(out, name)); err != nil || len(text) == 0 {
			t.Errorf("%s: %v, %d bytes", name, err, len(text))
		}
	}
}

// TestRunFails wants failures of any part noted, the other parts carried out all
// the same, and the self-test alone to decide.
func TestRunFails(t *testing.T) {
	said, _, err := measure(t, sound, "echo 'fieldbrain: no card' >&2; exit 1")
	if err != nil || !strings.Contains(said, "FAILED  bench, dense: exit code 1: fieldbrain: no card") || !strings.Contains(said, "FAILED  bench, collapsed") {
		t.Errorf("benches that fail: %v\n%s", err, said)
	}
	said, _, err = measure(t, "echo 'fieldbrain-gpu: no CUDA device is visible' >&2; exit 1", bench)
	if err == nil || !strings.Contains(said, "FAILED  self-test") || !strings.Contains(said, "FAIL: the self-test") ||
		!strings.Contains(said, "ok      bench, collapsed") || !strings.Contains(said, "no libcuda.so.1") {
		t.Errorf("a self-test that fails: %v\n%s", err, said)
	}
}

// TestRunVoid wants a second try after a void run, and no third.
func TestRunVoid(t *testing.T) {
	said, _, err := measure(t, sound, `case "$*" in *dense*) echo '{"void": true}'; exit 1;; esac; `+bench)
	if err != nil || strings.Count(said, "FAILED  bench, dense") != 2 || !strings.Contains(said, "once more") {
		t.Errorf("%v\n%s", err, said)
	}
}

// TestPeerWithoutTorch wants the peer to say in JSON why there is none, and no
// failure.
func TestPeerWithoutTorch(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skipf("the peer needs python3: %v", err)
	}
	cmd := exec.Command(python, "-B", "peer.py")
	cmd.Env = append(os.Environ(), "PYTHONPATH="+withoutTorch(t))
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Peer, Note string
		Torch      *string
	}
	if err := json.Unmarshal(text, &report); err != nil || report.Torch != nil || !strings.Contains(report.Note, "no torch here") {
		t.Errorf("%v: %s", err, text)
	}
}
