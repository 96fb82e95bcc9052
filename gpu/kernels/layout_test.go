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
	b.WriteString("#include <stddef.h>\n#include \"types.cuh\"\n#include \"planner.cuh\"\n")
	b.constants()
	b.page()
	b.senses()
	b.library()
	b.brain()
	b.planner()
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
	b.at("Constants", "predict", unsafe.Offsetof(k.Predict))
	b.at("Constants", "spots", unsafe.Offsetof(k.Spots))
	b.at("Constants", "recall", unsafe.Offsetof(k.Recall))
	b.size("RecallRates", unsafe.Sizeof(k.Recall))
	b.at("RecallRates", "context_every", unsafe.Offsetof(k.Recall.ContextEvery))
	b.at("RecallRates", "first", unsafe.Offsetof(k.Recall.First))
	b.size("Spot", unsafe.Sizeof(field.Spot{}))
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
	b.at("Input", "senses", unsafe.Offsetof(in.Senses))
	b.at("Input", "perception", unsafe.Offsetof(in.Quality)+unsafe.Offsetof(in.Quality.Perception))
	b.at("Input", "traces", unsafe.Offsetof(in.Quality)+unsafe.Offsetof(in.Quality.Traces))
	b.at("Input", "associative", unsafe.Offsetof(in.Quality)+unsafe.Offsetof(in.Quality.Associative))
	b.at("Input", "recall", unsafe.Offsetof(in.Quality)+unsafe.Offsetof(in.Quality.Recall))
	b.at("Input", "outcome", unsafe.Offsetof(in.Outcome))
	var term field.Term
	b.size("Term", unsafe.Sizeof(term))
	b.at("Term", "a", unsafe.Offsetof(term.A))
	b.at("Term", "sigma", unsafe.Offsetof(term.Sigma))
	b.at("Term", "of", unsafe.Offsetof(term.Of))
	var d field.Drive
	b.size("Drive", unsafe.Sizeof(d))
	b.at("Drive", "on_line", unsafe.Offsetof(d.OnLine))
	b.at("Drive", "memory", unsafe.Offsetof(d.Memory))
	var out gpu.Answer
	b.size("Answer", unsafe.Sizeof(out))
	b.at("Answer", "obstacle", unsafe.Offsetof(out.Obstacle))
	b.at("Answer", "heading", unsafe.Offsetof(out.Heading))
	b.at("Answer", "prediction", unsafe.Offsetof(out.Prediction))
	b.at("Answer", "recall", unsafe.Offsetof(out.Recall))
	b.at("Answer", "stats", unsafe.Offsetof(out.Stats))
	b.size("Stats", unsafe.Sizeof(out.Stats))
	b.size("Beam", unsafe.Sizeof(field.Beam{}))
	b.size("Marginal", unsafe.Sizeof(field.Marginal{}))
}

// senses compares what is sensed and learned: both sides also see that as one row
// of numbers.
func (b *asserts) senses() {
	var s field.Senses
	b.size("Senses", unsafe.Sizeof(s))
	b.at("Senses", "valid", unsafe.Offsetof(s.Valid))
	b.at("Senses", "frame", unsafe.Offsetof(s.Frame))
	var p field.Predictor
	b.size("Predictor", unsafe.Sizeof(p))
	b.size("Predictor", 4*field.LearnedCells)
	b.at("Predictor", "r", unsafe.Offsetof(p.R))
	b.at("Predictor", "z", unsafe.Offsetof(p.Z))
	b.at("Predictor", "s", unsafe.Offsetof(p.S))
	b.at("Predictor", "hat", unsafe.Offsetof(p.Hat))
	b.at("Predictor", "usual", unsafe.Offsetof(p.Usual))
	b.at("Predictor", "v2", unsafe.Offsetof(p.V2))
	b.at("Predictor", "boost", unsafe.Offsetof(p.Boost))
	b.at("Predictor", "result", unsafe.Offsetof(p.Result))
	var r field.Prediction
	b.size("Prediction", unsafe.Sizeof(r))
	b.at("Prediction", "error", unsafe.Offsetof(r.Error))
	b.at("Prediction", "novelty", unsafe.Offsetof(r.Novelty))
	b.at("Prediction", "confidence", unsafe.Offsetof(r.Confidence))
	b.at("Prediction", "trust", unsafe.Offsetof(r.Trust))
}

// library compares what is remembered: what of it moves is one row of numbers.
func (b *asserts) library() {
	var l field.Library
	b.size("Library", unsafe.Sizeof(l))
	b.at("Library", "slot", 4*field.RecalledCells)
	b.at("Library", "slot", unsafe.Offsetof(l.Slot))
	b.at("Library", "score", unsafe.Offsetof(l.Score))
	b.at("Library", "kept", unsafe.Offsetof(l.Kept))
	b.at("Library", "mean", unsafe.Offsetof(l.Mean))
	b.at("Library", "seen", unsafe.Offsetof(l.Count))
	b.at("Library", "best", unsafe.Offsetof(l.Best))
	b.at("Library", "shelf", unsafe.Offsetof(l.Shelf))
	b.at("Library", "slot_kept", unsafe.Offsetof(l.SlotKept))
	b.at("Library", "order", unsafe.Offsetof(l.Order))
	b.size("Recall", unsafe.Sizeof(l.Best))
	b.at("Recall", "gate", unsafe.Offsetof(l.Best.Gate))
	b.size("Order", unsafe.Sizeof(l.Order))
	b.at("Order", "share", unsafe.Offsetof(l.Order.Share))
	b.size("Lead", unsafe.Sizeof(field.Lead{}))
}

func (b *asserts) brain() {
	b.size("Work", unsafe.Sizeof(Work{}))
	b.size("Frame", FrameBytes)
	var brain Brain
	b.size("Brain", unsafe.Sizeof(brain))
	b.at("Brain", "predictor", unsafe.Offsetof(brain.Predictor))
	b.at("Brain", "library", unsafe.Offsetof(brain.Library))
	b.at("Brain", "moved", unsafe.Offsetof(brain.Moved))
	b.at("Brain", "children", unsafe.Offsetof(brain.Children))
	b.at("Brain", "channel", unsafe.Offsetof(brain.Channel))
	b.at("Brain", "halves", unsafe.Offsetof(brain.Halves))
	b.at("Brain", "moved_channels", unsafe.Offsetof(brain.MovedChannels))
}

func (b *asserts) planner() {
	var job gpu.PlanJob
	b.size("PlanJob", unsafe.Sizeof(job))
	b.at("PlanJob", "fans", unsafe.Offsetof(job.Fans))
	b.at("PlanJob", "motion", unsafe.Offsetof(job.Motion))
	b.at("PlanJob", "scan", unsafe.Offsetof(job.Scan))
	b.at("PlanJob", "seen", unsafe.Offsetof(job.Seen))
	b.at("PlanJob", "grid", unsafe.Offsetof(job.Grid))
	var fan gpu.PlanFan
	b.size("Fan", unsafe.Sizeof(fan))
	b.at("Fan", "first", unsafe.Offsetof(fan.First))
	b.at("Fan", "stride", unsafe.Offsetof(fan.Stride))
	var m gpu.PlanMotion
	b.size("Motion", unsafe.Sizeof(m))
	b.at("Motion", "cos", unsafe.Offsetof(m.Cos))
	b.at("Motion", "angles", unsafe.Offsetof(m.Angles))
	var s gpu.PlanScan
	b.size("Scan", unsafe.Sizeof(s))
	b.at("Scan", "rows", unsafe.Offsetof(s.Rows))
	b.at("Scan", "end", unsafe.Offsetof(s.End))
	b.at("Scan", "echo", unsafe.Offsetof(s.Echo))
	var a gpu.PlanAnswer
	b.size("PlanAnswer", unsafe.Sizeof(a))
	b.at("PlanAnswer", "paths", unsafe.Offsetof(a.Paths))
	b.at("PlanAnswer", "grid", unsafe.Offsetof(a.Grid))
	var g gpu.PlanGain
	b.size("Gain", unsafe.Sizeof(g))
	b.at("Gain", "total", unsafe.Offsetof(g.Total))
	b.at("Gain", "gain", unsafe.Offsetof(g.Gain))
	b.size("Paths", unsafe.Sizeof(a.Paths))
	b.at("Paths", "end", unsafe.Offsetof(a.Paths.End))
	b.size("Rays", unsafe.Sizeof(Rays{}))
	b.at("Rays", "entries", unsafe.Offsetof(Rays{}.Entries))
	b.size("Belief", BeliefBytes)
	b.at("Belief", "odds", BeliefGrid)
	var p Planner
	b.size("Planner", PlannerBytes)
	b.at("Planner", "answer", unsafe.Offsetof(p.Answer))
	b.at("Planner", "belief", unsafe.Offsetof(p.Belief))
	b.at("Planner", "sequence", unsafe.Sizeof(p))
}
