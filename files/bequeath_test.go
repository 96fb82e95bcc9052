package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"fieldbrain/files"
)

// TestBequeath: what root makes in somebody's folder is the owner's, and nothing else
// becomes it.
func TestBequeath(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root has something to bequeath")
	}
	const owner, other = 65534, 65533
	folder, elsewhere := t.TempDir(), t.TempDir()
	if err := os.Chown(folder, owner, owner); err != nil {
		t.Skipf("here root may not make another user's folder: %v", err)
	}
	at := func(name string) string { return filepath.Join(folder, name) }
	root := filepath.Join(elsewhere, "root")
	linked := filepath.Join(elsewhere, "linked")
	for _, name := range []string{root, linked, at("file"), at("others")} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := errors.Join(os.Link(linked, at("second")), os.Symlink(root, at("link")), os.Chown(at("others"), other, other),
		files.MakeFolders(at("a/b/c"), 0o750), files.MakeFolders(at("a/b"), 0o750))
	if err != nil {
		t.Fatal(err)
	}
	if err := files.MakeFolders(at("file/x"), 0o750); err == nil {
		t.Error("a folder below a file was made")
	}
	if err := files.MakeFolders(at("file"), 0o750); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("a file in the folder's place: %v", err)
	}
	for _, name := range []string{root, at("file"), at("others"), at("second"), at("link"), at("none")} {
		files.Bequeath(name)
	}
	for name, want := range map[string]uint32{
		root: 0, linked: 0, at("link"): 0, at("others"): other, at("file"): owner, at("a"): owner, at("a/b"): owner, at("a/b/c"): owner,
	} {
		info, err := os.Lstat(name)
		if err != nil || info.Sys().(*syscall.Stat_t).Uid != want {
			t.Errorf("%s: owner %v, want %d (%v)", name, info.Sys(), want, err)
		}
	}
}
