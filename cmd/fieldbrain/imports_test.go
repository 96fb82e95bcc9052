package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/mod/modfile"

	"fieldbrain/testbench/tier"
)

// root is the module's folder as seen from this package.
const root = "../.."

// An arrow lists what a package may import besides the standard library. A name covers what lies below it.
type arrow struct {
	from string
	own  string // of this module, separated by spaces
	libs string // foreign modules
}

// arrows are the law; docs/architecture.md draws their layers. A package that is not listed has no place
// in the house yet; an import that is not listed makes parts depend that should not.
var arrows = []arrow{
	{".", "brain daemon/loop field robot", ""}, // the facade: other people's programs begin with it, and get no bench and no driver (TestRootIsLight)
	{"cmd/fieldbrain", "cmd/fieldbrain/car cmd/fieldbrain/drive cmd/fieldbrain/export cmd/fieldbrain/gamepad cmd/fieldbrain/guardbench cmd/fieldbrain/ladder cmd/fieldbrain/loadbench cmd/fieldbrain/manual cmd/fieldbrain/monitor cmd/fieldbrain/replay cmd/fieldbrain/response cmd/fieldbrain/service cmd/fieldbrain/sweepworkers daemon brain field files robot strict testbench gpu verdict", "github.com/alecthomas/kong github.com/gdamore/tcell github.com/schollz/progressbar golang.org/x/sys golang.org/x/term"},
	{"cmd/fieldbrain/car", ". daemon/config daemon/guard daemon/loop brain field robot testbench gpu", ""},                // knows no command line
	{"cmd/fieldbrain/car/cartest", "cmd/fieldbrain/car cmd/fieldbrain/drive daemon/config brain gpu robot testbench", ""}, // for tests
	{"cmd/fieldbrain/drive", "brain cmd/fieldbrain/car cmd/fieldbrain/replay daemon field robot testbench", ""},           // its page says what a daemon's does
	{"cmd/fieldbrain/export", "brain daemon/recording daemon/telemetry robot testbench/picture testbench/plant testbench/world", ""},
	{"cmd/fieldbrain/gamepad", "daemon", "golang.org/x/sys"},                    // asks the daemon, as any source does
	{"cmd/fieldbrain/guardbench", "daemon robot testbench", "golang.org/x/sys"}, // bench guard: kills daemons
	{"cmd/fieldbrain/ladder", "cmd/fieldbrain/car cmd/fieldbrain/drive daemon/config brain field robot testbench verdict", ""},
	{"cmd/fieldbrain/loadbench", "daemon files robot strict verdict", "github.com/creack/pty golang.org/x/sys"}, // bench latency --crowd: the daemon among others
	{"cmd/fieldbrain/manual", "", "github.com/alecthomas/kong"},
	{"cmd/fieldbrain/monitor", "brain daemon field robot", "github.com/gdamore/tcell golang.org/x/sys golang.org/x/term"}, // reads page and ring, knows no command line
	{"cmd/fieldbrain/replay", ". brain cmd/fieldbrain/car daemon/config daemon/recording field files robot", ""},
	{"cmd/fieldbrain/response", "cmd/fieldbrain/drive daemon/config robot testbench", ""},
	{"cmd/fieldbrain/service", "cmd/fieldbrain/car cmd/fieldbrain/replay daemon brain field gpu robot", ""},
	{"cmd/fieldbrain/sweepworkers", "testbench/noise testbench/sweep", ""},               // the processes of a sweep
	{"cmd/fieldbrain-gpu", "files gpu field testbench/vector", ""},                       // and the simulated cars on its card
	{"cmd/fieldbrain-card", "gpu testbench/family testbench/plant testbench/vector", ""}, // another, for learners on a card
	{"cmd/fieldbrain-env", "testbench/family testbench/plant testbench/vector/env", ""},  // a C library
	{"cmd/fieldbrain-nats", "testbench/sweep/server", ""},
	{"cmd/rename", "", "golang.org/x/mod"}, // make rename
	{"daemon", "daemon/loop daemon/recording daemon/telemetry files brain robot", "github.com/rs/zerolog github.com/coreos/go-systemd golang.org/x/sys"},
	{"daemon/config", "daemon/loop brain field robot strict", "github.com/pelletier/go-toml"},
	{"daemon/forensics", "brain daemon/loop files", "golang.org/x/sys"}, // judges evidence; knows no car and no socket
	{"daemon/guard", "robot", "golang.org/x/sys"},                       // the other end of cmd/fieldbrain-guard, which is C
	{"daemon/loop", "brain field robot", "github.com/HdrHistogram/hdrhistogram-go golang.org/x/sys"},
	{"daemon/recording", "brain field files robot", "github.com/foxglove/mcap github.com/klauspost/compress google.golang.org/protobuf"},
	{"daemon/doctor", "daemon/config daemon/loop files robot", "golang.org/x/sys"},
	{"daemon/telemetry", "brain daemon/loop field robot", "github.com/HdrHistogram/hdrhistogram-go golang.org/x/sys"},                   // knows no socket and no service
	{"daemon/web", "brain brain/ground daemon daemon/config daemon/telemetry field files robot", "github.com/prometheus/client_golang"}, // fieldbrain serve, beside the daemon
	{"daemon/store", "files", ""}, // knows files, not what is in them
	{"brain/memory", "brain field", ""},
	{"brain/freeze", "", ""}, // any value, not a brain's alone
	{"brain", "brain/belief brain/freeze brain/ground brain/line brain/plan brain/progress brain/quality brain/reckoning brain/rollout brain/route brain/stall brain/steer brain/table brain/walls field robot", ""},
	{"brain/belief", "brain/belief/native field/exact field/isa robot/kit", ""},
	{"brain/belief/native", "field/isa", ""},
	{"brain/ground", "field/exact robot/kit", ""},
	{"brain/progress", "", ""},     // places and times, no map and no command
	{"brain/quality", "field", ""}, // durations and rungs, no brain
	{"brain/route", "brain/ground field/exact", ""},
	{"brain/steer", "brain/ground field/exact", ""},
	{"brain/line", "brain/ground field/exact robot", ""},              // the floor bar and the axle's way; no brain
	{"brain/stall", "brain/ground field/exact robot", ""},             // ranges and the axle's way; no brain
	{"brain/table", "brain/ground brain/steer field/exact robot", ""}, // edges, echoes and the axle's way; no brain
	{"brain/walls", "brain/ground field/exact", ""},                   // echoes and the axle's way; no brain
	{"brain/reckoning", "brain/ground field/exact", ""},               // the axle's way; no brain
	{"brain/plan", "brain/belief brain/ground field/exact robot/kit", ""},
	{"brain/plan/bench", "brain/belief brain/ground brain/plan brain/route field verdict", ""},
	{"brain/rollout", "brain/belief brain/ground brain/rollout/native field/exact field/isa robot", ""}, // imagined drives
	{"brain/rollout/native", "field/isa", ""},
	{"brain/rollout/bench", "brain/belief brain/rollout verdict", ""}, // beside Nav2's algorithm
	{"field", "field/exact", "gonum.org/v1/gonum"},
	{"field/ablation", "field field/exact", ""}, // for benches: what the field is worth
	{"field/exact", "", ""},
	{"field/isa", "", "golang.org/x/sys"}, // which vector loops this machine runs
	{"field/exercise", "field field/exact", ""},
	{"field/failover", "field", ""},
	{"field/fieldtest", "field", ""},
	{"field/reference", "field", ""},
	{"field/cpu", "field", "golang.org/x/sys"},
	{"field/cpu/bench", "field verdict", ""},
	{"field/cpu/model", "field", ""},                  // judges NEON on paper
	{"field/cpu/model/report", "field/cpu/model", ""}, // make neon
	{"field/cpu/native", "field", ""},
	{"gpu", "field", "golang.org/x/sys"},
	{"gpu/bench", "gpu field verdict", "gonum.org/v1/gonum"},
	{"gpu/fake", "gpu field brain/belief", "golang.org/x/sys"}, // started by tests in the child's place
	{"gpu/worker", "gpu field", "gorgonia.org/cu golang.org/x/sys"},
	{"gpu/softcuda", "", ""},
	{"gpu/softcuda/run", "gpu/softcuda", ""},
	{"gpu/kernels", "field gpu", ""},
	{"gpu/kernels/header", "", ""},            // go generate
	{"gpu/kernels/report", "gpu/kernels", ""}, // make kernels
	{"robot", "field/exact", "golang.org/x/sys"},
	{"robot/kit", "robot", ""}, // numbers, for drivers and brains alike
	{"robot/safety", "robot field/exact", ""},
	{"robot/picarx", "files strict robot field/exact", "periph.io/x/conn periph.io/x/host github.com/warthog618/go-gpiocdev github.com/pelletier/go-toml golang.org/x/sys"},
	{"verdict", "", "gonum.org/v1/gonum"}, // judges measurements for every bench
	{"strict", "files", "github.com/pelletier/go-toml"},
	{"files", "", "golang.org/x/sys"}, // the one way to files, below everything that names them
	{"testbench", "testbench robot field/exact", "gonum.org/v1/gonum"},
	{"testbench/behave", "brain field robot testbench", ""}, // the suite of brains and worlds: the bench knows no brain, so this package alone lies above both
	{"testbench/figures", "brain field robot testbench", "gonum.org/v1/plot"},
	{"testbench/figures/draw", "files testbench/figures", ""},     // make pictures
	{"testbench/film", "brain field robot testbench/picture", ""}, // above both, as behave
	{"testbench/family", "strict testbench/hat testbench/noise testbench/oracle testbench/plant testbench/scenarios testbench/world field/exact", ""},
	{"testbench/gauge", "testbench/world field/exact", ""},                                      // judges a way by its geometry
	{"testbench/family/draw", "files testbench/family testbench/oracle testbench/picture", ""},  // make pictures
	{"testbench/hat", "testbench/noise robot field/exact", "periph.io/x/conn golang.org/x/sys"}, // answers as an I2C bus does
	{"testbench/hostile", "testbench/noise", ""},                                                // for tests only: files, settings and clients that are wrong
	{"testbench/noise", "field/exact", ""},
	{"testbench/oracle", "testbench/scenarios testbench/world", ""}, // knows the true map: for worlds and their judges
	{"testbench/picture", "testbench", "golang.org/x/image gonum.org/v1/plot"},
	{"testbench/pilots", "testbench robot field/exact", ""}, // nothing of the brain's: they are its rivals
	{"testbench/policy", "files testbench robot", ""},       // a network that drives; knows no fleet and no training
	{"testbench/plant", "testbench/hat testbench/noise testbench/world robot field/exact", ""},
	{"testbench/scenarios", "strict testbench/hat testbench/noise testbench/plant testbench/world robot field/exact", "github.com/pelletier/go-toml"},
	{"testbench/seat", ". testbench", ""}, // above the facade: its brain on the bench
	{"testbench/suite", "testbench testbench/scenarios", "gonum.org/v1/gonum"},
	{"testbench/sweep", "strict testbench verdict", "github.com/pelletier/go-toml"}, // jobs and what they come to; knows no server
	{"testbench/sweep/queue", "files testbench", "github.com/nats-io/nats.go"},
	{"testbench/sweep/server", "files", "github.com/nats-io/nats-server"}, // of cmd/fieldbrain-nats alone
	{"testbench/train", "field/exact files testbench robot verdict", ""},  // policies learn in a fleet, and are examined in the bench
	{"testbench/trials", "testbench verdict", ""},                         // many worlds, many pilots, in pairs
	{"testbench/golden", "", "github.com/google/go-cmp"},                  // for tests only
	{"testbench/heap", "", ""},                                            // for tests only
	{"testbench/tier", "", ""},                                            // for tests only
	{"testbench/tier/report", "testbench/tier", ""},                       // make test
	{"testbench/tune", "files testbench verdict", "gonum.org/v1/gonum"},
	{"testbench/vector", "testbench/vector/native testbench/noise testbench/plant testbench/world robot field/exact field/isa", ""}, // the plant many times over; knows no scenario and no bus
	{"testbench/vector/native", "field/isa", ""},
	{"testbench/vector/bench", "testbench/vector testbench/plant testbench/world", ""},
	{"testbench/vector/card", "gpu testbench/noise testbench/oracle testbench/vector", "gorgonia.org/cu"}, // fleets and environments on a card
	{"testbench/vector/env", "testbench/family testbench/noise testbench/oracle testbench/plant testbench/scenarios testbench/vector testbench/world robot strict field/exact", ""}, // what a learner sees and earns
	{"testbench/vector/env/bench", "testbench/vector/env verdict", "golang.org/x/sys"},                                                                                              // beside C and Python
	{"testbench/world", "field/exact", ""},
	{"testbench/worth", "brain field testbench", ""}, // above both, as behave
}

// proofs are the packages that only tests, and each other, may import: a judge of
// the program must not become part of it.
const proofs = "field/fieldtest field/reference"

// guarded are the parts of the standard library that only some packages may
// use: memory without types, other programs, randomness that no seed repeats,
// and everything that opens a port.
var guarded = map[string]string{
	"unsafe":       "brain/belief brain/freeze cmd/fieldbrain-card cmd/fieldbrain-env cmd/fieldbrain/gamepad cmd/fieldbrain/loadbench daemon/doctor daemon/forensics daemon/guard daemon/telemetry field/cpu gpu robot robot/picarx testbench/vector/card", // system calls, C memory, the shared page
	"os/exec":      "brain/plan/bench field/cpu/bench field/cpu/model/report field/exact gpu/softcuda gpu cmd/fieldbrain cmd/rename testbench/vector/env/bench",                                                                                            // the compiler, for OctoMap and in Fused; a second program to compare with; the child; S6
	"math/rand":    "",
	"math/rand/v2": "cmd/fieldbrain/car/cartest",
	"crypto/rand":  "daemon/web testbench/sweep/server",   // tokens
	"net":          "daemon",                              // the control socket
	"net/http":     "daemon/web cmd/fieldbrain/loadbench", // fieldbrain serve: a process beside the daemon
	"plugin":       "",
}

// covers reports whether one of the names is the package or lies above it.
func covers(names, pkg string) bool {
	return slices.ContainsFunc(strings.Fields(names), func(n string) bool {
		return pkg == n || strings.HasPrefix(pkg, n+"/")
	})
}

// module is this module's path, as go.mod names it: make rename changes it.
var module = sync.OnceValue(func() string {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		panic(err)
	}
	return modfile.ModulePath(text)
})

// inModule returns a package's folder, the facade's being ".", and whether the
// package is of this module at all.
func inModule(imported string) (folder string, ours bool) {
	if imported == module() {
		return ".", true
	}
	return strings.CutPrefix(imported, module()+"/")
}

// permitted says why a package must not import a path, or nothing.
func permitted(from, imported string) string {
	if names, is := guarded[imported]; is && !covers(names, from) {
		return fmt.Sprintf("only these packages may: %q", names)
	}
	own, ours := inModule(imported)
	if !ours && !strings.Contains(strings.Split(imported, "/")[0], ".") {
		return "" // the standard library
	}
	if ours && covers(proofs, own) && !covers(proofs, from) {
		return fmt.Sprintf("only tests may import %q", proofs)
	}
	i := slices.IndexFunc(arrows, func(a arrow) bool { return a.from == from })
	switch {
	case i < 0:
		return "the package is not in the table of arrows"
	case ours && covers(arrows[i].own, own), !ours && covers(arrows[i].libs, imported):
		return ""
	}
	return fmt.Sprintf("its arrows point to %q and %q", arrows[i].own, arrows[i].libs)
}

// A source is one parsed Go file.
type source struct {
	path string // from the root, with slashes
	test bool
	file *ast.File
	set  *token.FileSet
}

// folder returns the package's folder.
func (s source) folder() string { return path.Dir(s.path) }

// at names a place as editors understand it.
func (s source) at(p token.Pos) string {
	return fmt.Sprintf("%s:%d", s.path, s.set.Position(p).Line)
}

// lines returns how many lines a piece of code takes.
func (s source) lines(n ast.Node) int {
	return s.set.Position(n.End()).Line - s.set.Position(n.Pos()).Line + 1
}

// tables returns how many lines of a test are its tables: they are data.
func (s source) tables(f *ast.FuncDecl) int {
	sum := 0
	ast.Inspect(f, func(n ast.Node) bool {
		literal, is := n.(*ast.CompositeLit)
		if is {
			sum += s.lines(literal) - 1
		}
		return !is
	})
	return sum
}

// written calls look for every file that people write, by its path from the
// root.
func written(t *testing.T, look func(path string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, p)
		if d.IsDir() {
			if name != "." && strings.HasPrefix(d.Name(), ".") && d.Name() != ".ci" || name == "bin" || name == "out" || name == "shared" {
				return fs.SkipDir
			}
			return nil
		}
		if d.Type().IsRegular() {
			look(filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// sources parses every Go file of the module, with any build tags.
func sources(t *testing.T) []source {
	t.Helper()
	var list []source
	written(t, func(name string) {
		if !strings.HasSuffix(name, ".go") {
			return
		}
		s := source{path: name, test: strings.HasSuffix(name, "_test.go"), set: token.NewFileSet()}
		var err error
		if s.file, err = parser.ParseFile(s.set, filepath.Join(root, name), nil, parser.ParseComments); err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	})
	if len(list) < 50 {
		t.Fatalf("only %d Go files found", len(list))
	}
	return list
}

func TestImports(t *testing.T) {
	tier.Alone(t, "it looks at files")
	stale := map[string]bool{}
	for _, a := range arrows {
		stale[a.from] = true
	}
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		delete(stale, s.folder())
		for _, i := range s.file.Imports {
			name := strings.Trim(i.Path.Value, `"`)
			if why := permitted(s.folder(), name); why != "" {
				t.Errorf("%s: %s must not import %s: %s", s.at(i.Pos()), s.folder(), name, why)
			}
		}
	}
	for name := range stale {
		t.Errorf("the table of arrows names %s, which has no Go files", name)
	}
}

func TestPermitted(t *testing.T) {
	for _, c := range []struct {
		why, from, imported string
		want                bool
	}{
		{"the brain decides with a field", "brain", "./field/exact", true},
		{"the brain knows no daemon", "brain", "./daemon", false},
		{"the brain knows no driver's libraries", "brain", "periph.io/x/conn/v3/i2c", false},
		{"the robot takes exact functions", "robot", "./field/exact", true},
		{"and nothing else of the field", "robot", "./field", false},
		{"the field knows no robot", "field", "./robot", false},
		{"adapters do not import each other", "robot/picarx", "./testbench/hat", false},
		{"the simulated HAT is what the driver opens", "testbench/hat", "./robot/picarx", true},
		{"the bench knows no brain", "testbench", "./brain", false},
		{"a name is not a prefix of another word", "brain", "./fieldwork", false},
		{"a new package has no arrows", "brainy", "./field", false},
		{"the standard library is free", "brain", "math/bits", true},
		{"unseeded randomness is not", "brain", "math/rand/v2", false},
		{"the oracle judges the engines", "field/cpu", "./field/reference", false},
		{"and is no part of the program", "cmd/fieldbrain", "./field/reference", false},
		{"no package opens a port", "daemon", "net/http", false},
	} {
		imported := c.imported
		if folder, ours := strings.CutPrefix(imported, "./"); ours {
			imported = module() + "/" + folder
		}
		if why := permitted(c.from, imported); (why == "") != c.want {
			t.Errorf("%s: %s imports %s: refused because %q, want allowed %v", c.why, c.from, c.imported, why, c.want)
		}
	}
}

// TestDocumented wants a package comment on every package.
func TestDocumented(t *testing.T) {
	tier.Alone(t, "it looks at files")
	documented := map[string]bool{}
	for _, s := range sources(t) {
		if !s.test {
			documented[s.folder()] = documented[s.folder()] || s.file.Doc != nil
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(documented)) {
		if !documented[folder] {
			t.Errorf("%s has no package comment", folder)
		}
	}
}
