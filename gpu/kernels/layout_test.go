package kernels

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"fieldbrain/field"
	"fieldbrain/gpu"
)

// asserts collects assertions about the kernels' structs, in C++.
type asserts struct{ strings.Builder }

func (b *asserts) size(name string, n uintptr) {
	fmt.Fprintf(b, "static_assert(sizeof(%s) == %d, \"size\");\n", name, n)
}

func (b *asserts) at(name, member string, n uintptr) {
	fmt.Fprintf(b, "static_assert(offsetof(%s, %s) == %d, \"%s\");\n", name, member, n, member)
}

// TestSharedLayout compiles types.cuh with assertions made from Go's own sizes
// and offsets: what one side writes the other reads at the same place.
func TestSharedLayout(t *testing.T) {
	compiler, err := exec.LookPath("g++")
	if err != nil {
		t.Skip("no g++: the kernels' structs cannot be compared with Go's")
	}
	b := new(asserts)
	b.WriteString("#include <stddef.h>\n#include \"types.cuh\"\n")
	b.constants()
	b.page()
	b.brain()
	source := filepath.Join(t.TempDir(), "layout.cc")
	if err := os.WriteFile(source, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command(compiler, "-std=c++17", "-fsyntax-only", "-I.", source).CombinedOutput(); err != nil {
		t.Errorf("the kernels and Go disagree on a struct:\n%s", text)
	}
}

func (b *asserts) constants() {
	var k field.Constants
	b.size("Constants", unsafe.Sizeof(k))
	b.at("Constants", "line_coef", unsafe.Offsetof(k.LineCoef))
	b.at("Constants", "key", unsafe.Offsetof(k.Key))
	b.at("Constants", "couplings", unsafe.Offsetof(k.Couplings))
	b.at("Constants", "near", unsafe.Offsetof(k.Near))
	b.at("Constants", "max_range", unsafe.Offsetof(k.MaxRange))
	b.at("Constants", "edge_along", unsafe.Offsetof(k.EdgeAlong))
	b.at("Constants", "heading", unsafe.Offsetof(k.Heading))
	b.at("Constants", "far", unsafe.Offsetof(k.Far))
	b.at("Constants", "spread_off", unsafe.Offsetof(k.SpreadOff))
	b.at("Constants", "right30", unsafe.Offsetof(k.Right30))
	b.at("Constants", "between", unsafe.Offsetof(k.Between))
	var s field.Sheet
	b.size("Sheet", unsafe.Sizeof(s))
	b.at("Sheet", "axis", unsafe.Offsetof(s.Axis))
	b.at("Sheet", "pack", unsafe.Offsetof(s.Pack))
	b.at("Sheet", "repeats", unsafe.Offsetof(s.Repeats))
	b.at("Sheet", "every", unsafe.Offsetof(s.Every))
	b.size("Coef", unsafe.Sizeof(field.Coef{}))
	b.size("Coupling", unsafe.Sizeof(field.PlacedCoupling{}))
	b.size("HeadingParams", unsafe.Sizeof(field.HeadingParams{}))
}

func (b *asserts) page() {
	var in field.Input
	b.size("Input", unsafe.Sizeof(in))
	b.at("Input", "turn", unsafe.Offsetof(in.Turn))
	b.at("Input", "terms", unsafe.Offsetof(in.Terms))
	b.at("Input", "num_terms", unsafe.Offsetof(in.NumTerms))
	b.at("Input", "beams", unsafe.Offsetof(in.Beams))
	b.at("Input", "num_beams", unsafe.Offsetof(in.NumBeams))
	b.at("Input", "edges", unsafe.Offsetof(in.Edges))
	b.at("Input", "drive", unsafe.Offsetof(in.Drive))
	b.at("Input", "perception", unsafe.Offsetof(in.Quality)+unsafe.Offsetof(in.Quality.Perception))
	b.at("Input", "traces", unsafe.Offsetof(in.Quality)+unsafe.Offsetof(in.Quality.Traces))
	b.at("Input", "associative", unsafe.Offsetof(in.Quality)+unsafe.Offsetof(in.Quality.Associative))
	var term field.Term
	b.size("Term", unsafe.Sizeof(term))
	b.at("Term", "a", unsafe.Offsetof(term.A))
	b.at("Term", "sigma", unsafe.Offsetof(term.Sigma))
	var d field.Drive
	b.size("Drive", unsafe.Sizeof(d))
	b.at("Drive", "on_line", unsafe.Offsetof(d.OnLine))
	b.at("Drive", "memory", unsafe.Offsetof(d.Memory))
	var out gpu.Answer
	b.size("Answer", unsafe.Sizeof(out))
	b.at("Answer", "obstacle", unsafe.Offsetof(out.Obstacle))
	b.at("Answer", "heading", unsafe.Offsetof(out.Heading))
	b.at("Answer", "stats", unsafe.Offsetof(out.Stats))
	b.size("Stats", unsafe.Sizeof(out.Stats))
	b.size("Beam", unsafe.Sizeof(field.Beam{}))
	b.size("Marginal", unsafe.Sizeof(field.Marginal{}))
}

func (b *asserts) brain() {
	b.size("Work", unsafe.Sizeof(Work{}))
	b.size("Frame", FrameBytes)
	var brain Brain
	b.size("Brain", unsafe.Sizeof(brain))
	b.at("Brain", "moved", unsafe.Offsetof(brain.Moved))
	b.at("Brain", "children", unsafe.Offsetof(brain.Children))
	b.at("Brain", "channel", unsafe.Offsetof(brain.Channel))
	b.at("Brain", "halves", unsafe.Offsetof(brain.Halves))
	b.at("Brain", "moved_channels", unsafe.Offsetof(brain.MovedChannels))
}
