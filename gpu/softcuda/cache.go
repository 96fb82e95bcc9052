package softcuda

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// A hash names a build by its ingredients.
type hash struct {
	w io.Writer
	s func() []byte
}

func newHash(parts ...string) hash {
	sum := sha256.New()
	h := hash{w: sum, s: func() []byte { return sum.Sum(nil) }}
	h.add(parts...)
	return h
}

// add takes strings so that their borders count.
func (h hash) add(parts ...string) {
	for _, p := range parts {
		fmt.Fprintf(h.w, "%d:%s", len(p), p)
	}
}

func (h hash) addFS(fsys fs.FS) error {
	return fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(fsys, path)
		h.add(path, string(text))
		return err
	})
}

func (h hash) String() string { return hex.EncodeToString(h.s()[:12]) }

// cached returns the folder named by kind and hash in the cache. When it is not
// there, build fills a new one, which then gets the name: no half-built folder
// ever has it. One process builds while the others wait.
func (b *builder) cached(ctx context.Context, kind string, h hash, build func(dir string) error) (string, error) {
	if err := os.MkdirAll(b.Cache, 0o700); err != nil {
		return "", fmt.Errorf("the cache: %w: name another in Options.Cache or XDG_CACHE_HOME", err)
	}
	final := filepath.Join(b.Cache, kind+"-"+h.String())
	if b.used(final) {
		return final, nil
	}
	unlock, err := lockFile(ctx, final+".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if b.used(final) {
		return final, nil
	}
	b.prune()
	dir, err := os.MkdirTemp(b.Cache, "new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if err := build(dir); err != nil {
		return "", err
	}
	return final, os.Rename(dir, final)
}

// used reports whether a folder is there, and marks it as used today.
func (b *builder) used(path string) bool {
	now := time.Now()
	return os.Chtimes(path, now, now) == nil
}

// prune removes builds that have rested for a month. One that it cannot remove stays.
func (b *builder) prune() {
	entries, err := os.ReadDir(b.Cache)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && time.Since(info.ModTime()) > 30*24*time.Hour {
			_ = os.RemoveAll(filepath.Join(b.Cache, e.Name())) // only room is lost
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// lockFile takes a file's lock, which ends with the process at the latest.
func lockFile(ctx context.Context, path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if err != syscall.EWOULDBLOCK && err != syscall.EINTR {
			f.Close()
			return nil, fmt.Errorf("the lock %s: %w", path, err)
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, fmt.Errorf("waiting for another build, whose lock is %s: %w", path, ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}
