package measure_test

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A machine is what run.sh finds: programs that are played by shell scripts.
type machine map[string]string

// measure lets run.sh make one of its calls on a machine and returns what it printed
// and where the results are.
func (m machine) measure(t *testing.T, call string, settings ...string) (string, string, error) {
	t.Helper()
	for _, tool := range []string{"bash", "timeout"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("run.sh needs %s: %v", tool, err)
		}
	}
	dir := t.TempDir()
	for name, text := range m {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "results")
	cmd := exec.Command("bash", "run.sh", call, out)
	cmd.Env = append(append(os.Environ(), "BIN="+dir, "BUDGET=60", "PYTHONPATH="+withoutTorch(t), "PATH="+dir+":"+os.Getenv("PATH")), settings...)
	said, err := cmd.CombinedOutput()
	return string(said), out, err
}

// with returns the machine with another program.
func (m machine) with(name, text string) machine {
	other := maps.Clone(m)
	other[name] = text
	return other
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

// good is a machine on which everything succeeds. Its card is in its fastest state in two
// samples of three, in one of them too hot.
func good() machine {
	return machine{
		"fieldbrain-gpu": `case $1 in --probe) echo "device:  a card";; --selftest) echo "PASS collapsed";; esac`,
		"fieldbrain":     `case "$*" in *--from*) echo "a table of $5";; *) echo "asked: $*" >&2; echo '{"void": false}';; esac`,
		"nvidia-smi": `case "$*" in *-lms*) for c in 300,0x1 1980,0x0 1700,0x20; do
	echo "now, P$((${c%,*} < 1000 ? 8 : 0)), ${c%,*}, 2600, 70, 50, 0x00000000000000${c#*,0x}, 4, 16"; done; exec sleep 60;;
*) echo name; echo "a card, 1";; esac`,
		"compute-sanitizer": `echo "$2 saw: $*"`,
		"ncu":               `echo counters`,
	}
}

// wants complains about lines that were not said.
func wants(t *testing.T, said string, lines ...string) {
	t.Helper()
	for _, want := range lines {
		if !strings.Contains(said, want) {
			t.Errorf("no word of %q:\n%s", want, said)
		}
	}
}

// holds complains about results that are not there.
func holds(t *testing.T, out string, names ...string) {
	t.Helper()
	for _, name := range names {
		if text, err := os.ReadFile(filepath.Join(out, name)); err != nil || len(text) == 0 {
			t.Errorf("%s: %v, %d bytes", name, err, len(text))
		}
	}
}

// TestRunAsks: there are two calls, and no other.
func TestRunAsks(t *testing.T) {
	for _, call := range []string{"", "everything", "results"} {
		said, _, err := good().measure(t, call)
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 {
			t.Errorf("%q: %v, want exit code 2", call, err)
		}
		wants(t, said, "run.sh product [FOLDER]", "run.sh diagnosis [FOLDER]")
	}
}

// TestProduct wants every part carried out, the clocks sampled meanwhile, and success.
func TestProduct(t *testing.T) {
	m := good()
	m["nvidia-smi"] = strings.Replace(m["nvidia-smi"], "exec sleep", `touch "$0.sampled"; exec sleep`, 1)
	m["fieldbrain"] = `until [ -e "${0%/*}/nvidia-smi.sampled" ]; do sleep 0.01; done; ` + m["fieldbrain"]
	said, out, err := m.measure(t, "product")
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	wants(t, said, "ok      probe", "ok      self-test of 100 ticks", "PASS collapsed", "ok      bench, dense", "ok      bench, collapsed", "a table of", "PASS: the card", "card    a card, 1",
		"left out: learner in PyTorch: wants", "clocks  3 samples, 300 to 1980 MHz, 1 throttled")
	holds(t, out, "card.txt", "selftest.txt", "dense.json", "collapsed.json", "product.txt", "clocks.txt")
}

// TestJetson: a Jetson's nvidia-smi knows no clock; tegrastats samples them.
func TestJetson(t *testing.T) {
	m := good().with("nvidia-smi", `case "$*" in *-lms*) echo 'now, [N/A], [N/A], [N/A], [N/A], [N/A], [N/A], [N/A], [N/A]'; exec sleep 60;; *) echo name; echo "Orin (nvgpu), [N/A]";; esac`)
	m["tegrastats"] = `echo "asked: $*"; echo "GR3D_FREQ 97%@[1020]"; touch "$0.sampled"; exec sleep 60`
	m["fieldbrain"] = `until [ -e "${0%/*}/tegrastats.sampled" ]; do sleep 0.01; done; ` + m["fieldbrain"]
	said, out, err := m.measure(t, "product")
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	wants(t, said, "card    Orin (nvgpu)", "clocks  2 lines of tegrastats in clocks.txt")
	text, err := os.ReadFile(filepath.Join(out, "clocks.txt"))
	if err != nil || !strings.Contains(string(text), "asked: --interval 100\nGR3D_FREQ 97%@[1020]") {
		t.Errorf("%v: %s", err, text)
	}
}

// TestDiagnosis wants 10,000 equal ticks, every tool over self-test and bench, and what a
// tool finds named; none of it takes the product's results away.
func TestDiagnosis(t *testing.T) {
	m := good().with("compute-sanitizer", `case "$2 $*" in racecheck*selftest*) echo "a race"; exit 9;; esac; echo "$2 saw: $*"`)
	said, out, err := m.measure(t, "diagnosis")
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	wants(t, said, "ok      self-test of 10000 ticks", "ok      what the stages spend their time on", "ok      self-test with code that the driver makes",
		"ok      memcheck, self-test", "ok      memcheck, bench", "FAILED  racecheck, self-test: exit code 9: a race", "ok      racecheck, bench",
		"ok      initcheck, self-test", "ok      synccheck, bench", "ok      counters of the kernels", "left out: timeline of the blocks: make stamps", "a table of", "PASS: the card")
	holds(t, out, "card.txt", "equal.txt", "parts.json", "sanitizer.txt", "counters.txt", "diagnosis.txt")
	words, err := os.ReadFile(filepath.Join(out, "words-diagnosis.txt"))
	if err != nil || !strings.Contains(string(words), "--parts --steps 0 --rounds 100 --json") {
		t.Errorf("%v, the bench was asked for something else:\n%s", err, words)
	}
}

// TestRunFails wants failures of any part noted, the other parts carried out all
// the same, and the self-test alone to decide.
func TestRunFails(t *testing.T) {
	said, _, err := good().with("fieldbrain", "echo 'fieldbrain: no card' >&2; exit 1").measure(t, "product")
	if err != nil {
		t.Errorf("benches that fail: %v", err)
	}
	wants(t, said, "FAILED  bench, dense: exit code 1: fieldbrain: no card", "FAILED  bench, collapsed")
	blind := good().with("fieldbrain-gpu", "echo 'fieldbrain-gpu: no CUDA device is visible' >&2; exit 1")
	for call, other := range map[string]string{"product": "ok      bench, collapsed", "diagnosis": "ok      what the stages"} {
		said, _, err := blind.measure(t, call)
		if err == nil {
			t.Errorf("%s: a self-test that fails, and success", call)
		}
		wants(t, said, "FAILED  self-test", "FAIL: the self-test", other, "no libcuda.so.1")
	}
}

// TestRunEnds: no part outlives its limit, nor what is left of the call's.
func TestRunEnds(t *testing.T) {
	said, _, err := good().with("fieldbrain-gpu", `case $1 in --probe) ;; *) exec sleep 600;; esac`).measure(t, "product", "BUDGET=2")
	if err == nil {
		t.Error("a self-test without an end, and success")
	}
	wants(t, said, "LATE    self-test", "LATE    bench, dense", "LATE    peer in PyTorch", "FAIL: the self-test")
}

// TestRunVoid wants a second try after a void run, and no third.
func TestRunVoid(t *testing.T) {
	said, _, err := good().with("fieldbrain", `case "$*" in *dense*) echo '{"void": true}'; exit 1;; *--from*) echo "a table of $5";; *) echo '{"void": false}';; esac`).measure(t, "product")
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
