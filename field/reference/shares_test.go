package reference_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shared are the names that the oracle may take from the package it judges:
// parameters and inputs, shapes, maps between bins and quantities, the kernels'
// weights, random numbers, and which channels and slots there are.
var shared = strings.Fields(`
	Params LearnParams Regime Kind Amari Linear Memory Leaky Mapping
	Input Term Beam Drive Senses Coupling
	Side Channels NumSenses Regressors MaxPatterns Strategic One Mask X Y Z
	BinAngle Bearing BearingBin Range RangeBin
	Excite Inhibit TickKey Noise
	Heading HeadPref HeadTrace PlanHead ObstMap HazardMap VisitedMap Novelty
	FirstTrace FirstStrategic FirstFree
	SlotRange SlotFloor SlotLine SlotLineTrust SlotCliff SlotContact SlotLight SlotTarget`)

// TestSharesNothing: the oracle computes with nothing that an engine computes
// with.
func TestSharesNothing(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, is := n.(*ast.SelectorExpr)
			if !is {
				return true
			}
			if from, is := s.X.(*ast.Ident); is && from.Name == "field" {
				seen++
				if !slices.Contains(shared, s.Sel.Name) {
					t.Errorf("%s: field.%s is the engines'", set.Position(s.Pos()), s.Sel.Name)
				}
			}
			return true
		})
	}
	if seen < 50 {
		t.Errorf("only %d uses of package field were looked at", seen)
	}
}
