package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
)

// A tree holds the module's files and their names.
type tree struct {
	root     string
	old, new string
	packages map[string]bool // folders with Go files, slashes, "." for the root
	files    []string        // that may name a package, from the root
}

// rename changes the module's path in all files below root. It returns the old
// path and how many files it wrote.
func rename(root, path string) (old string, written int, err error) {
	t := &tree{root: root, new: path, packages: map[string]bool{}}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", 0, err
	}
	if t.old = modfile.ModulePath(text); t.old == "" {
		return "", 0, errors.New("go.mod names no module")
	}
	if err := t.walk(); err != nil {
		return t.old, 0, err
	}
	for _, name := range t.files {
		changed, err := t.rewrite(name)
		if err != nil {
			return t.old, written, fmt.Errorf("%s: %w", name, err)
		}
		if changed {
			written++
		}
	}
	return t.old, written, nil
}

// texts are the files besides Go's in which a package may be named. Sources in C
// and CUDA are not among them: a hash guards the compiled kernels.
func texts(name string) bool {
	switch path.Base(name) {
	case "Makefile", "go.mod":
		return true
	}
	return slices.Contains([]string{".md", ".sh", ".yml", ".yaml", ".txt"}, path.Ext(name)) || strings.HasPrefix(name, ".ci/")
}

// walk lists packages and files.
func (t *tree) walk() error {
	return filepath.WalkDir(t.root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(t.root, p)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case d.IsDir() && slices.Contains([]string{".git", "bin", "out", "shared"}, name):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		case path.Ext(name) == ".go":
			t.packages[path.Dir(name)] = true
			t.files = append(t.files, name)
		case texts(name):
			t.files = append(t.files, name)
		}
		return nil
	})
}

// rewrite changes one file and reports whether it did.
func (t *tree) rewrite(name string) (bool, error) {
	full := filepath.Join(t.root, filepath.FromSlash(name))
	info, err := os.Stat(full)
	if err != nil {
		return false, err
	}
	before, err := os.ReadFile(full)
	if err != nil {
		return false, err
	}
	after := before
	switch {
	case name == "go.mod":
		after, err = t.modFile(before)
	case path.Ext(name) == ".go":
		after, err = t.source(before)
	default:
		after = t.prose(before)
	}
	if err != nil || bytes.Equal(before, after) {
		return false, err
	}
	return true, os.WriteFile(full, after, info.Mode().Perm())
}

// modFile changes the module line.
func (t *tree) modFile(text []byte) ([]byte, error) {
	f, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil, err
	}
	if err := f.AddModuleStmt(t.new); err != nil {
		return nil, err
	}
	return f.Format()
}

// renamed returns the new path of one of the module's packages.
func (t *tree) renamed(imported string) (string, bool) {
	if imported == t.old && t.packages["."] {
		return t.new, true
	}
	folder, ours := strings.CutPrefix(imported, t.old+"/")
	return t.new + "/" + folder, ours && t.packages[folder]
}

// source changes the imports of a Go file, and string literals that are the path
// of a package below the root: the root's own name is also the program's.
func (t *tree) source(text []byte) ([]byte, error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	imports := map[*ast.BasicLit]bool{}
	for _, i := range f.Imports {
		imports[i.Path] = true
	}
	var out bytes.Buffer
	end := 0
	ast.Inspect(f, func(n ast.Node) bool {
		literal, is := n.(*ast.BasicLit)
		if !is || literal.Kind != token.STRING {
			return true
		}
		value, err := strconv.Unquote(literal.Value)
		if err != nil || value == t.old && !imports[literal] {
			return true
		}
		now, is := t.renamed(value)
		if !is {
			return true
		}
		at := set.Position(literal.Pos()).Offset
		out.Write(text[end:at])
		out.WriteString(strconv.Quote(now))
		end = at + len(literal.Value)
		return true
	})
	out.Write(text[end:])
	return t.comments(out.Bytes()), nil
}

// comments changes import lines in the examples of comments.
func (t *tree) comments(text []byte) []byte {
	line := regexp.MustCompile(`(//.*\bimport )"` + regexp.QuoteMeta(t.old) + `"`)
	return line.ReplaceAll(text, []byte(`${1}"`+t.new+`"`))
}

// prose changes package paths in a text. A path of files, such as
// /etc/fieldbrain/brain, has a slash or a dot before the module's name.
func (t *tree) prose(text []byte) []byte {
	word := regexp.MustCompile(`(^|[^\w./-])(` + regexp.QuoteMeta(t.old) + `(?:/[\w.-]+)+)`)
	text = word.ReplaceAllFunc(text, func(found []byte) []byte {
		at := word.FindSubmatchIndex(found)
		before, path := found[:at[3]], string(found[at[4]:at[5]])
		rest := ""
		for { // the path may end in a dot, or go on to a file
			if now, is := t.renamed(path); is && path != t.old {
				return append(slices.Clone(before), now+rest...)
			}
			cut := strings.LastIndexAny(path, "/.")
			if cut <= len(t.old) {
				return found
			}
			path, rest = path[:cut], path[cut:]+rest
		}
	})
	line := regexp.MustCompile(`(\bimport )"` + regexp.QuoteMeta(t.old) + `"`)
	return line.ReplaceAll(text, []byte(`${1}"`+t.new+`"`))
}
