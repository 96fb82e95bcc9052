package server_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbrain/testbench/sweep/queue"
	"fieldbrain/testbench/sweep/server"
)

// TestServe: a server keeps its token over a restart, lets nobody in without it, and
// refuses a folder that another one has.
func TestServe(t *testing.T) {
	folder := t.TempDir()
	s, err := server.Serve(server.Site{Folder: folder, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	first := s.URL()
	if _, err := server.Serve(server.Site{Folder: folder, Listen: "127.0.0.1:0"}); !errors.Is(err, server.ErrBusy) {
		t.Errorf("a second one in the folder: %v", err)
	}
	_, at, _ := strings.Cut(first, "@")
	if _, _, err := queue.Connect(t.Context(), queue.Address{URL: "nats://" + at}); err == nil {
		t.Error("without the token it lets in")
	}
	conn, _, err := queue.Connect(t.Context(), queue.Address{URL: first})
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	info, err := os.Stat(filepath.Join(folder, "token"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("token: %v, %v", info.Mode(), err)
	}
	if text, err := os.ReadFile(filepath.Join(folder, "url")); err != nil || strings.TrimSpace(string(text)) != first {
		t.Errorf("url %q, %v", text, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = server.Serve(server.Site{Folder: folder, Listen: at}); err != nil || s.URL() != first {
		t.Fatalf("again: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestConfig: NATS' own configuration decides over users.
func TestConfig(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "nats.conf")
	if err := os.WriteFile(file, []byte("listen: 127.0.0.1:-1\nauthorization { user: anna, password: secret }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := server.Serve(server.Site{Folder: filepath.Join(folder, "store"), Config: file})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, _, err := queue.Connect(t.Context(), queue.Address{URL: s.URL()}); err == nil {
		t.Error("nobody was let in")
	}
	conn, _, err := queue.Connect(t.Context(), queue.Address{URL: strings.Replace(s.URL(), "//", "//anna:secret@", 1)})
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
}

func TestRefused(t *testing.T) {
	for _, args := range [][]string{
		{"-listen", "nowhere"},
		{"-listen", "127.0.0.1:70000"},
		{"-listen", ":"},
		{"-server-config", "/nonexistent.conf"},
		{"-out", "/dev/null/x"},
		{"-color"},
		{"word"},
	} {
		var out, complaints bytes.Buffer
		if !strings.HasPrefix(args[0], "-out") {
			args = append([]string{"-out", t.TempDir()}, args...)
		}
		if code := server.Main(args, os.Stdin, &out, &complaints); code == 0 || complaints.Len() == 0 || out.Len() > 0 {
			t.Errorf("%v: code %d, %q, %q", args, code, out.String(), complaints.String())
		}
	}
}

func ExampleServe() {
	folder, err := os.MkdirTemp("", "sweep")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	s, err := server.Serve(server.Site{Folder: folder, Listen: "127.0.0.1:0"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.HasPrefix(s.URL(), "nats://"), s.Close())
	// Output: true <nil>
}
