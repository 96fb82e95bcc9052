package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestTakenNumbers: what is no version but bears the name of one keeps no save away, whether
// it stands there at the start or comes later, and stays as it is.
func TestTakenNumbers(t *testing.T) {
	path := t.TempDir()
	at := func(n string) string { return filepath.Join(path, "brain-000000000"+n+".fbm") }
	if err := errors.Join(os.WriteFile(at("0"), []byte("old"), 0o600), os.Symlink("/nowhere", at("1")), os.Mkdir(at("2"), 0o700)); err != nil {
		t.Fatal(err)
	}
	f := open(t, path, 5)
	if got := filepath.Base(save(t, f, "a")); got != "brain-0000000003.fbm" {
		t.Errorf("the first save is %s, want the number beyond every taken one", got)
	}
	if err := errors.Join(syscall.Mkfifo(at("4"), 0o600), os.Mkdir(filepath.Join(path, "mind-0000000009.fbm"), 0o700)); err != nil {
		t.Fatal(err)
	}
	if got := filepath.Base(save(t, f, "b")); got != "brain-0000000005.fbm" {
		t.Errorf("the next save is %s, want the one behind the pipe", got)
	}
	if got := strings.Join(contents(t, path), " "); got != "b a old" {
		t.Errorf("versions %q", got)
	}
	if info, err := os.Lstat(at("1")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
}
