package main

import (
	"go/ast"
	"slices"
	"testing"

	"fieldbrain/testbench/tier"
)

// ownWays are the files that may open others without package files: the kernel's own
// (/proc, /sys, /dev by number), this program's image, and folders that a bench or a
// tool of the build has just made for itself; the shelf makes what does not exist.
var ownWays = []string{
	"cmd/fieldbrain/gamepad/find.go",
	"robot/picarx/i2cdev_linux.go", "robot/picarx/inert_linux.go", "robot/picarx/open_linux.go", "robot/picarx/thread_linux.go",
	"daemon/doctor/hardware.go", "daemon/doctor/probe_linux.go",
	"daemon/loop/group_limits_linux.go", "daemon/loop/witness.go", "daemon/forensics/probe_linux.go", "daemon/forensics/thread_linux.go", "daemon/forensics/rivals_linux.go", "daemon/telemetry/writer.go", "daemon/recording/shelf.go", "cmd/fieldbrain-gpu/serve.go",
	"cmd/fieldbrain/guardbench/bench.go", "cmd/fieldbrain/guardbench/kind.go", // the bench's folder
	"cmd/fieldbrain/guardbench/freezer.go", // control groups
	"cmd/fieldbrain/loadbench/bench.go", "cmd/fieldbrain/loadbench/tape.go", "cmd/fieldbrain/loadbench/budget.go",
	"brain/plan/bench/octomap.go",
	"cmd/rename/rename.go", "testbench/tier/report/main.go", "testbench/golden/golden.go",
	"gpu/kernels/header/main.go", "gpu/kernels/header/sources.go", "gpu/kernels/report/main.go", "field/cpu/model/report/main.go",
	"gpu/softcuda/build.go", "gpu/softcuda/cache.go", "gpu/softcuda/compile.go", "gpu/softcuda/kernels.go", "gpu/softcuda/nvml.go",
	"gpu/fake/fake.go", // a named pipe of a test, which package files refuses
}

// openers are the functions of package os that open what a path names.
var openers = []string{"Open", "OpenFile", "Create", "ReadFile", "WriteFile", "CopyFS", "Truncate"}

// TestOneWayToFiles: what a person can name is read and written by package files, which
// bounds type, size and time and follows nobody's link.
func TestOneWayToFiles(t *testing.T) {
	tier.Alone(t, "it looks at files")
	needed := map[string]bool{}
	for _, s := range sources(t) {
		if s.test || s.folder() == "files" || s.folder() == "testbench/hostile" {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, is := n.(*ast.SelectorExpr)
			if !is || !slices.Contains(openers, call.Sel.Name) {
				return true
			}
			if name, is := call.X.(*ast.Ident); !is || name.Name != "os" {
				return true
			}
			needed[s.path] = true
			if !slices.Contains(ownWays, s.path) {
				t.Errorf("%s: os.%s: what a path names goes through package files", s.set.Position(call.Pos()), call.Sel.Name)
			}
			return true
		})
	}
	for _, path := range ownWays {
		if !needed[path] {
			t.Errorf("%s opens nothing: take it off the list", path)
		}
	}
}
