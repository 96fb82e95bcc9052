package main

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"

	"fieldbrain/testbench/tier"
)

// TestExportedVariables: no other package can assign a package's variables. A
// package exports only error values as variables, for errors.Is.
func TestExportedVariables(t *testing.T) {
	tier.Alone(t, "it looks at files")
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		for _, d := range s.file.Decls {
			group, is := d.(*ast.GenDecl)
			if !is || group.Tok != token.VAR {
				continue
			}
			for _, spec := range group.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					if name.IsExported() && !strings.HasPrefix(name.Name, "Err") {
						t.Errorf("%s: anyone could assign %s: make it a function or a constant", s.at(name.Pos()), name.Name)
					}
				}
			}
		}
	}
}
