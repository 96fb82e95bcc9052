package sweepworkers_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"fieldbrain/cmd/fieldbrain/sweepworkers"
)

// stub writes a program that says where it is, as a server does, notes its process, and
// ends with its leash. Before that it runs what a test wants of it.
func stub(t *testing.T, first string) (site sweepworkers.Site, pids func() []string) {
	t.Helper()
	folder := t.TempDir()
	program := filepath.Join(folder, "server")
	text := "#!/bin/sh\ncd $2\n" + first + "\necho $$ >>pids\necho nats://token@127.0.0.1:4321\nexec cat\n"
	if err := os.WriteFile(program, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return sweepworkers.Site{Program: program, Folder: folder, Listen: "0.0.0.0:0"}, func() []string {
		text, _ := os.ReadFile(filepath.Join(folder, "pids")) // none before the first start
		return strings.Fields(string(text))
	}
}

// kill kills a process.
func kill(t *testing.T, pid string) {
	t.Helper()
	n, err := strconv.Atoi(pid)
	if err == nil {
		err = syscall.Kill(n, syscall.SIGKILL)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestServerIsMended: a server that somebody kills is told of and started again where it
// was; who kills it through Restart is not told.
func TestServerIsMended(t *testing.T) {
	site, pids := stub(t, `echo "$4" >>places`)
	died := make(chan error, 9)
	site.Again, site.Died = 3, func(why error) { died <- why }
	s, err := sweepworkers.Serve(site)
	if err != nil {
		t.Fatal(err)
	}
	kill(t, pids()[0])
	if why := <-died; !strings.Contains(why.Error(), "signal: killed") {
		t.Error(why)
	}
	until(t, "the server did not come back", func() bool { return len(pids()) == 2 })
	if err := s.Restart(0); err != nil {
		t.Error(err)
	}
	if n := len(pids()); n != 3 || len(died) > 0 {
		t.Errorf("%d starts, %d more deaths told", n, len(died))
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	select {
	case err := <-s.Failed():
		t.Error(err)
	default:
	}
	places, err := os.ReadFile(filepath.Join(site.Folder, "places"))
	if want := "0.0.0.0:0\n0.0.0.0:4321\n0.0.0.0:4321\n"; string(places) != want {
		t.Errorf("it listens at %q, %v; want %q", places, err, want)
	}
}

// TestServerIsGivenUp: one that is not to be started again, or cannot be, is told with
// how it ended.
func TestServerIsGivenUp(t *testing.T) {
	for _, c := range []struct {
		again int
		first string
		says  string
	}{
		{0, "", "signal: killed"},
		{1, "[ -e pids ] && { echo no room >&2; exit 3; }", "the server did not start: exit status 3: no room"},
		{1, "[ -e pids ] && { echo nats://elsewhere:1; exec cat; }", "at another place"},
	} {
		site, pids := stub(t, c.first)
		site.Again = c.again
		s, err := sweepworkers.Serve(site)
		if err != nil {
			t.Fatal(err)
		}
		kill(t, pids()[0])
		if err := <-s.Failed(); !errors.Is(err, sweepworkers.ErrServer) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %q", err, c.says)
		}
		_ = s.Close() // it has ended
	}
}
