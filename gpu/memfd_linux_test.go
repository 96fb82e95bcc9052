package gpu

import (
	"errors"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"fieldbrain/field"
)

// inherit returns a new descriptor of a file, as a child has one.
func inherit(t *testing.T, f *os.File) int {
	t.Helper()
	fd, err := unix.Dup(int(f.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	return fd
}

func testPage(t *testing.T) (*Mapping, *os.File) {
	t.Helper()
	m, file, err := newPage(1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(m.Close(), m.Close(), file.Close()); err != nil {
			t.Error(err)
		}
	})
	return m, file
}

func TestPageIsShared(t *testing.T) {
	client, file := testPage(t)
	child, err := OpenPage(inherit(t, file))
	if err != nil {
		t.Fatal(err)
	}
	defer child.Close()
	client.Page.In.Tick = 77
	child.Page.Cells[field.Cells-1] = 0.5
	if child.Page.In.Tick != 77 || client.Page.Cells[field.Cells-1] != 0.5 {
		t.Error("one side does not see what the other wrote")
	}
	s := Setup{Params: field.Default(), Wait: WaitSpin}
	if err := child.Check(&s); !errors.Is(err, ErrPage) {
		t.Errorf("another setup: %v, want ErrPage", err)
	}
	client.Page.Head.ParamsHash = s.Hash()
	if err := child.Check(&s); err != nil {
		t.Error(err)
	}
}

// Nobody can take the page's memory away from under the other side.
func TestPageKeepsItsSize(t *testing.T) {
	_, file := testPage(t)
	for _, size := range []int64{0, int64(pageSize) + 4096} {
		if err := file.Truncate(size); !errors.Is(err, unix.EPERM) {
			t.Errorf("truncate to %d: %v, want EPERM", size, err)
		}
	}
	if _, err := unix.FcntlInt(file.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_WRITE); !errors.Is(err, unix.EPERM) {
		t.Errorf("another seal: %v, want EPERM", err)
	}
}

func TestPageRefusals(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(h *Head)
		want string
	}{
		{"magic", func(h *Head) { h.Magic++ }, "magic"},
		{"version", func(h *Head) { h.Version = 9 }, "version 0x9, want 0x7"},
		{"size", func(h *Head) { h.Size-- }, "size of the page"},
		{"input", func(h *Head) { h.SizeIn += 8 }, "size of the input"},
		{"answer", func(h *Head) { h.SizeOut = 0 }, "size of the answer"},
	} {
		m, file := testPage(t)
		c.edit(&m.Page.Head)
		_, err := OpenPage(inherit(t, file))
		if !errors.Is(err, ErrPage) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "one version") {
			t.Errorf("%s: %v, want ErrPage naming %q", c.name, err, c.want)
		}
	}
}

func TestOtherDescriptorsAreNoPage(t *testing.T) {
	plain, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	unsealed, err := unix.MemfdCreate("x", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		t.Fatal(err)
	}
	small, err := unix.MemfdCreate("x", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := unix.FcntlInt(uintptr(small), unix.F_ADD_SEALS, seals); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, want string
		fd         int
	}{
		{"closed", "no memfd", 999},
		{"file", "", inherit(t, plain)},
		{"unsealed", "seals 0x", unsealed},
		{"small", "0 bytes, want", small},
	} {
		if _, err := OpenPage(c.fd); !errors.Is(err, ErrPage) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want ErrPage naming %q", c.name, err, c.want)
		}
	}
}
