package kernels

import (
	"fmt"
	"math"
	"strings"

	"fieldbrain/field"
)

// A Prediction is the time of a dense tick on a card by arithmetic: all
// channels and traces run, the body moves, 77 stimuli, 5 beams, no new frame of the
// senses, as in `bench gpu`.
type Prediction struct {
	Silicon             Silicon
	Planes              int // of a block of the evolve pass
	Prep, Evolve, Motor float64
	Gaps                float64 // between them; where kernels overlap there is none
	Cycle               float64 // us, like all before
	Blocks              int     // of the evolve pass
	Tasks               int     // blocks of the preparation
	Longest             string  // channel of the longest block
	Instructions        float64 // of the longest block, all its warps
	Path                int     // bytes of code that it passes
}

// Stimuli of the tick that is predicted, and how often a step of a profile is taken
// beside the one that the report counts.
const (
	stimuli    = 77
	walkAround = field.Side/2 - 1
	walkAlong  = field.Side - 2
	warps      = prepThreads / field.Side
	motorWarps = field.Plane / field.Side
)

// Counted by hand: the code of a displaced cell, whose addresses no probe shows, and
// the part of a block's setting-up that every one of its warps goes through.
const (
	displaceCode = 170
	shareOfWarp  = 0.5
)

// Predict returns the prediction for one card.
func (r *Report) Predict(s *Silicon) (Prediction, error) {
	p := field.Default()
	q, err := NewProgram(&p, field.Dense, false, s.Card)
	if err != nil {
		return Prediction{}, err
	}
	c := r.costs(s.Arch, q.Planes)
	out := Prediction{Silicon: *s, Planes: q.Planes, Blocks: len(q.Work), Tasks: len(q.Tasks)}
	var loads []load
	for _, w := range q.Work {
		n := q.Instructions(w, &c)
		early := q.Early(w, &c)
		loads = append(loads, load{early, n - early, 4 * cachePath})
		if n > out.Instructions {
			out.Instructions, out.Longest, out.Path = n, p.Table[w.Channel].Name, r.path(s.Arch, q, w)
		}
	}
	us := func(cycles float64) float64 { return cycles / s.Clock / 1e3 }
	resident := min(2, s.Resident/(q.Tick[1].Shared+reserve+1<<10))
	prep := makespan(r.tasks(s, q), s.Card.Processors, 1, 0)
	out.Prep, out.Gaps = us(prep), 2*s.Gap
	if q.Overlap { // the blocks begin at once, where the preparation leaves room for them
		out.Evolve, out.Gaps = us(makespan(loads, s.Card.Processors, resident, prep)-prep), 0
	} else {
		out.Evolve = us(makespan(loads, s.Card.Processors, resident, 0))
	}
	if s.Bandwidth > 0 { // both bind, and hide only part of each other
		out.Evolve = math.Hypot(out.Evolve, float64(q.Bytes())/(reachedBandwidth*s.Bandwidth*1e3))
	}
	settle := r.phase(s.Arch, "settle")
	out.Motor = us(5*cachePath+motorWarps*float64(settle.Instructions)/issueAlone) + s.Fence
	out.Cycle = out.Prep + out.Evolve + out.Motor + out.Gaps
	return out, nil
}

// costs are those of an architecture.
func (r *Report) costs(arch string, planes int) Cost {
	of := func(name string) float64 { return r.phase(arch, name).PerRow }
	tile := func(name string) float64 { return of(fmt.Sprintf("%s, %d planes", name, planes)) }
	column := func(name string) float64 { return of(fmt.Sprintf("%s, %d planes", name, 2*planes)) }
	return Cost{
		Across: tile("first axis"), AcrossWide: tile("first axis, both kernels"),
		Second: of("second axis"), SecondWide: of("second axis, wide"),
		Third: of("third axis"), ThirdWide: of("third axis, wide"),
		Column: column("column"), ColumnWide: column("column, both kernels"),
		Fill: of("outputs"), Update: of("update"), ColumnUpdate: of("column update"),
		Linear: of("linear update"), Trace: of("trace"), Trail: of("update with a trace") - of("update"), Display: of("map"), Share: shareOfWarp * of("share"),
	}
}

// path returns the bytes of the code that the block of a work item passes: each
// phase's once.
func (r *Report) path(arch string, q *Program, w Work) int {
	var all Cost
	for _, f := range []struct {
		to   *float64
		name string
	}{
		{&all.Across, "first axis, %d planes"},
		{&all.AcrossWide, "first axis, both kernels, %d planes"},
		{&all.Second, "second axis"},
		{&all.SecondWide, "second axis, wide"},
		{&all.Third, "third axis"},
		{&all.ThirdWide, "third axis, wide"},
		{&all.Column, "column, %d planes"},
		{&all.ColumnWide, "column, both kernels, %d planes"},
		{&all.Fill, "outputs"},
		{&all.Update, "update"},
		{&all.ColumnUpdate, "column update"},
		{&all.Linear, "linear update"},
		{&all.Display, "map"},
	} {
		name := f.name
		if strings.Contains(name, "%d") {
			planes := q.Planes
			if strings.HasPrefix(name, "column") {
				planes *= 2
			}
			name = fmt.Sprintf(name, planes)
		}
		*f.to = float64(r.phase(arch, name).Instructions)
	}
	sum := q.lateral(w, &all) + q.update(w, &all) + float64(r.phase(arch, "share").Instructions)
	if q.Children[maxChildren*w.Channel] >= 0 {
		sum += float64(r.phase(arch, "update with a trace").Instructions - r.phase(arch, "update").Instructions)
	}
	return int(sum) * bytesOfInstruction
}

const bytesOfInstruction = 16

// tasks are the blocks of the preparation as loads: instructions of all warps, and
// what one waits for: the page, the cache, and chains of doubles, which one warp does.
func (r *Report) tasks(s *Silicon, q *Program) []load {
	of := func(name string) (plain, doubles float64) {
		p := r.phase(s.Arch, name)
		return float64(p.Instructions - p.Doubles), float64(p.Doubles)
	}
	_, walk := of("step of a profile")
	profile, doubles := of("task profiles")
	page, double := 1e3*s.Page*s.Clock, s.Double
	var list []load
	for _, t := range q.Tasks {
		var l load
		switch t.Kind {
		case taskMaps:
			n, d := of("task maps")
			l = load{0, warps * max(n-profile, 0), page + 6*cachePath + profile + double*(d+walkAlong*walk)}
		case taskTerms:
			n, d := of("task terms")
			const sorting = 2 * 6 * stimuli // instructions of a warp in loops over all stimuli
			l = load{0, warps * sorting, page + 6*cachePath + n + double*d}
		case taskProfiles:
			if field.Side*t.Part < stimuli && t.Of < 2 { // hardly any stimulus has a place along Z
				l = load{0, profile, page + 2*cachePath + double*(doubles+walkAlong*walk)}
				if t.Of == 0 {
					l.wait -= double * (walkAlong - walkAround) * walk
				}
			} else {
				l = load{0, profile, page + 2*cachePath}
			}
		case taskCouple:
			n, _ := of("task couple")
			more := r.rounds(q, t) - 1 // of the loop that is a third of the task
			l = load{0, warps * n * (1 + more/3), (5 + more) * cachePath}
		case taskDisplace:
			l = load{0, warps * displaceCode, page + 4*cachePath}
		default:
			l = load{0, warps, 3 * cachePath}
		}
		list = append(list, l)
	}
	return list
}

// rounds is how many cells of its source a thread of a coupling takes.
func (r *Report) rounds(q *Program, t Task) float64 {
	from := q.Constants.Couplings[t.Of].From
	return math.Ceil(float64(q.Layout.Storage[from].Mask.Cells()) / float64(t.Parts*prepThreads))
}

// phase returns one phase, or an empty one.
func (r *Report) phase(arch, name string) PhaseReport {
	for _, p := range r.Phases {
		if p.Arch == arch && p.Phase == name {
			return p
		}
	}
	return PhaseReport{}
}

// predictions renders the predicted tick of every card.
func (r *Report) predictions(b *strings.Builder) {
	fmt.Fprintf(b, "\n## Predicted dense tick\n\n")
	fmt.Fprintf(b, "**Arithmetic on the instructions below, no measurement.** The command that measures it is `gpu/measure/run.sh`. ")
	fmt.Fprintf(b, "All channels and traces run, the body moves, %d stimuli, 5 beams, no new frame of the senses. ", stimuli)
	fmt.Fprintf(b, "The model (`gpu/kernels/silicon.go`, `predict.go`) takes %.1f instructions per cycle of a multiprocessor with one block of the evolve pass and %.1f with two, ", issueAlone, issueTwo)
	fmt.Fprintf(b, "%.0f %% of the memory's rate, and where memory and issue both bind the root of their squares' sum. ", 100*reachedBandwidth)
	fmt.Fprintf(b, "Where kernels overlap (H200) lateral sums begin with the preparation. It leaves out the fetching of instructions, from which the one card that was measured waits most, and clocks that are not pinned: on an H100, which differs from an H200 in its memory alone, the tick took 33 us on 2026-11-27 (gpu.md); expect no less of the others.\n\n")
	fmt.Fprintf(b, "| card | planes | blocks prep, evolve, motor | longest evolve block | its warp instructions | code on its path, kB | prep, us | evolve, us | motor, us | tick, us |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, s := range Cards() {
		p, err := r.Predict(&s)
		if err != nil {
			fmt.Fprintf(b, "| %s | %v |\n", s.Name, err)
			continue
		}
		fmt.Fprintf(b, "| %s | %d | %d, %d, 1 | %s | %.0f k | %.1f | %.1f | %.1f | %.1f | **%.0f** |\n",
			s.Name, p.Planes, p.Tasks, p.Blocks, p.Longest, p.Instructions/1e3, float64(p.Path)/1e3, p.Prep, p.Evolve, p.Motor, p.Cycle)
	}
}
