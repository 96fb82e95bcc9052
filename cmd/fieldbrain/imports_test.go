package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// arrows say which of the project's packages a folder may import: the one in
// the row's name or anything below it. What is not listed is forbidden.
var arrows = map[string][]string{
	"cmd/fieldbrain": {"daemon", "brain", "field", "robot", "gpu", "testbench"},
	"daemon":         {"daemon", "brain", "robot"},
	"brain":          {"brain", "field", "robot"},
	"field":          {"field"},
	"robot":          {"robot", "field/exact"},
	"gpu":            {"gpu", "field"},
	"testbench":      {"testbench", "robot", "field/exact"},
}

// foreign names the folders that may import a library that only they may know.
var foreign = map[string][]string{
	"periph.io/":         {"robot/picarx", "testbench"}, // the bench answers on periph's bus interface
	"gorgonia.org/":      {"gpu/worker"},
	"github.com/rs/":     {"daemon"},
	"github.com/warthog": {"robot/picarx"},
	"unsafe":             {"daemon/doctor", "field/cpu", "robot/picarx", "gpu"},
}

// TestImports keeps the arrows of docs/architecture.md: an import that is not
// one of them makes two parts depend on each other that should not.
func TestImports(t *testing.T) {
	const root = "../.."
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		files++
		for _, i := range parsed.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			if !allowed(filepath.ToSlash(folder), name) {
				t.Errorf("%s must not import %s", path, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 20 {
		t.Errorf("only %d files were looked at", files)
	}
}

func allowed(folder, name string) bool {
	if own, is := strings.CutPrefix(name, "fieldbrain/"); is {
		for from, to := range arrows {
			if !below(folder, from) {
				continue
			}
			for _, target := range to {
				if below(own, target) {
					return true
				}
			}
		}
		return false
	}
	for library, folders := range foreign {
		if !strings.HasPrefix(name, library) {
			continue
		}
		for _, f := range folders {
			if below(folder, f) {
				return true
			}
		}
		return false
	}
	return true
}

// below reports whether a folder is the other one or lies in it.
func below(folder, other string) bool {
	return folder == other || strings.HasPrefix(folder, other+"/")
}

func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		folder, name string
		want         bool
	}{
		{"brain", "fieldbrain/field", true},
		{"brain", "fieldbrain/daemon", false},
		{"field", "fieldbrain/robot", false},
		{"testbench/hat", "fieldbrain/robot/picarx", true},
		{"testbench", "fieldbrain/brain", false},
		{"daemon", "periph.io/x/conn/v3/i2c", false},
		{"robot/picarx", "periph.io/x/conn/v3/i2c", true},
		{"brain", "math", true},
		{"brainy", "fieldbrain/field", false},
	} {
		if got := allowed(c.folder, c.name); got != c.want {
			t.Errorf("allowed(%s, %s) = %v, want %v", c.folder, c.name, got, c.want)
		}
	}
}
