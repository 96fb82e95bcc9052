package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
)

// sources reads packages of this module as far as their constants and structs
// need: function bodies are left out, and so is what other modules and the
// standard library declare.
type sources struct {
	root   string
	module string // its path, with a slash at the end
	fset   *token.FileSet
	loaded map[string]*source // by folder
}

// A source is one package: its types, and its syntax, which knows by what name a
// length was written.
type source struct {
	types   *types.Package
	structs map[string]*ast.TypeSpec
	others  map[string]ast.Node // variables and functions
}

func newSources(root string) *sources {
	return &sources{root: root, fset: token.NewFileSet(), loaded: map[string]*source{}}
}

// load reads the package in a folder below the root, once.
func (s *sources) load(folder string) (*source, error) {
	if p := s.loaded[folder]; p != nil {
		return p, nil
	}
	if err := s.readModule(); err != nil {
		return nil, err
	}
	files, err := s.parse(filepath.Join(s.root, folder))
	if err != nil {
		return nil, err
	}
	p := &source{structs: map[string]*ast.TypeSpec{}, others: map[string]ast.Node{}}
	for _, f := range files {
		p.keep(f)
	}
	check := types.Config{
		Importer: s, IgnoreFuncBodies: true, FakeImportC: true,
		Error: func(error) {}, // what other modules declare stays unknown, and unused
	}
	p.types, err = check.Check(s.module+folder, s.fset, files, nil)
	if p.types == nil {
		return nil, err
	}
	s.loaded[folder] = p
	return p, nil
}

// parse reads the files of a folder, tests left out.
func (s *sources) parse(dir string) (files []*ast.File, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(s.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// keep remembers what a file declares.
func (p *source) keep(f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				p.others[d.Name.Name] = d
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					p.structs[spec.Name.Name] = spec
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						p.others[name.Name] = spec
					}
				}
			}
		}
	}
}

// numbers returns the literal numbers of a table: a variable's, or those that a
// function returns.
func (p *source) numbers(name string) (list []string, err error) {
	node := p.others[name]
	if node == nil {
		return nil, fmt.Errorf("package %s has no %s", p.types.Name(), name)
	}
	ast.Inspect(node, func(n ast.Node) bool {
		table, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		for _, e := range table.Elts {
			sign := ""
			if minus, ok := e.(*ast.UnaryExpr); ok && minus.Op == token.SUB {
				e, sign = minus.X, "-"
			}
			number, ok := e.(*ast.BasicLit)
			if !ok {
				err = fmt.Errorf("%s.%s is no table of literal numbers", p.types.Name(), name)
				return false
			}
			list = append(list, sign+number.Value)
		}
		return false
	})
	return list, err
}

// readModule learns the module's path from go.mod.
func (s *sources) readModule() error {
	text, err := os.ReadFile(filepath.Join(s.root, "go.mod"))
	if err != nil {
		return err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	path, ok := strings.CutPrefix(strings.TrimSpace(line), "module ")
	if !ok {
		return fmt.Errorf("go.mod begins with %q, want the module's path", line)
	}
	s.module = strings.Trim(strings.TrimSpace(path), `"`) + "/"
	return nil
}

// Import is the type checker's question for another package.
func (s *sources) Import(path string) (*types.Package, error) {
	folder, ours := strings.CutPrefix(path, s.module)
	if !ours {
		return nil, fmt.Errorf("%s is not of this module", path)
	}
	p, err := s.load(folder)
	if err != nil {
		return nil, err
	}
	return p.types, nil
}
