package main

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fieldbrain/testbench/tier"
)

// asProgram makes the test's own file the program.
const asProgram = "FIELDBRAIN_NATS_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main() // it exits
	}
	os.Exit(m.Run())
}

// program returns the command, with a standard input that the test holds open.
func program(t *testing.T, words ...string) (cmd *exec.Cmd, in io.Closer) {
	t.Helper()
	tier.Native(t, "the program is a process of this machine")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(self, words...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	if in, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	return cmd, in
}

// serving starts the program and returns where it serves, as it says itself.
func serving(t *testing.T, folder string) (cmd *exec.Cmd, in io.Closer, address *url.URL) {
	t.Helper()
	cmd, in = program(t, "-out", folder, "-listen", "127.0.0.1:0")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address, err = url.Parse(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	return cmd, in, address
}

// TestServes: the program prints an address with a token, listens there, keeps the token
// in its folder, and ends orderly by a signal, or with whoever holds its standard input.
func TestServes(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "streams")
	var token string
	for _, c := range []struct {
		name string
		end  func(cmd *exec.Cmd, in io.Closer) error
	}{
		{"a signal", func(cmd *exec.Cmd, _ io.Closer) error { return cmd.Process.Signal(syscall.SIGTERM) }},
		{"the end of its standard input", func(_ *exec.Cmd, in io.Closer) error { return in.Close() }},
	} {
		cmd, in, address := serving(t, folder)
		if address.Scheme != "nats" || address.User.Username() == "" {
			t.Fatalf("%s: the address is %v", c.name, address)
		}
		if now := address.User.Username(); token != "" && now != token {
			t.Errorf("%s: another token after a restart", c.name)
		}
		token = address.User.Username()
		conn, err := net.Dial("tcp", address.Host)
		if err != nil {
			t.Fatal(err)
		}
		greeting, err := bufio.NewReader(conn).ReadString('\n')
		if err != nil || !strings.HasPrefix(greeting, "INFO ") {
			t.Errorf("%s: it greets with %q, %v", c.name, greeting, err)
		}
		conn.Close()
		if err := errors.Join(c.end(cmd, in), cmd.Wait()); err != nil {
			t.Errorf("ended by %s: %v", c.name, err)
		}
		if _, err := net.Dial("tcp", address.Host); err == nil {
			t.Errorf("ended by %s: it still listens", c.name)
		}
	}
}

// TestRefuses: wrong use ends with 2, a folder that cannot be had with 1, help with 0, and
// each says why in its own words.
func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		words, says string
		code        int
	}{
		{"-help", "-listen HOST:PORT", 0},
		{"-colour", "flag provided but not defined", 2},
		{"word", `"word" is too much`, 2},
		{"-out /dev/null/streams", "fieldbrain-nats: ", 1},
	} {
		cmd, _ := program(t, strings.Fields(c.words)...)
		out, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(out), c.says) {
			t.Errorf("%s: code %d, %v\n%s", c.words, code, err, out)
		}
	}
}
