package gpu

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ErrPage is wrapped when a page is not one this program may work on.
var ErrPage = errors.New("not a page of this program")

// seals are what keeps a mapping valid: nobody can change the page's size, nor
// take the seals off.
const seals = unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL

const (
	pageSize = int(unsafe.Sizeof(Page{}))
	sizeIn   = uint64(unsafe.Sizeof(Page{}.In))
	sizeOut  = uint64(unsafe.Sizeof(Page{}.Out))
)

// A Mapping is a page of shared memory as one process sees it.
type Mapping struct {
	Page *Page // nil once closed
	mem  []byte
}

// newPage makes a page for a setup's hash and returns it mapped, with the
// descriptor that the child is to inherit. The caller closes both.
func newPage(hash uint64) (*Mapping, *os.File, error) {
	const flags = unix.MFD_CLOEXEC | unix.MFD_ALLOW_SEALING
	fd, err := unix.MemfdCreate("fieldbrain-gpu", flags|unix.MFD_NOEXEC_SEAL)
	if err == unix.EINVAL { // before Linux 6.3
		fd, err = unix.MemfdCreate("fieldbrain-gpu", flags)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("gpu: make the shared page: memfd_create: %w", err)
	}
	file := os.NewFile(uintptr(fd), "fieldbrain-gpu page")
	m, err := prepare(fd, hash)
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return m, file, nil
}

// prepare sizes, seals, maps and heads an empty memfd.
func prepare(fd int, hash uint64) (*Mapping, error) {
	if err := unix.Ftruncate(fd, int64(pageSize)); err != nil {
		return nil, fmt.Errorf("gpu: size the shared page: %w", err)
	}
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, seals); err != nil {
		return nil, fmt.Errorf("gpu: seal the shared page: %w", err)
	}
	m, err := mapPage(fd)
	if err != nil {
		return nil, err
	}
	h := &m.Page.Head
	h.Magic, h.Version, h.Size = Magic, Version, uint64(pageSize)
	h.SizeIn, h.SizeOut, h.ParamsHash = sizeIn, sizeOut, hash
	return m, nil
}

// OpenPage maps the page behind an inherited descriptor, which it closes, and
// checks that it is sealed, of this size and of this layout. A refusal wraps
// ErrPage and says what differs.
func OpenPage(fd int) (*Mapping, error) {
	defer unix.Close(fd)
	refuse := func(format string, args ...any) (*Mapping, error) {
		return nil, fmt.Errorf("gpu: descriptor %d is %w: %s; start this program through fieldbrain, both of one version",
			fd, ErrPage, fmt.Sprintf(format, args...))
	}
	got, err := unix.FcntlInt(uintptr(fd), unix.F_GET_SEALS, 0)
	if err != nil {
		return refuse("no memfd (%v)", err)
	}
	if got&seals != seals {
		return refuse("seals %#x, want %#x: its size could change under the mapping", got, seals)
	}
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return refuse("its size is not known (%v)", err)
	}
	if stat.Size != int64(pageSize) {
		return refuse("%d bytes, want %d", stat.Size, pageSize)
	}
	m, err := mapPage(fd)
	if err != nil {
		return nil, err
	}
	for _, c := range []struct {
		what      string
		got, want uint64
	}{
		{"magic", m.Page.Head.Magic, Magic},
		{"version", m.Page.Head.Version, Version},
		{"size of the page", m.Page.Head.Size, uint64(pageSize)},
		{"size of the input", m.Page.Head.SizeIn, sizeIn},
		{"size of the answer", m.Page.Head.SizeOut, sizeOut},
	} {
		if c.got != c.want {
			_ = m.Close() // the refusal matters more
			return refuse("%s %#x, want %#x", c.what, c.got, c.want)
		}
	}
	return m, nil
}

// Check refuses a page that was made for another setup than s.
func (m *Mapping) Check(s *Setup) error {
	if got, want := m.Page.Head.ParamsHash, s.Hash(); got != want {
		return fmt.Errorf("gpu: %w: made for parameters %#x, the setup has %#x; start this program through fieldbrain, both of one version",
			ErrPage, got, want)
	}
	return nil
}

// mapPage maps the page with its memory present, so that no tick waits for it.
func mapPage(fd int) (*Mapping, error) {
	mem, err := unix.Mmap(fd, 0, pageSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE)
	if err != nil {
		return nil, fmt.Errorf("gpu: map the shared page: %w", err)
	}
	return &Mapping{Page: (*Page)(unsafe.Pointer(&mem[0])), mem: mem}, nil
}

// Close unmaps the page. It is safe to repeat; nothing may use Page afterwards.
func (m *Mapping) Close() error {
	if m.Page == nil {
		return nil
	}
	m.Page = nil
	mem := m.mem
	m.mem = nil
	if err := unix.Munmap(mem); err != nil {
		return fmt.Errorf("gpu: unmap the shared page: %w", err)
	}
	return nil
}
