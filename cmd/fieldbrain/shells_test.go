package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"fieldbrain/testbench/tier"
)

// A keyboard is a shell on a terminal of its own.
type keyboard struct {
	t    *testing.T
	tty  *os.File
	seen string // and not yet expected
	all  string // as it came
}

// newKeyboard starts an interactive shell in a folder with one file, in which
// fieldbrain is this test's program.
func newKeyboard(t *testing.T, shell string, args ...string) *keyboard {
	t.Helper()
	folder := shellFolder(t)
	cmd := exec.Command(shell, args...)
	cmd.Dir, cmd.Env = folder, shellEnv(folder)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 200})
	if err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() }) // ends a read that waits for ever
	t.Cleanup(func() {
		late.Stop()
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it says that it was killed
		tty.Close()
	})
	return &keyboard{t: t, tty: tty}
}

// shellFolder makes a folder with fieldbrain, every shell's script and one file.
func shellFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(folder, "fieldbrain")); err != nil {
		t.Fatal(err)
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		text, err := os.ReadFile(filepath.Join("manual", "shells", "fieldbrain."+shell))
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, "script."+shell), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "mycar.toml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

// shellEnv leaves nothing of the person who tests in the shell.
func shellEnv(folder string) []string {
	return []string{
		"HOME=" + folder, "PATH=" + folder + ":" + os.Getenv("PATH"), "TERM=vt100", "PS1=ready> ", "INPUTRC=/dev/null",
		"LC_ALL=C",
	}
}

// needs skips where a shell is not installed.
func needs(t *testing.T, shell string) string {
	t.Helper()
	path, err := exec.LookPath(shell)
	if err != nil {
		t.Skipf("%v: its completion is not driven (apt-get install %s)", err, shell)
	}
	return path
}

// control matches the sequences that a shell sends a terminal besides letters.
var control = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]|[\x00\x07]`)

// expect reads until a text appears.
func (k *keyboard) expect(text string) {
	k.t.Helper()
	buf := make([]byte, 4096)
	for {
		clean := control.ReplaceAllString(k.seen, "")
		if _, after, is := strings.Cut(clean, text); is {
			k.seen = after
			return
		}
		n, err := k.tty.Read(buf)
		k.seen += string(buf[:n])
		k.all += string(buf[:n])
		if err != nil {
			k.t.Fatalf("no %q in %q: %v", text, clean[max(0, len(clean)-5000):], err)
		}
	}
}

// types sends keys.
func (k *keyboard) types(keys string) {
	k.t.Helper()
	if _, err := k.tty.WriteString(keys); err != nil {
		k.t.Fatal(err)
	}
}

// interactive types the beginnings of words and a tab, and expects their ends.
func (k *keyboard) interactive(setup string) {
	k.t.Helper()
	const eraseLine = "\x15"
	k.expect("ready> ")
	k.types(setup + "; echo done setting up | tr a-z A-Z\r")
	k.expect("DONE SETTING UP")
	k.expect("ready> ")
	for _, c := range []struct{ keys, end string }{
		{"fieldbrain comple\t", "tion"},
		{"fieldbrain run --eng\t", "ine"},
		{"fieldbrain run --engine cu\t", "da"},
		{"fieldbrain run --engine=cu\t", "da"},
		{"fieldbrain help bra\t", "in"},
		{"fieldbrain config check my\t", "car.toml"},
		{"fieldbrain sim --config my\t", "car.toml"},
		{"fieldbrain sim --quality surv\t", "ival"},
	} {
		k.types(c.keys)
		k.expect(strings.TrimSuffix(c.keys, "\t") + c.end)
		k.types(eraseLine)
	}
}

func TestBashCompletes(t *testing.T) {
	tier.Alone(t, "the shell is another process, and one goroutine answers it")
	newKeyboard(t, needs(t, "bash"), "--norc", "--noprofile", "-i").interactive("source ./script.bash")
}

func TestZshCompletes(t *testing.T) {
	tier.Alone(t, "another program completes")
	newKeyboard(t, needs(t, "zsh"), "-f", "-i").interactive("autoload -Uz compinit; compinit -D -u; source ./script.zsh")
}

// fish completes a line that the test passes as an argument.
func TestFishCompletes(t *testing.T) {
	tier.Alone(t, "another program completes")
	fish, folder := needs(t, "fish"), shellFolder(t)
	for line, want := range map[string]string{
		"fieldbrain comple":             "completion\tPrint the completion",
		"fieldbrain run --eng":          "--engine\tField engine",
		"fieldbrain run --engine cu":    "cuda",
		"fieldbrain run --engine=cu":    "--engine=cuda",
		"fieldbrain config check my":    "mycar.toml",
		"fieldbrain sim --config my":    "mycar.toml",
		"fieldbrain sim --config=my":    "--config=mycar.toml",
		"fieldbrain sim --quality surv": "survival",
	} {
		cmd := exec.Command(fish, "--no-config", "-c", "source ./script.fish; complete -C '"+line+"'")
		cmd.Dir, cmd.Env = folder, shellEnv(folder)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), want) {
			t.Errorf("%q completes to %q (%v), want %q", line, out, err, want)
		}
	}
}
