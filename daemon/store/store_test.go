package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fieldbrain/files"
)

func open(t *testing.T, path string, keep int) *Folder {
	t.Helper()
	f, err := Open(path, keep)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// contents reads all versions, the newest first.
func contents(t *testing.T, path string) (all []string) {
	t.Helper()
	names, err := List(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := Read(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(data))
	}
	return all
}

func save(t *testing.T, f *Folder, text string) string {
	t.Helper()
	name, err := f.Save([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func Example() {
	path, err := os.MkdirTemp("", "minds")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(path)
	f, err := Open(path, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	for _, text := range []string{"first", "second", "third"} {
		if _, err := f.Save([]byte(text)); err != nil {
			fmt.Println(err)
		}
	}
	names, err := List(path)
	fmt.Println(len(names), filepath.Base(names[0]), err)
	// Output: 2 brain-0000000002.fbm <nil>
}

func TestKeepsTheNewest(t *testing.T) {
	path := t.TempDir()
	f := open(t, path, 3)
	for i := range 7 {
		save(t, f, fmt.Sprint(i))
	}
	if got := strings.Join(contents(t, path), " "); got != "6 5 4" {
		t.Errorf("kept %q, want the newest three, newest first", got)
	}
	f.Close()
	save(t, open(t, path, 3), "7")
	if got := strings.Join(contents(t, path), " "); got != "7 6 5" {
		t.Errorf("another process left %q: its number must follow", got)
	}
}

// TestOlderName: versions that a program before 0.1.0 wrote count with the others, and
// make room as they do.
func TestOlderName(t *testing.T) {
	path := t.TempDir()
	for n, text := range []string{"oldest", "old"} {
		if err := os.WriteFile(filepath.Join(path, fmt.Sprintf("mind-%010d.fbm", n)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f := open(t, path, 2)
	save(t, f, "new")
	if got := strings.Join(contents(t, path), " "); got != "new old" {
		t.Errorf("versions %q, want the new one and the newer of the old ones", got)
	}
	names, err := List(path)
	if err != nil || filepath.Base(names[0]) != "brain-0000000002.fbm" {
		t.Errorf("the newest is %v, %v", names, err)
	}
}

// TestCutShort: a save may break after any number of bytes; the older versions
// stay as they were, and the next save works.
func TestCutShort(t *testing.T) {
	const size = 5000
	text := strings.Repeat("x", size)
	for _, k := range []int{0, 1, 2, 511, 512, 4095, 4096, 4097, size - 1, size} {
		for _, fault := range []error{syscall.ENOSPC, syscall.EIO, nil} {
			if k == size && fault == nil {
				continue // nothing is cut
			}
			path := t.TempDir()
			f := open(t, path, 2)
			save(t, f, "old")
			f.writer.Put = func(to *os.File, data []byte) (int, error) {
				n, err := to.Write(data[:k])
				return n, errors.Join(err, fault)
			}
			if _, err := f.Save([]byte(text)); err == nil || fault != nil && !errors.Is(err, fault) {
				t.Errorf("%d bytes, then %v: Save says %v", k, fault, err)
			}
			if got := contents(t, path); len(got) != 1 || got[0] != "old" {
				t.Errorf("%d bytes, then %v: %d versions, want the old one", k, fault, len(got))
			}
			f.writer.Put = nil
			save(t, f, "new")
			if got := strings.Join(contents(t, path), " "); got != "new old" {
				t.Errorf("%d bytes, then %v: the next save leaves %q", k, fault, got)
			}
		}
	}
}

// TestPowerCut: a process that ends in the middle of a save leaves no version
// behind, and the next Open clears its file away.
func TestPowerCut(t *testing.T) {
	path := t.TempDir()
	f := open(t, path, 2)
	save(t, f, "old")
	f.Close()
	left := filepath.Join(path, files.Unfinished+"brain-0000000001.fbm")
	if err := os.WriteFile(left, []byte("ne"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, path); len(got) != 1 || got[0] != "old" {
		t.Errorf("versions %q, want the old one", got)
	}
	open(t, path, 2)
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the unfinished file is still there: %v", err)
	}
}

// TestNobodysLink: a save follows no link, whether it stands in the place of an
// unfinished file, of the lock or of the folder.
func TestNobodysLink(t *testing.T) {
	path, outside := t.TempDir(), t.TempDir()
	victim := filepath.Join(outside, "victim")
	if err := os.WriteFile(victim, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := open(t, path, 2)
	for _, name := range []string{"brain-0000000000.fbm", fmt.Sprint(os.Getpid(), "-0")} {
		if err := os.Symlink(victim, filepath.Join(path, files.Unfinished+name)); err != nil {
			t.Fatal(err)
		}
	}
	save(t, f, "mind")
	if got := contents(t, path); len(got) != 1 || got[0] != "mind" {
		t.Errorf("versions %q", got)
	}
	if err := os.Symlink(victim, filepath.Join(path, "brain-0000000009.fbm")); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(filepath.Join(path, "brain-0000000009.fbm")); !errors.Is(err, files.ErrLink) {
		t.Errorf("a link in a version's place: %v", err)
	}
	f.Close()
	linked := filepath.Join(outside, "linked")
	if err := os.Symlink(path, linked); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(linked, 2); err == nil || !strings.Contains(err.Error(), linked) {
		t.Errorf("a link in the folder's place: %v", err)
	}
	if err := errors.Join(os.Remove(filepath.Join(path, lockName)), os.Symlink(victim, filepath.Join(path, lockName))); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, 2); err == nil {
		t.Error("a link in the lock's place was followed")
	}
	if text, _ := os.ReadFile(victim); string(text) != "precious" {
		t.Errorf("the link's target holds %q", text)
	}
}

func TestOneProcessAtATime(t *testing.T) {
	path := t.TempDir()
	f := open(t, path, 2)
	if _, err := Open(path, 2); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), path) {
		t.Errorf("a second Open: %v, want ErrBusy with the path", err)
	}
	f.Close()
	open(t, path, 2)
}

func TestAside(t *testing.T) {
	path := t.TempDir()
	f := open(t, path, 5)
	save(t, f, "a")
	b := save(t, f, "b")
	to, err := Aside(path, []string{b})
	if err != nil {
		t.Fatal(err)
	}
	if got := contents(t, to); len(got) != 1 || got[0] != "b" {
		t.Errorf("aside are %q, want b", got)
	}
	again, err := Aside(path, nil)
	if err != nil || again == to {
		t.Errorf("the next folder is %s, %v; want another one", again, err)
	}
	f.Close()
	name := save(t, open(t, path, 5), "c")
	if filepath.Base(name) == filepath.Base(b) {
		t.Errorf("%s is used twice: moving the old one back would replace the new one", name)
	}
}

// TestUnusable: Open says why it cannot use a folder, with the path.
func TestUnusable(t *testing.T) {
	path := t.TempDir()
	if _, err := Open(filepath.Join(path, "a", "b"), 1); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a parent: %v", err)
	}
	file := filepath.Join(path, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file, 1); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("a file in its place: %v, want a refusal with the path", err)
	}
	f := open(t, filepath.Join(path, "gone"), 1)
	if err := os.RemoveAll(f.Path()); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Save([]byte("x")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that was removed: %v", err)
	}
	if os.Getuid() == 0 {
		t.Log("root may write anywhere: a folder without the right to write is left out")
		return
	}
	locked := filepath.Join(path, "locked")
	if err := os.Mkdir(locked, 0o500); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(locked, 1); !errors.Is(err, os.ErrPermission) {
		t.Errorf("a folder without the right to write: %v", err)
	}
}

// TestStrangers: a Folder lists and removes versions only, and reads only plain
// files of a bearable size.
func TestStrangers(t *testing.T) {
	path := t.TempDir()
	strange := []string{"brain-1.fbm", "brain-00000000xx.fbm", "brain-0000000001.fbm.bak", "notes.txt"}
	for _, name := range strange {
		if err := os.WriteFile(filepath.Join(path, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pipe := filepath.Join(path, "brain-0000000007.fbm")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	f := open(t, path, 1)
	save(t, f, "a")
	save(t, f, "b")
	if got := contents(t, path); len(got) != 1 || got[0] != "b" {
		t.Errorf("versions %q, want b", got)
	}
	for _, name := range strange {
		if _, err := os.Stat(filepath.Join(path, name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Read(pipe); err == nil {
		t.Error("a pipe was read")
	}
	big := filepath.Join(path, "big")
	if err := os.WriteFile(big, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(big, MaxSize+1); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(big); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("%d bytes: %v", MaxSize+1, err)
	}
	if data, err := Read(filepath.Join(path, strange[0])); err != nil || !bytes.Equal(data, nil) {
		t.Errorf("an empty file: %q, %v", data, err)
	}
}
