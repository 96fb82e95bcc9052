package cpu

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldbrain/field"
)

// Options choose the implementation of an engine.
type Options struct {
	ISA     string         // "auto" or one of ISAs; a test names each
	Threads int            // 1..16
	Step    field.StepKind // collapsed, or dense
	// OnThread runs first on each worker's thread: the place to raise it to the
	// caller's class. Workers of a lower class make a real-time caller wait for
	// whatever else runs. nil for none.
	OnThread func()
	// Half rounds the field after every step as a graphics card with halves does, to
	// see what that loses; it takes time.
	Half bool
}

// DefaultOptions returns the fastest instruction set here, one thread, the
// collapsed step.
func DefaultOptions() Options { return Options{ISA: "auto", Threads: 1, Step: field.Collapsed} }

// PureGo is the instruction set name of the engine that needs no C compiler.
const PureGo = "purego"

// ErrClosed is returned by Step once the engine was closed; build another.
var ErrClosed = errors.New("cpu: the engine is closed")

// ErrISA is wrapped by New when the machine or the build lacks an instruction
// set; the caller picks another or "auto".
var ErrISA = errors.New("instruction set not available")

// ISAs returns the instruction sets this build can run on this machine, best
// first. The last one is always purego.
func ISAs() []string { return append(nativeISAs(), PureGo) }

// Known returns the instruction set that a name stands for here, "auto"
// resolved, or an error that wraps ErrISA and names what there is.
func Known(name string) (string, error) {
	isas := ISAs()
	if name == "auto" || name == "" {
		return isas[0], nil
	}
	if !slices.Contains(isas, name) {
		return "", fmt.Errorf("cpu: %s: %w; this machine and build have %s", name, ErrISA, strings.Join(isas, ", "))
	}
	return name, nil
}

// Engine steps the field on the processor. It implements field.Engine; one
// goroutine owns it.
type Engine struct {
	params  field.Params
	layout  field.Layout
	isa     string
	prep    *field.Prep
	store   *store
	units   [][]int // see newUnits
	pool    *pool
	backend backend
	quality field.Quality        // of the last step
	driven  [field.Channels]bool // whether the last update of a channel had an input
	half    bool                 // rounds
	timing  bool
	profile Profile
	parts   parts // of the newest step
}

// A backend evolves one unit of channels with the scratch of one worker.
type backend interface {
	evolve(unit, worker int)
	cosines() field.MatchFunc // faster than the plain one, or nil
	loops() field.Loops       // of the preparation
	close()
}

// New builds an engine at its resting state. It returns the parameters'
// complaints, or an error that wraps ErrISA and names what there is.
func New(p field.Params, o Options) (*Engine, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if o.Threads < 1 || o.Threads > 16 {
		return nil, fmt.Errorf("cpu: %d threads, must be 1..16", o.Threads)
	}
	isa, err := Known(o.ISA)
	if err != nil {
		return nil, err
	}
	o.ISA = isa
	e := &Engine{params: p, layout: field.NewPlanesLayout(&p.Table, o.Step), isa: o.ISA, half: o.Half}
	e.units = newUnits(&p.Table, &e.layout)
	if o.ISA == PureGo {
		e.store = newStore(&e.layout, p.PatternCells())
		e.backend = newPureGo(e, o.Threads)
	} else {
		if e.store, e.backend, err = newNative(e, o.ISA, o.Threads); err != nil {
			return nil, err
		}
	}
	e.prep = e.newPrep()
	e.pool = newPool(o.Threads, len(e.units), e.backend.evolve, o.OnThread)
	e.reset()
	return e, nil
}

// newPrep prepares the ticks of an engine at rest.
func (e *Engine) newPrep() *field.Prep {
	q := field.NewPrep(&e.params, &e.layout, e.store.frame, e.store.f)
	q.Recalls(e.store.u, e.store.patterns)
	if match := e.backend.cosines(); match != nil {
		q.Matcher.Cosines = match
	}
	q.Loops = e.backend.loops()
	q.Matcher.Cosines = e.parts.timed(q.Matcher.Cosines)
	return q
}

// reset puts every channel to rest.
func (e *Engine) reset() {
	for c := range e.params.Table {
		s, r := &e.layout.Storage[c], e.params.Table[c].Regime
		for i := s.Offset; i < s.Offset+s.Size(); i++ {
			e.store.u[i] = r.Resting
			e.store.f[i] = r.Kind.Output(r.Resting)
		}
	}
}

// Step runs one tick: the shared preparation, then every channel.
func (e *Engine) Step(in *field.Input) (*field.Output, error) {
	if e.store == nil {
		return nil, ErrClosed
	}
	if !in.Quality.Valid() {
		return nil, fmt.Errorf("cpu: quality %+v: periods must be 1, 2, 4 or 8", in.Quality)
	}
	if in.Quality != e.quality { // other rates: nothing is known to rest
		e.quality = in.Quality
		*e.store.still = [field.Channels]int32{}
	}
	e.parts.begin()
	if e.timing {
		e.timedStep(in)
	} else {
		e.prep.Tick(in)
		e.release()
		began := time.Now()
		e.pool.run()
		e.parts.evolve = time.Since(began)
	}
	if e.half {
		e.halve(in.Tick)
	}
	e.prep.Out.Marginals = *e.store.marginals
	e.prep.Remember(in)
	return &e.prep.Out, nil
}

// release forgets that a channel stood still when what held it there is gone:
// its input of the last update, the body's motion, or, for a trace, a source
// that moved since the trace was last updated.
func (e *Engine) release() {
	f := e.store.frame
	for c := range e.params.Table {
		ch := &e.params.Table[c]
		if k := ch.Regime.Kind; k == field.Memory || k == field.Leaky {
			if e.store.still[ch.Source] == 0 {
				e.store.still[c] = 0
			}
			continue
		}
		driven := drives(f, ch, c)
		if e.driven[c] && !driven {
			e.store.still[c] = 0
		}
		if f.Run[c] != 0 {
			e.driven[c] = driven
		}
	}
}

// drives reports whether anything but the channel itself moves it in this tick: a
// stimulus, the body's motion, a coupling or a recalled pattern.
func drives(f *field.Frame, ch *field.Channel, c int) bool {
	if f.Start[c] != f.Start[c+1] || ch.Egocentric && f.Warp.Active != 0 {
		return true
	}
	for i := range f.NumCouplings {
		if int(f.To[i]) == c && f.Weight[i] != 0 {
			return true
		}
	}
	n := field.LeadOf(c)
	return n >= 0 && f.Leads[n].Rate != 0
}

// Read copies channel c, expanded to [x][y][z], into dst, or another section (see
// field.Section).
func (e *Engine) Read(c field.Section, dst []float32) {
	if c >= field.Channels {
		e.prep.ReadSection(c, dst)
		return
	}
	s := &e.layout.Storage[c]
	s.Expand(dst, e.store.u[s.Offset:][:s.Size()])
}

// Write sets channel c from its expanded form and recomputes its output, or sets
// another section. What cannot have been learned or kept is dropped.
func (e *Engine) Write(c field.Section, src []float32) {
	if c >= field.Channels {
		e.prep.WriteSection(c, src)
		return
	}
	s, kind := &e.layout.Storage[c], e.params.Table[c].Regime.Kind
	u := e.store.u[s.Offset:][:s.Size()]
	s.Collapse(u, src)
	for i, v := range u {
		e.store.f[s.Offset+i] = kind.Output(v)
	}
	if kind == field.Mapping {
		e.writeMap(int(c), src)
	}
	e.store.still[c] = 0
	e.store.marginals[c] = marginal(e.store.f[s.Offset:s.Offset+s.Size()], s)
	e.prep.Out.Marginals[c] = e.store.marginals[c]
}

// writeMap sets the working copy of an egocentric map.
func (e *Engine) writeMap(c int, src []float32) {
	m := &e.store.frame.Maps
	dst := map[int]*[field.Plane]float32{
		field.ObstMap: &m.Obstacle, field.HazardMap: &m.Hazard, field.VisitedMap: &m.Visited,
	}[c]
	for i := range dst {
		dst[i] = src[i*field.Side]
	}
}

// Name says which implementation this is, for logs and telemetry.
func (e *Engine) Name() string {
	name := fmt.Sprintf("cpu/%s/%s/%d", e.isa, e.layout.Step, e.pool.threads)
	if n := field.Reduced(&e.params.Table); n < field.Side {
		name += fmt.Sprintf("/%d planes", n)
	}
	if e.half {
		name += "/halves"
	}
	return name
}

// Prep returns the preparation of the engine's ticks, for whoever moves what its library
// knows of the last seconds (field.Recent).
func (e *Engine) Prep() *field.Prep { return e.prep }

// Layout returns how the engine stores the field.
func (e *Engine) Layout() *field.Layout { return &e.layout }

// Close stops the workers and frees the memory. It is safe to repeat.
func (e *Engine) Close() error {
	if e.backend != nil {
		e.pool.close()
		e.backend.close()
		e.backend = nil
		e.store = nil
	}
	return nil
}
