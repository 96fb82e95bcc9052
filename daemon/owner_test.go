package daemon_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fieldbrain/daemon"
)

// nobody is a user who is not root, and service the variable of a test's second process,
// which is this user's: the path of its control socket.
const (
	nobody  = 65534
	service = "FIELDBRAIN_TEST_SOCKET"
)

// TestRootLeavesTheLock: a daemon that root has run by hand in the service's folder keeps
// no service from starting; a file that does is named with the remedy.
func TestRootLeavesTheLock(t *testing.T) {
	if path := os.Getenv(service); path != "" {
		starts(t, path)
		return
	}
	if os.Geteuid() != 0 {
		t.Skip("only root leaves something that is root's")
	}
	folder := t.TempDir()
	if err := os.Chmod(filepath.Dir(folder), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(folder, nobody, nobody); err != nil {
		t.Skipf("here root may not make another user's folder: %v", err)
	}
	path := filepath.Join(folder, "control.sock")
	c, err := daemon.Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	held := filepath.Join(folder, "held.sock") // of a daemon that was killed
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		err = errors.Join(syscall.Bind(fd, &syscall.SockaddrUnix{Name: held}), syscall.Close(fd), os.Chmod(held, 0o660))
	}
	if err = errors.Join(err, os.WriteFile(filepath.Join(folder, "old.sock.lock"), nil, 0o640)); err != nil { // of a version before
		t.Fatal(err)
	}
	cmd := exec.Command("/proc/self/exe", "-test.run=^TestRootLeavesTheLock$") // its folder is root's alone
	cmd.Env = append(os.Environ(), service+"="+path)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS") {
		t.Errorf("the service: %v\n%s", err, out)
	}
}

// starts is what the service does with its folder.
func starts(t *testing.T, path string) {
	c, err := daemon.Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	for socket, file := range map[string]string{"old.sock": "old.sock.lock", "held.sock": "held.sock"} {
		socket, file = filepath.Join(filepath.Dir(path), socket), filepath.Join(filepath.Dir(path), file)
		if _, err := daemon.Listen(socket); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "sudo rm "+file+" ") {
			t.Errorf("with root's %s: %v", file, err)
		}
	}
}
