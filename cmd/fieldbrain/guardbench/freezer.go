package guardbench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A freezer is a control group in which the kernel makes every thread of a process
// stand, as systemctl freeze and container engines do. No signal tells the process.
type freezer struct {
	folder       string
	file         string // that freezes it
	frozen, thaw string // what is written to it
	state        string // the file, and the words in it once all threads stand
	stands       string
}

// newFreezer makes a control group in the first hierarchy that can freeze, version 2
// before version 1 (Documentation/admin-guide/cgroup-v2.rst, cgroup-v1/freezer-subsystem.rst).
func newFreezer() (*freezer, error) {
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		return nil, fmt.Errorf("guardbench: %w", err)
	}
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil, fmt.Errorf("guardbench: %w", err)
	}
	var why error
	for _, f := range freezers(string(mounts), string(groups)) {
		f.folder = filepath.Join(f.folder, "fieldbrain-deaths-"+strconv.Itoa(os.Getpid()))
		err := os.Mkdir(f.folder, 0o700)
		if err == nil {
			if _, err = os.Stat(filepath.Join(f.folder, f.file)); err == nil {
				return &f, nil
			}
			err = errors.Join(err, os.Remove(f.folder))
		}
		why = errors.Join(why, err)
	}
	if why == nil {
		why = errors.New("no hierarchy of control groups is mounted that can freeze")
	}
	return nil, fmt.Errorf("guardbench: no control group to freeze a daemon in: %w", why)
}

// freezers lists the hierarchies that may freeze, each with the folder of this
// process's own group, from the texts of /proc/self/mounts and /proc/self/cgroup.
func freezers(mounts, groups string) (list []freezer) {
	own := func(controller string) string { // of version 1, "" is version 2
		for line := range strings.Lines(groups) {
			f := strings.SplitN(strings.TrimSpace(line), ":", 3)
			if len(f) == 3 && f[1] == controller {
				return f[2]
			}
		}
		return "/"
	}
	var older []freezer
	for line := range strings.Lines(mounts) {
		f := strings.Fields(line)
		if len(f) < 4 {
			continue
		}
		switch at, kind, options := f[1], f[2], ","+f[3]+","; {
		case kind == "cgroup2":
			list = append(list, freezer{filepath.Join(at, own("")), "cgroup.freeze", "1", "0", "cgroup.events", "frozen 1"})
		case kind == "cgroup" && strings.Contains(options, ",freezer,"):
			older = append(older, freezer{filepath.Join(at, own("freezer")), "freezer.state", "FROZEN", "THAWED", "freezer.state", "FROZEN"})
		}
	}
	return append(list, older...)
}

// write puts a word into one of the group's files.
func (f *freezer) write(file, word string) error {
	return os.WriteFile(filepath.Join(f.folder, file), []byte(word), 0)
}

// take moves a process into the group.
func (f *freezer) take(pid int) error { return f.write("cgroup.procs", strconv.Itoa(pid)) }

// freeze makes whoever is in the group stand.
func (f *freezer) freeze() error { return f.write(f.file, f.frozen) }

// hard reports whether all of them stand.
func (f *freezer) hard() bool {
	text, err := os.ReadFile(filepath.Join(f.folder, f.state))
	return err == nil && strings.Contains(string(text), f.stands)
}

// melt lets them go on, or the signal that kills them through.
func (f *freezer) melt() error { return f.write(f.file, f.thaw) }

// close removes the group. The kernel refuses while one who was in it is not reaped.
func (f *freezer) close() error {
	err := f.melt()
	for range 100 {
		if err = os.Remove(f.folder); err == nil || errors.Is(err, os.ErrNotExist) {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return fmt.Errorf("guardbench: a control group stays: %w", err)
}
