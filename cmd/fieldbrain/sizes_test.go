package main

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

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

// TestWidths holds lines of code short enough to be read without scrolling: a list of
// fifty values on five lines is no shorter than one on twenty. What stands in quotation
// marks does not count, nor do lines of comment.
func TestWidths(t *testing.T) {
	tier.Alone(t, "it looks at files")
	const widest = 140 // columns, a tab four
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		lines := strings.Split(read(t, s.path), "\n")
		columns := make([]int, len(lines)+1) // of each line, from 1 on
		for i, line := range lines {
			columns[i+1] = utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    "))
		}
		line := func(p token.Pos) int { return s.set.Position(p).Line }
		ast.Inspect(s.file, func(n ast.Node) bool {
			if text, is := n.(*ast.BasicLit); is && text.Kind == token.STRING {
				for i := line(text.Pos()); i <= line(text.End()); i++ {
					columns[i] -= utf8.RuneCountInString(text.Value)
				}
			}
			return true
		})
		for _, group := range s.file.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(strings.TrimSpace(lines[line(c.Pos())-1]), "//") {
					columns[line(c.Pos())] = 0
				}
			}
		}
		for i, n := range columns {
			if n > widest {
				t.Errorf("%s:%d has %d columns, more than %d", s.path, i, n, widest)
			}
		}
	}
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
