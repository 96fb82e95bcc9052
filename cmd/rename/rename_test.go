package main

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/testbench/tier"
)

// house is a module with everything that names a package.
var house = map[string]string{
	"go.mod":       "module house\n\ngo 1.26.0\n\nrequire golang.org/x/mod v0.41.0\n",
	"house.go":     "// Package house. Use it so:\n//\n//\timport \"house\"\npackage house\n\nconst Name = \"house\" // the program's name stays\n",
	"cellar/a.go":  "package cellar\n\nimport (\n\t\"fmt\"\n\n\t\"house\"\n\t\"house/roof\"\n)\n\nvar _ = fmt.Sprint(house.Name, roof.X, \"house/roof\", \"house/attic\", \"/etc/house/roof\", `house/cellar`)\n",
	"roof/b.go":    "package roof\n\nimport _ \"house/roofing\"\n\nconst X = 1\n",
	"roofing/c.go": "//go:build never\n\npackage roofing\n\nimport h \"house\"\n\nvar _ = h.Name\n",
	"README.md":    "Run `go doc house/roof`, see house/roof. Files: /etc/house/roof, house/attic, cmd/house/roof.\n\n\timport \"house\"\n",
	"Makefile":     "all:\n\tgo build -ldflags '-X house/roof.version=1' house/cellar\n",
	"kernel.cuh":   "// house/roof stays: its hash is guarded\n",
	"data.bin":     "house/roof\n",
}

// renamedHouse is the same module under its new path.
var renamedHouse = map[string]string{
	"go.mod":       "module example.org/me/hut\n\ngo 1.26.0\n\nrequire golang.org/x/mod v0.41.0\n",
	"house.go":     "// Package house. Use it so:\n//\n//\timport \"example.org/me/hut\"\npackage house\n\nconst Name = \"house\" // the program's name stays\n",
	"cellar/a.go":  "package cellar\n\nimport (\n\t\"fmt\"\n\n\t\"example.org/me/hut\"\n\t\"example.org/me/hut/roof\"\n)\n\nvar _ = fmt.Sprint(house.Name, roof.X, \"example.org/me/hut/roof\", \"house/attic\", \"/etc/house/roof\", \"example.org/me/hut/cellar\")\n",
	"roof/b.go":    "package roof\n\nimport _ \"example.org/me/hut/roofing\"\n\nconst X = 1\n",
	"roofing/c.go": "//go:build never\n\npackage roofing\n\nimport h \"example.org/me/hut\"\n\nvar _ = h.Name\n",
	"README.md":    "Run `go doc example.org/me/hut/roof`, see example.org/me/hut/roof. Files: /etc/house/roof, house/attic, cmd/house/roof.\n\n\timport \"example.org/me/hut\"\n",
	"Makefile":     "all:\n\tgo build -ldflags '-X example.org/me/hut/roof.version=1' example.org/me/hut/cellar\n",
	"kernel.cuh":   "// house/roof stays: its hash is guarded\n",
	"data.bin":     "house/roof\n",
}

// build writes files into a folder.
func build(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		full := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// read returns every file below a folder.
func read(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if err != nil {
			return err
		}
		if !d.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(p)
		name, _ := filepath.Rel(root, p)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestRename(t *testing.T) {
	root := build(t, house)
	old, n, err := rename(root, "example.org/me/hut")
	if err != nil || old != "house" || n != 7 {
		t.Fatalf("%s, %d files, %v", old, n, err)
	}
	if d := cmp.Diff(renamedHouse, read(t, root)); d != "" {
		t.Errorf("want -, got +:\n%s", d)
	}
	// From one path to another, and home again: only the quotes of a raw string differ.
	for _, path := range []string{"example.com/other/v2", "house"} {
		if _, _, err := rename(root, path); err != nil {
			t.Fatal(err)
		}
	}
	want := maps.Clone(house)
	want["cellar/a.go"] = strings.ReplaceAll(want["cellar/a.go"], "`", `"`)
	if d := cmp.Diff(want, read(t, root)); d != "" {
		t.Errorf("there and back, want -, got +:\n%s", d)
	}
}

// git runs git in a folder.
func git(t *testing.T, root string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
	cmd.Dir = root
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, text)
	}
}

// TestRefusals: rename refuses a path that Go cannot fetch and a checkout with
// changes of its own, before it changes anything.
func TestRefusals(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here: " + err.Error())
	}
	root := build(t, house)
	try := func(want string, code int, args ...string) {
		t.Helper()
		before := read(t, root)
		var out, complaints bytes.Buffer
		if got := run(root, args, &out, &complaints); got != code || !strings.Contains(out.String()+complaints.String(), want) {
			t.Errorf("rename %v: %d, %s%s, want %d and %q", args, got, &out, &complaints, code, want)
		}
		if code == 2 && !cmp.Equal(before, read(t, root)) {
			t.Errorf("rename %v was refused and changed files", args)
		}
	}
	try("git status", 2, "example.org/me/hut")
	git(t, root, "init", "-q")
	try("not committed", 2, "example.org/me/hut")
	git(t, root, "add", "-A")
	git(t, root, "commit", "-qm", "house")
	try("name the new path", 2)
	try("missing dot in first path element", 2, "hut")
	try("malformed", 2, "example.org/me/hut house")
	try("malformed", 2, "example.org//hut")
	try("malformed", 2, "https://example.org/hut")
	try("house is example.org/me/hut now: 7 files changed", 0, "example.org/me/hut")
	try("not committed", 2, "example.org/me/cabin")
	git(t, root, "commit", "-qam", "hut")
	try("example.org/me/hut is example.org/me/cabin now", 0, "example.org/me/cabin")
}

// copyTree copies the module's files into a temporary folder.
func copyTree(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	skip := []string{".git", "bin", "out", "shared"}
	err := filepath.WalkDir("../..", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel("../..", p)
		if err != nil {
			return err
		}
		if slices.Contains(skip, name) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		to := filepath.Join(root, name)
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return root
}

const away = "example.org/owner/fieldbrain"

// TestThereAndBack: two renames, there and back, leave this module as it was.
func TestThereAndBack(t *testing.T) {
	root := copyTree(t)
	before := read(t, root)
	old, n, err := rename(root, away)
	if err != nil || n < 200 {
		t.Fatalf("%d files, %v", n, err)
	}
	for name, text := range read(t, root) {
		if filepath.Ext(name) == ".go" && strings.Contains(text, "\t\""+old+"/") && !strings.Contains(away, old+"/") {
			t.Errorf("%s still imports from %s", name, old)
		}
	}
	if _, _, err := rename(root, old); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, read(t, root)); d != "" {
		t.Errorf("there and back, want -, got +:\n%s", d)
	}
}

// TestBuildsElsewhere: under another path whatever programs and tests import is found, a
// program and the tests of a package are compiled and run, and the formatter has nothing
// to say.
func TestBuildsElsewhere(t *testing.T) {
	tier.Heavy(t, "compiles a few packages under another path")
	elsewhere(t, "list -deps -test ./...", "list -deps -tags cuda ./...", "tool gofumpt -l .", "CGO_ENABLED=0",
		"build ./cmd/rename", "test -vet=off ./testbench/tier/report")
}

// TestEverythingBuildsElsewhere: under another path everything is compiled but C, what the
// tests below need is compiled and runs, and the imports are the permitted ones. No C
// names the module's path, so nothing of it is compiled again: of the Go that only a
// build with C has, the test above looks up the imports. Nor does any judgement of vet
// depend on the path: lint has them all.
func TestEverythingBuildsElsewhere(t *testing.T) {
	tier.Long(t, "compiles the whole module under another path")
	elsewhere(t, "CGO_ENABLED=0", "build ./...", "test -vet=off ./cmd/fieldbrain -run ^(TestImports|TestPermitted)$",
		"test -vet=off . -run Example")
}

// elsewhere gives a copy of the module another path, and runs go there with the words
// of each line, or sets a variable.
func elsewhere(t *testing.T, lines ...string) {
	t.Helper()
	root := copyTree(t)
	if _, _, err := rename(root, away); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CGO_ENABLED", "1")
	for _, line := range lines {
		if name, value, is := strings.Cut(line, "="); is {
			t.Setenv(name, value)
			continue
		}
		cmd := exec.Command("go", strings.Fields(line)...)
		cmd.Dir = root
		var complaints strings.Builder // what go fetches first, it says here
		cmd.Stderr = &complaints
		text, err := cmd.Output()
		if err != nil || strings.HasPrefix(line, "tool") && len(text) > 0 {
			t.Errorf("go %s: %v\n%s%s", line, err, text, complaints.String())
		}
	}
}
