package daemon_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbrain/daemon"
)

// TestRefusal: whoever may not open a daemon's file learns how to, by the group's name;
// another error gets no such advice.
func TestRefusal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.page")
	err := daemon.Refusal(path, fmt.Errorf("page: %w", fs.ErrPermission))
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "sudo usermod -aG ") {
		t.Errorf("%v: no remedy", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err = daemon.Refusal(path, fmt.Errorf("page: %w", fs.ErrPermission))
	if joins := strings.Contains(err.Error(), "usermod"); joins != (os.Getgid() != 0) || !strings.Contains(err.Error(), "use sudo") {
		t.Errorf("%v: of a file of group %d", err, os.Getgid())
	}
	for _, other := range []error{nil, fs.ErrNotExist} {
		if got := daemon.Refusal(path, other); got != other {
			t.Errorf("%v became %v", other, got)
		}
	}
}
