package files_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/files"
)

func Example() {
	folder, err := os.MkdirTemp("", "files-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "settings")
	if err := files.Write(path, []byte("speed = 1\n")); err != nil {
		fmt.Println(err)
	}
	text, err := files.Reader{Max: 1 << 20}.Read(path)
	fmt.Printf("%s%v\n", text, err)
	_, err = files.Reader{Max: 1 << 20}.Read("/dev/zero")
	fmt.Println(errors.Is(err, files.ErrKind))
	// Output:
	// speed = 1
	// <nil>
	// true
}

// strangers makes one of each thing that is not a regular file.
func strangers(t *testing.T, folder string) map[string]error {
	t.Helper()
	at := func(name string) string { return filepath.Join(folder, name) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Mkdir(at("folder"), 0o755))
	must(syscall.Mkfifo(at("pipe"), 0o600))
	l, err := net.Listen("unix", at("socket"))
	must(err)
	t.Cleanup(func() { l.Close() })
	must(os.WriteFile(at("target"), []byte("precious"), 0o600))
	must(os.Symlink(at("target"), at("link")))
	must(os.Symlink(at("nowhere"), at("dangling")))
	all := map[string]error{
		"folder": files.ErrKind, "pipe": files.ErrKind, "socket": files.ErrKind,
		"link": files.ErrLink, "dangling": files.ErrLink,
	}
	if err := unix.Mknod(at("full"), unix.S_IFCHR|0o666, int(unix.Mkdev(1, 7))); err == nil {
		all["full"] = files.ErrKind
	} else {
		t.Logf("no device can be made here (%v): that one is left out", err)
	}
	return all
}

// TestWriteReplacesFilesOnly: what is not a regular file stays what it is, and
// nothing is written through a link.
func TestWriteReplacesFilesOnly(t *testing.T) {
	folder := t.TempDir()
	for name, want := range strangers(t, folder) {
		path := filepath.Join(folder, name)
		before, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		err = files.Write(path, []byte("x"))
		if !errors.Is(err, want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %v with the path", name, err, want)
		}
		after, err := os.Lstat(path)
		if err != nil || after.Mode() != before.Mode() || !os.SameFile(before, after) {
			t.Errorf("%s was replaced: %v, %v", name, after, err)
		}
	}
	if text, _ := os.ReadFile(filepath.Join(folder, "target")); string(text) != "precious" {
		t.Errorf("the link's target holds %q", text)
	}
	leftOver(t, folder)
}

// leftOver complains about files that a Writer left behind.
func leftOver(t *testing.T, folder string) {
	t.Helper()
	if left, _ := filepath.Glob(filepath.Join(folder, files.Unfinished+"*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestWriteThroughNobodysLink: a link that somebody put under a name that the
// Writer will take next leads nowhere.
func TestWriteThroughNobodysLink(t *testing.T) {
	folder := t.TempDir()
	victim := filepath.Join(folder, "victim")
	for i := range 3 {
		trap := filepath.Join(folder, fmt.Sprintf("%s%d-%d", files.Unfinished, os.Getpid(), i))
		if err := os.Symlink(victim, trap); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(folder, "mind")
	if err := files.Write(path, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(victim); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the Writer followed a link: %v", err)
	}
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&^0o644 != 0 {
		t.Errorf("%v, %v; want a regular file of mode 644 at most", info, err)
	}
}

// TestWriteCutShort: after an error the old file is there, whole.
func TestWriteCutShort(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "f")
	if err := files.Write(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	for _, fault := range []error{syscall.ENOSPC, nil} {
		w := files.Writer{Put: func(f *os.File, data []byte) (int, error) {
			n, err := f.Write(data[:2])
			return n, errors.Join(err, fault)
		}}
		if err := w.Write(path, []byte("new")); err == nil || fault != nil && !errors.Is(err, fault) {
			t.Errorf("%v: Write says %v", fault, err)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != "old" {
			t.Errorf("%v: %q, %v; want the old text", fault, text, err)
		}
	}
	leftOver(t, folder)
}

// TestReadsFilesOnly: everything else is refused at once.
func TestReadsFilesOnly(t *testing.T) {
	folder := t.TempDir()
	for name, want := range strangers(t, folder) {
		path := filepath.Join(folder, name)
		if _, err := (files.Reader{Max: 100, NoLink: true}).Read(path); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
		text, err := files.Reader{Max: 100}.Read(path)
		switch {
		case name == "link" && string(text) == "precious": // a person named it
		case name == "dangling" && errors.Is(err, fs.ErrNotExist):
		case !errors.Is(err, files.ErrKind):
			t.Errorf("%s, links allowed: %q, %v", name, text, err)
		}
	}
	for _, device := range []string{"/dev/zero", "/dev/null", "/dev/random", "/dev/tty"} {
		if _, err := (files.Reader{Max: 1 << 30}).Read(device); err == nil {
			t.Errorf("%s was read", device)
		}
	}
}

// TestReadIsBounded: by the size that a file has, and by what comes out of one that
// hides it.
func TestReadIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	for size, want := range map[int64]error{100: nil, 101: files.ErrLarge, 1 << 40: files.ErrLarge} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, size); err != nil {
			t.Logf("%d bytes: %v: left out", size, err)
			continue
		}
		if data, err := (files.Reader{Max: 100}).Read(path); !errors.Is(err, want) || err == nil && int64(len(data)) != size {
			t.Errorf("%d bytes: %d, %v; want %v", size, len(data), err, want)
		}
	}
	if _, err := (files.Reader{Max: 10}).Read("/proc/self/maps"); !errors.Is(err, files.ErrLarge) { // says it has 0 bytes
		t.Errorf("a file that hides its size: %v", err)
	}
}

// TestSlowDisk: a Writer gives up on a disk that does not answer, and what the
// disk does later does not change the file any more.
func TestSlowDisk(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "f")
	if err := files.Write(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		answers := make(chan struct{})
		w := files.Writer{Patience: 2 * time.Second, Put: func(f *os.File, data []byte) (int, error) {
			<-answers
			return f.Write(data)
		}}
		began := time.Now()
		err := w.Write(path, []byte("new"))
		if took := time.Since(began); !errors.Is(err, files.ErrSlow) || took != 2*time.Second {
			t.Errorf("%v after %v, want ErrSlow after 2 s", err, took)
		}
		close(answers)
		synctest.Wait()
	})
	if text, _ := os.ReadFile(path); string(text) != "old" {
		t.Errorf("the file holds %q: the disk answered after its caller had gone", text)
	}
	leftOver(t, folder)
}

// TestDraft: the old file stays until the draft is whole, and stays for good where it is
// dropped or cannot get its name; nothing is written through a link.
func TestDraft(t *testing.T) {
	folder := t.TempDir()
	for name, want := range strangers(t, folder) {
		if d, err := files.Begin(filepath.Join(folder, name)); !errors.Is(err, want) {
			t.Errorf("%s: %v, %v; want %v", name, d, err, want)
		}
	}
	path := filepath.Join(folder, "f")
	for _, c := range []struct {
		end  func(*files.Draft) error
		want string
	}{{(*files.Draft).Drop, "old"}, {(*files.Draft).Keep, "new"}} {
		if err := files.Write(path, []byte("old")); err != nil {
			t.Fatal(err)
		}
		d, err := files.Begin(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, piece := range []string{"n", "ew"} {
			if _, err := d.Write([]byte(piece)); err != nil {
				t.Fatal(err)
			}
		}
		if text, err := os.ReadFile(path); string(text) != "old" {
			t.Errorf("before the end: %q, %v", text, err)
		}
		if err := c.end(d); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(path); string(text) != c.want {
			t.Errorf("in the end: %q, %v; want %q", text, err, c.want)
		}
	}
	place := filepath.Join(folder, "place")
	d, err := files.Begin(place)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Mkdir(place, 0o755), d.Keep()); !errors.Is(err, files.ErrKind) {
		t.Errorf("a folder stands in its place: %v", err)
	}
	leftOver(t, folder)
}

// TestLock follows no link and takes no pipe.
func TestLock(t *testing.T) {
	folder := t.TempDir()
	for name := range strangers(t, folder) {
		f, err := files.Lock(filepath.Join(folder, name), 0o600)
		if err == nil {
			f.Close()
			t.Errorf("%s was taken for a lock", name)
		}
	}
	f, err := files.Lock(filepath.Join(folder, "lock"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}

// TestExtend: a file that grows is nobody's link, no pipe and no device, and has a
// bound; what is written goes behind what it holds.
func TestExtend(t *testing.T) {
	folder := t.TempDir()
	for name, want := range strangers(t, folder) {
		f, _, err := files.Extend(filepath.Join(folder, name), 100)
		if err == nil {
			f.Close()
		}
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	if text, _ := os.ReadFile(filepath.Join(folder, "target")); string(text) != "precious" {
		t.Errorf("the link's target holds %q", text)
	}
	path := filepath.Join(folder, "grows")
	for i := range 3 {
		f, old, err := files.Extend(path, 3)
		if err != nil || string(old) != "xyz"[:i] {
			t.Fatalf("%q, %v", old, err)
		}
		if _, err := f.WriteString("xyz"[i : i+1]); err != nil {
			t.Error(err)
		}
		f.Close()
	}
	if _, _, err := files.Extend(path, 2); !errors.Is(err, files.ErrLarge) {
		t.Errorf("more than may be read: %v", err)
	}
}

// TestCreate writes only where nothing stands.
func TestCreate(t *testing.T) {
	folder := t.TempDir()
	for name := range strangers(t, folder) {
		if err := files.Create(filepath.Join(folder, name), []byte("x")); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	path := filepath.Join(folder, "new")
	if err := files.Create(path, []byte("x")); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(path); string(text) != "x" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestCheck says beforehand what Write says afterwards.
func TestCheck(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "sealed"), 0o500); err != nil {
		t.Fatal(err)
	}
	for name, want := range strangers(t, folder) {
		if err := files.Check(filepath.Join(folder, name)); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	for path, want := range map[string]error{
		filepath.Join(folder, "new"):         nil,
		filepath.Join(folder, "no", "where"): fs.ErrNotExist,
		filepath.Join(folder, "target", "x"): syscall.ENOTDIR,
		filepath.Join(folder, "sealed", "x"): fs.ErrPermission,
	} {
		if errors.Is(want, fs.ErrPermission) && os.Getuid() == 0 {
			t.Log("not as root, who may write everywhere: a folder that takes no files")
			continue
		}
		if err := files.Check(path); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
}

// TestPiecewise: what is read or written piece by piece is a regular file, too, and a
// stream follows no link.
func TestPiecewise(t *testing.T) {
	folder := t.TempDir()
	for name, want := range strangers(t, folder) {
		path := filepath.Join(folder, name)
		if f, err := files.Stream(path); !errors.Is(err, want) {
			t.Errorf("stream into %s: %v, %v; want %v", name, f, err, want)
		}
		f, err := files.Open(path)
		switch {
		case name == "link" && err == nil: // a person named it
			f.Close()
		case name == "dangling" && errors.Is(err, fs.ErrNotExist):
		case !errors.Is(err, files.ErrKind):
			t.Errorf("open %s: %v, %v", name, f, err)
		}
	}
	if text, _ := os.ReadFile(filepath.Join(folder, "target")); string(text) != "precious" {
		t.Errorf("the link's target holds %q", text)
	}
	path := filepath.Join(folder, "again")
	for range 2 {
		f, err := files.Stream(path)
		if err == nil {
			_, err = f.WriteString("x")
		}
		if err = errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(path); string(text) != "x" {
		t.Errorf("%q, %v", text, err)
	}
}
