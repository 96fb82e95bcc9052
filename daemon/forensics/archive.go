package forensics

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fieldbrain/files"
)

// Version is that of the bundles' form.
const Version = 1

// A Bundle is the evidence of a miss, and what was made of it.
type Bundle struct {
	Version int       `json:"version"`
	Program string    `json:"program"`
	Body    string    `json:"body"`
	At      time.Time `json:"at"`             // wall time
	Boot    string    `json:"boot,omitempty"` // the machine's start, whose monotonic clock the ticks bear
	Finding Finding   `json:"finding"`
	Misses  uint64    `json:"misses"` // since the daemon's start
	Unkept  uint64    `json:"unkept"` // findings since the bundle before that were not kept
	Evidence
	Ticks []Tick `json:"ticks"` // before and after
}

// fill takes everything into the bundle's own memory.
func (b *Bundle) fill(i *Inspector, e *Evidence, f *Finding) {
	ticks := b.Ticks[:0]
	*b = Bundle{
		Version: Version, Program: i.o.Program, Body: i.o.Body, At: time.Now(), Boot: i.boot,
		Finding: *f, Misses: i.Misses(), Unkept: i.unkept, Evidence: *e,
	}
	first := slices.IndexFunc(i.ticks, func(t Tick) bool { return t.Number >= e.Miss.Worst.Number })
	from, to := max(0, first-ticksBefore), min(len(i.ticks), max(0, first)+ticksAfter)
	b.Ticks = append(ticks, i.ticks[from:to]...)
}

// Names of the files.
const (
	prefix = "miss-"
	suffix = ".json"
	stamp  = "20060102T150405.000Z"
)

// largest is how many bytes of a bundle are read.
const largest = 1 << 20

// An Archive keeps bundles in a folder, the newest up to a quota.
type Archive struct {
	folder string
	quota  int64
	text   bytes.Buffer // kept from bundle to bundle
	own    []string     // names of what this archive wrote and may still be there, the oldest first
}

// NewArchive returns the archive of a folder, of at most so many bytes.
func NewArchive(folder string, quota int64) *Archive {
	a := &Archive{folder: folder, quota: quota}
	a.text.Grow(256 << 10)
	return a
}

// make makes the folder where it is not there.
func (a *Archive) make() error {
	if err := files.MakeFolders(a.folder, 0o750); err != nil {
		return fmt.Errorf("forensics: %w", err)
	}
	return nil
}

// Put keeps a bundle and returns its path. It takes the oldest away until all fit into
// the quota.
func (a *Archive) Put(b *Bundle) (path string, err error) {
	a.text.Reset()
	if err := json.NewEncoder(&a.text).Encode(b); err != nil {
		return "", fmt.Errorf("forensics: %w", err)
	}
	path = filepath.Join(a.folder, prefix+b.At.UTC().Format(stamp)+"-"+string(b.Finding.Cause)+suffix)
	return path, a.write(path, a.text.Bytes())
}

// write makes room for a file and writes it.
func (a *Archive) write(path string, text []byte) error {
	if int64(len(text)) > a.quota {
		return fmt.Errorf("forensics: %s: %d bytes are more than the quota of %d", path, len(text), a.quota)
	}
	if err := a.make(); err != nil {
		return err
	}
	if err := a.shrink(a.quota - int64(len(text))); err != nil {
		return err
	}
	if err := (files.Writer{Mode: 0o640}).Write(path, text); err != nil {
		return fmt.Errorf("forensics: %w", err)
	}
	files.Bequeath(path)
	a.own = append(a.own, filepath.Base(path))
	return nil
}

// shrink takes the oldest bundles away until the rest has at most so many bytes. It
// touches nothing that is not named like a bundle. This archive's own are the newest,
// whatever time their names bear: a machine without a battery for its clock may start in
// the past.
func (a *Archive) shrink(most int64) error {
	names, err := list(a.folder, suffix, traceSuffix)
	if err != nil {
		return err
	}
	a.own = slices.DeleteFunc(a.own, func(n string) bool { return !slices.Contains(names, n) })
	names = slices.DeleteFunc(names, func(n string) bool { return slices.Contains(a.own, n) })
	names = append(names, a.own...)
	total := int64(0)
	for _, name := range slices.Backward(names) {
		path := filepath.Join(a.folder, name)
		info, err := os.Lstat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if total += info.Size(); total <= most {
			continue
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("forensics: %w", err)
		}
	}
	return nil
}

// list returns the names of a folder's files of some kinds, the oldest first.
func list(folder string, kinds ...string) (names []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("forensics: %w", err)
	}
	for _, e := range entries {
		n := e.Name()
		if strings.HasPrefix(n, prefix) && slices.ContainsFunc(kinds, func(k string) bool { return strings.HasSuffix(n, k) }) {
			names = append(names, n)
		}
	}
	return names, nil // ReadDir sorts, and the names begin with the time
}

// Read reads one bundle.
func Read(path string) (b Bundle, err error) {
	text, err := files.Reader{Max: largest}.Read(path)
	if err != nil {
		return b, err
	}
	if err := json.Unmarshal(text, &b); err != nil {
		return b, fmt.Errorf("%s: %w", path, err)
	}
	if b.Version != Version {
		return b, fmt.Errorf("%s: version %d, this program knows %d: read it with the program that wrote it", path, b.Version, Version)
	}
	return b, nil
}

// A Kept is one bundle of a folder.
type Kept struct {
	Path   string
	Bundle Bundle
	Err    error // it cannot be read
}

// Name returns the file's name, which begins with its time.
func (k *Kept) Name() string { return filepath.Base(k.Path) }

// Newest returns the newest bundles of a folder, at most so many, the oldest first (see
// Sort). A folder that is not there has none.
func Newest(folder string, most int) ([]Kept, error) {
	names, err := list(folder, suffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []Kept
	for _, n := range names {
		k := Kept{Path: filepath.Join(folder, n)}
		k.Bundle, k.Err = Read(k.Path)
		all = append(all, k)
	}
	Sort(all)
	return slices.Clone(all[max(0, len(all)-most):]), nil
}
