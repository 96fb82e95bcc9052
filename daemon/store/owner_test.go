package store

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// nobody is a user who is not root, and service the variable of a test's second process,
// which is this user's: the folder.
const (
	nobody  = 65534
	service = "FIELDBRAIN_TEST_STORE"
)

// TestRootLeavesIt: what root does in the folder of a service, as with sudo fieldbrain
// brain reset, does not end the service's memory; of what the service cannot read all the
// same it says so.
func TestRootLeavesIt(t *testing.T) {
	if path := os.Getenv(service); path != "" {
		goesOn(t, path)
		return
	}
	if os.Geteuid() != 0 {
		t.Skip("only root leaves something that is root's")
	}
	path := filepath.Join(t.TempDir(), "picarx")
	if err := errors.Join(os.Chmod(filepath.Dir(filepath.Dir(path)), 0o755), os.Mkdir(path, 0o750)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(path, nobody, nobody); err != nil {
		t.Skipf("here root may not make another user's folder: %v", err)
	}
	f := open(t, path, 5)
	first := save(t, f, "first")
	above := filepath.Join(path, "a")
	if err := MakeAbove(filepath.Join(above, "brain")); err != nil {
		t.Fatal(err)
	}
	to, err := Aside(path, []string{first})
	if err != nil {
		t.Fatal(err)
	}
	save(t, f, "second")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{above, to, filepath.Join(to, filepath.Base(first)), filepath.Join(path, lockName)} {
		if info, err := os.Stat(name); err != nil || info.Sys().(*syscall.Stat_t).Uid != nobody {
			t.Errorf("%s stays root's (%v)", name, err)
		}
	}
	if err := os.Mkdir(filepath.Join(path, asidePrefix+"7"), 0o700); err != nil { // a version before left it
		t.Fatal(err)
	}
	old := path + "-old"
	err = errors.Join(os.Mkdir(old, 0o750), os.Chown(old, nobody, nobody), os.WriteFile(filepath.Join(old, lockName), nil, 0o640))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/proc/self/exe", "-test.run=^TestRootLeavesIt$") // its folder is root's alone
	cmd.Env = append(os.Environ(), service+"="+path)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS") {
		t.Errorf("the service: %v\n%s", err, out)
	}
}

// goesOn is what the service does with its folder.
func goesOn(t *testing.T, path string) {
	f := open(t, path, 5)
	if want := []string{filepath.Join(path, asidePrefix+"7")}; !slices.Equal(f.Passed(), want) {
		t.Errorf("passed over %q, want %q", f.Passed(), want)
	}
	if name := save(t, f, "third"); filepath.Base(name) != prefix+"0000000002"+suffix {
		t.Errorf("the next version is %s", name)
	}
	if got := contents(t, path); !slices.Equal(got, []string{"third", "second"}) {
		t.Errorf("versions %q", got)
	}
	if _, err := Open(path+"-old", 5); !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), "sudo rm "+path+"-old/.lock ") {
		t.Errorf("with root's lock: %v", err)
	}
	if _, err := os.ReadDir(filepath.Join(path, asidePrefix+"7")); !errors.Is(err, os.ErrPermission) {
		t.Errorf("the folder of root's alone: %v", err)
	}
}
