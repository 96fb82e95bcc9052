package main

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"

	"fieldbrain/testbench/tier"
)

// TestSizes holds files and functions short and simple enough to be read at one
// sitting.
func TestSizes(t *testing.T) {
	tier.Alone(t, "it looks at files")
	const longestFile, longestFunction, mostBranches, mostParameters = 400, 60, 14, 5
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is {
				continue
			}
			n := s.lines(f)
			if s.test {
				n -= s.tables(f)
			}
			if n > longestFunction {
				t.Errorf("%s: %s has %d lines, more than %d", s.at(f.Pos()), f.Name.Name, n, longestFunction)
			}
			if n := branches(f); n > mostBranches && !s.test {
				t.Errorf("%s: %s has %d ways through it, more than %d", s.at(f.Pos()), f.Name.Name, n, mostBranches)
			}
			if n := f.Type.Params.NumFields(); n > mostParameters && !s.test {
				t.Errorf("%s: %s has %d parameters, more than %d", s.at(f.Pos()), f.Name.Name, n, mostParameters)
			}
			if f.Name.Name == "init" && f.Recv == nil {
				t.Errorf("%s: an init function: its order and its failure are invisible", s.at(f.Pos()))
			}
		}
	}
	written(t, func(name string) {
		if !slices.Contains([]string{".go", ".h", ".cc", ".cu", ".cuh"}, path.Ext(name)) {
			return
		}
		if n := strings.Count(read(t, name), "\n"); n > longestFile {
			t.Errorf("%s has %d lines, more than %d", name, n, longestFile)
		}
	})
}

// branches returns a function's cyclomatic number (McCabe 1976,
// doi:10.1109/TSE.1976.233837), in which every && and || counts.
func branches(f *ast.FuncDecl) int {
	n := 1
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.CommClause:
			n++
		case *ast.CaseClause:
			if node.List != nil { // default is no way of its own
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}
