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

// TestSharedLayout compiles types.cuh with assertions made from Go's own sizes
// and offsets: what one side writes the other reads at the same place.
func TestSharedLayout(t *testing.T) {
	compiler, err := exec.LookPath("g++")
	if err != nil {
		t.Skip("no g++: the kernels' structs cannot be compared with Go's")
	}
	var b strings.Builder
	b.WriteString("#include <stddef.h>\n#include \"types.cuh\"\n")
	size := func(name string, n uintptr) { fmt.Fprintf(&b, "static_assert(sizeof(%s) == %d, \"size\");\n", name, n) }
	at := func(name, member string, n uintptr) {
		fmt.Fprintf(&b, "static_assert(offsetof(%s, %s) == %d, \"%s\");\n", name, member, n, member)
	}
	var k field.Constants
	size("Constants", unsafe.Sizeof(k))
	at("Constants", "line_coef", unsafe.Offsetof(k.LineCoef))
	at("Constants", "key", unsafe.Offsetof(k.Key))
	at("Constants", "couplings", unsafe.Offsetof(k.Couplings))
	at("Constants", "near", unsafe.Offsetof(k.Near))
	at("Constants", "max_range", unsafe.Offsetof(k.MaxRange))
	at("Constants", "edge_along", unsafe.Offsetof(k.EdgeAlong))
	at("Constants", "heading", unsafe.Offsetof(k.Heading))
	at("Constants", "far", unsafe.Offsetof(k.Far))
	at("Constants", "spread_off", unsafe.Offsetof(k.SpreadOff))
	at("Constants", "right30", unsafe.Offsetof(k.Right30))
	at("Constants", "between", unsafe.Offsetof(k.Between))
	at("Constants", "predict", unsafe.Offsetof(k.Predict))
	at("Constants", "spots", unsafe.Offsetof(k.Spots))
	size("Spot", unsafe.Sizeof(field.Spot{}))
	var s field.Sheet
	size("Sheet", unsafe.Sizeof(s))
	at("Sheet", "axis", unsafe.Offsetof(s.Axis))
	at("Sheet", "pack", unsafe.Offsetof(s.Pack))
	at("Sheet", "repeats", unsafe.Offsetof(s.Repeats))
	at("Sheet", "every", unsafe.Offsetof(s.Every))
	var in field.Input
	size("Input", unsafe.Sizeof(in))
	at("Input", "turn", unsafe.Offsetof(in.Turn))
	at("Input", "terms", unsafe.Offsetof(in.Terms))
	at("Input", "num_terms", unsafe.Offsetof(in.NumTerms))
	at("Input", "beams", unsafe.Offsetof(in.Beams))
	at("Input", "num_beams", unsafe.Offsetof(in.NumBeams))
	at("Input", "edges", unsafe.Offsetof(in.Edges))
	at("Input", "drive", unsafe.Offsetof(in.Drive))
	at("Input", "senses", unsafe.Offsetof(in.Senses))
	at("Input", "perception", unsafe.Offsetof(in.Quality)+unsafe.Offsetof(in.Quality.Perception))
	at("Input", "traces", unsafe.Offsetof(in.Quality)+unsafe.Offsetof(in.Quality.Traces))
	at("Input", "associative", unsafe.Offsetof(in.Quality)+unsafe.Offsetof(in.Quality.Associative))
	var term field.Term
	size("Term", unsafe.Sizeof(term))
	at("Term", "a", unsafe.Offsetof(term.A))
	at("Term", "sigma", unsafe.Offsetof(term.Sigma))
	at("Term", "of", unsafe.Offsetof(term.Of))
	var senses field.Senses
	size("Senses", unsafe.Sizeof(senses))
	at("Senses", "valid", unsafe.Offsetof(senses.Valid))
	at("Senses", "frame", unsafe.Offsetof(senses.Frame))
	layoutOfPredictor(size, at)
	var d field.Drive
	size("Drive", unsafe.Sizeof(d))
	at("Drive", "on_line", unsafe.Offsetof(d.OnLine))
	at("Drive", "memory", unsafe.Offsetof(d.Memory))
	var out gpu.Answer
	size("Answer", unsafe.Sizeof(out))
	at("Answer", "obstacle", unsafe.Offsetof(out.Obstacle))
	at("Answer", "heading", unsafe.Offsetof(out.Heading))
	at("Answer", "prediction", unsafe.Offsetof(out.Prediction))
	at("Answer", "stats", unsafe.Offsetof(out.Stats))
	size("Stats", unsafe.Sizeof(out.Stats))
	size("Coef", unsafe.Sizeof(field.Coef{}))
	size("Coupling", unsafe.Sizeof(field.PlacedCoupling{}))
	size("HeadingParams", unsafe.Sizeof(field.HeadingParams{}))
	size("Beam", unsafe.Sizeof(field.Beam{}))
	size("Marginal", unsafe.Sizeof(field.Marginal{}))
	size("Work", unsafe.Sizeof(Work{}))
	size("Frame", FrameBytes)
	var brain Brain
	size("Brain", unsafe.Sizeof(brain))
	at("Brain", "predictor", unsafe.Offsetof(brain.Predictor))
	at("Brain", "moved", unsafe.Offsetof(brain.Moved))
	at("Brain", "children", unsafe.Offsetof(brain.Children))
	at("Brain", "channel", unsafe.Offsetof(brain.Channel))
	at("Brain", "halves", unsafe.Offsetof(brain.Halves))
	at("Brain", "moved_channels", unsafe.Offsetof(brain.MovedChannels))
	source := filepath.Join(t.TempDir(), "layout.cc")
	if err := os.WriteFile(source, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command(compiler, "-std=c++17", "-fsyntax-only", "-I.", source).CombinedOutput(); err != nil {
		t.Errorf("the kernels and Go disagree on a struct:\n%s", text)
	}
}

// layoutOfPredictor compares what is learned: both sides also see it as one row
// of numbers.
func layoutOfPredictor(size func(string, uintptr), at func(string, string, uintptr)) {
	var p field.Predictor
	size("Predictor", unsafe.Sizeof(p))
	size("Predictor", 4*field.LearnedCells)
	at("Predictor", "r", unsafe.Offsetof(p.R))
	at("Predictor", "z", unsafe.Offsetof(p.Z))
	at("Predictor", "s", unsafe.Offsetof(p.S))
	at("Predictor", "hat", unsafe.Offsetof(p.Hat))
	at("Predictor", "usual", unsafe.Offsetof(p.Usual))
	at("Predictor", "v2", unsafe.Offsetof(p.V2))
	at("Predictor", "boost", unsafe.Offsetof(p.Boost))
	at("Predictor", "result", unsafe.Offsetof(p.Result))
	var r field.Prediction
	size("Prediction", unsafe.Sizeof(r))
	at("Prediction", "error", unsafe.Offsetof(r.Error))
	at("Prediction", "novelty", unsafe.Offsetof(r.Novelty))
	at("Prediction", "confidence", unsafe.Offsetof(r.Confidence))
	at("Prediction", "trust", unsafe.Offsetof(r.Trust))
}
