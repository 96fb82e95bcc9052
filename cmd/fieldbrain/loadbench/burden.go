package loadbench

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sys/unix"
)

// The loads beside which a loop is measured.
const (
	NoLoad      = "none"
	CPULoad     = "cpu"
	MemoryLoad  = "memory"
	DiskLoad    = "disk"
	NetworkLoad = "network"
)

// Loads returns the names of all, in the order in which they take turns.
func Loads() []string { return []string{NoLoad, CPULoad, MemoryLoad, DiskLoad, NetworkLoad} }

// Processes returns how many processes make a load: enough that every processor of
// the machine always has one that wants it.
func Processes(load string) int {
	switch load {
	case NoLoad:
		return 0
	case CPULoad:
		return 2 * runtime.NumCPU()
	}
	return runtime.NumCPU()
}

// Burden makes a load until the process is killed; folder is for its files.
func Burden(load, folder string) error {
	switch load {
	case CPULoad:
		Compute()
	case MemoryLoad:
		return churn()
	case DiskLoad:
		return scribble(folder)
	case NetworkLoad:
		return chatter()
	}
	return fmt.Errorf("loadbench: no load is called %q", load)
}

// churn copies much memory, which no cache holds, and takes new pages all the time.
func churn() error {
	const size = 32 << 20
	kept := make([]byte, 2*size)
	for {
		fresh, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			return fmt.Errorf("loadbench: memory: %w", err)
		}
		copy(fresh, kept)
		copy(kept[size:], fresh)
		if err := unix.Munmap(fresh); err != nil {
			return fmt.Errorf("loadbench: memory: %w", err)
		}
	}
}

// scribble writes a file, forces it to the disk, and reads it from there.
func scribble(folder string) error {
	f, err := os.CreateTemp(folder, "load-")
	if err != nil {
		return fmt.Errorf("loadbench: disk: %w", err)
	}
	defer f.Close()
	if err := os.Remove(filepath.Join(folder, filepath.Base(f.Name()))); err != nil {
		return fmt.Errorf("loadbench: disk: %w", err)
	}
	text := make([]byte, 4<<20)
	for n := byte(0); ; n++ {
		text[0] = n
		if _, err := f.WriteAt(text, 0); err != nil {
			return fmt.Errorf("loadbench: disk: %w", err)
		}
		if err := f.Sync(); err != nil {
			return fmt.Errorf("loadbench: disk: %w", err)
		}
		_ = unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED) // else it reads its own memory
		if _, err := f.ReadAt(text, 0); err != nil {
			return fmt.Errorf("loadbench: disk: %w", err)
		}
	}
}

// chatter sends datagrams to itself over the loopback as fast as they are taken.
func chatter() error {
	var ends [2]int
	for i := range ends {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
		if err == nil {
			ends[i] = fd
			err = unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}})
		}
		if err != nil {
			return fmt.Errorf("loadbench: network: %w", err)
		}
	}
	to, err := unix.Getsockname(ends[1])
	if err != nil {
		return fmt.Errorf("loadbench: network: %w", err)
	}
	go func() {
		text := make([]byte, 2048)
		for {
			if _, _, err := unix.Recvfrom(ends[1], text, 0); err != nil && err != unix.EINTR {
				return
			}
		}
	}()
	text := make([]byte, 1400)
	for {
		if err := unix.Sendto(ends[0], text, 0, to); err != nil && err != unix.EINTR && err != unix.ENOBUFS {
			return fmt.Errorf("loadbench: network: %w", err)
		}
	}
}
