package field

import "slices"

// A Prep is the part of a tick that every engine shares and runs before the
// evolve pass (K1 of specification B.5): displacement, maps, heading input, input
// terms and couplings, written into a Frame the engine reads.
type Prep struct {
	Frame *Frame // belongs to the engine, which may place it in C memory
	Out   Output // the engine hands it back

	params  Params
	layout  *Layout
	outputs []uint16 // the engine's outputs in Q15, in the layout's order
	rates
	predictor Predictor
	glance    Glance

	// What the last tick drew.
	sketches   [MaxRows][3]sketch
	echoes     [MaxBeams]echo
	goal, line drawing

	Loops       Loops // the plain ones until the engine has faster ones
	projections [MaxCouplings]Projection
	alike       [MaxCouplings]int // the first coupling of the same source and projection

	// Patterns. Matcher has the plain cosines until the engine has faster ones.
	Matcher     Matcher
	library     Library
	activations []float32
	patterns    []float32
}

// NewPrep prepares ticks for valid params. The frame and the outputs belong to
// the engine and must live as long as it does.
func NewPrep(p *Params, layout *Layout, frame *Frame, outputs []uint16) *Prep {
	q := &Prep{
		Frame: frame, params: *p, layout: layout, outputs: outputs,
		rates: newRates(p),
	}
	q.Matcher.Cosines, q.Loops = Cosines, PlainLoops()
	q.library.Reset(&q.recall.First)
	q.Out.Recall = q.library.Best
	q.params.Couplings = append([]Coupling(nil), p.Couplings...)
	for i, k := range p.Couplings {
		q.projections[i] = projection(&layout.Storage[k.From], p.Table[k.To].Mask)
		q.alike[i] = slices.IndexFunc(p.Couplings, func(o Coupling) bool {
			return o.From == k.From && p.Table[o.To].Mask == p.Table[k.To].Mask
		})
	}
	q.Out.Obstacle = &frame.Maps.Obstacle
	return q
}

// Recalls gives the preparation what patterns are made of: the engine's
// activations in the layout's order, and the memory of PatternCells. Engines call
// it before the first tick.
func (q *Prep) Recalls(activations, patterns []float32) {
	q.activations, q.patterns = activations, patterns
}

// Tick fills the frame for one step. Prediction stands between the maps and the
// heading input: it reads the new frame of the senses and shapes the terms. The
// patterns that the last tick recalled lead the preferences.
func (q *Prep) Tick(in *Input) {
	f := q.Frame
	f.TickKey = TickKey(in.Tick, q.params.Key)
	for c := range f.Coef {
		every := q.params.Every(c, in.Quality)
		f.Run[c] = 0
		if q.params.Due(c, in) {
			f.Run[c] = 1
		}
		f.Coef[c] = q.coefs.At(c, every, in.Drive.OnLine)
	}
	q.recollect()
	f.Warp.set(&q.warp, in.Forward, in.Turn, q.Loops.Displace)
	f.Maps.update(&f.Warp, &q.maps, in, &q.Loops, &q.echoes)
	q.without(&f.Maps)
	q.predictor.frame(&q.params.Learn, &in.Senses, &q.Loops)
	q.Out.Prediction = q.predictor.Result
	drawn := wishes{Drive: in.Drive.bounded(), goal: &q.goal, line: &q.line}
	q.preference(&drawn.pref)
	q.outputRow(PlanHead, &drawn.plan)
	q.Loops.Look(&f.Maps, &q.heading.eye, &q.glance)
	q.heading.input(&q.params.Heading, &q.glance, &drawn, &q.Out)
	q.terms(in)
	q.couplings()
}

// recollect carries out the library's order and lets the newest match lead.
func (q *Prep) recollect() {
	if q.recall.Match == 0 {
		return
	}
	if q.library.Order.Kind != OrderNone {
		q.carry()
	}
	q.Out.Recall = q.library.Best
	q.library.leads(&q.Frame.Coef, &q.recall.First, &q.Frame.Leads)
	if q.recall.Context != 0 {
		q.predictor.Z = q.library.Z
	}
}

// Every returns the update period of channel c in ticks. An egocentric channel
// follows every tick's motion, whatever the quality.
func (p *Params) Every(c int, q Quality) int {
	if p.Table[c].Egocentric {
		return 1
	}
	return q.Every(c)
}

// Due reports whether the tick updates channel c.
func (p *Params) Due(c int, in *Input) bool {
	return p.Table[c].Egocentric || in.Quality.Due(c, in.Tick)
}

// without empties the maps that no channel shows: they must not steer.
func (q *Prep) without(m *Maps) {
	for c, plane := range map3(m) {
		if q.params.Table[mapChannels[c]].Regime.Kind != Mapping {
			*plane = [Plane]float32{}
		}
	}
}

// mapChannels are the channels that show the maps, in the order of map3.
var mapChannels = [3]int{ObstMap, HazardMap, VisitedMap}

func map3(m *Maps) [3]*[Plane]float32 {
	return [3]*[Plane]float32{&m.Obstacle, &m.Hazard, &m.Visited}
}

// preference reads HEAD_PREF. Where patterns lead it, the activation counts and not
// the output, because a punished way has to repel. Without a library the channel
// gives its output, as any other.
func (q *Prep) preference(row *Row) {
	if q.recall.Match == 0 {
		q.outputRow(HeadPref, row)
		return
	}
	s := &q.layout.Storage[HeadPref]
	for x := range row {
		row[x] = min(max(q.activations[s.Index(x, 0, 0)], -1), 1)
	}
}

// outputRow reads the output of a channel localised on X alone.
func (q *Prep) outputRow(c int, row *Row) {
	s := &q.layout.Storage[c]
	for x := range row {
		row[x] = float32(q.outputs[s.Index(x, 0, 0)]) * (1.0 / One)
	}
}

// terms sorts the stimuli by channel, keeping their order, and draws their
// profiles. The heading input is the last term of its channel.
func (q *Prep) terms(in *Input) {
	f := q.Frame
	var count [Channels + 1]int32
	for i := range in.Terms[:in.NumTerms] {
		count[in.Terms[i].Channel]++
	}
	count[Heading]++
	for i := range q.spots[:q.places] {
		if q.predictor.Result.Novelty[q.spots[i].Slot] != 0 {
			count[Novelty]++
		}
	}
	f.Start[0] = 0
	for c := range Channels {
		f.Start[c+1] = f.Start[c] + count[c]
		count[c] = f.Start[c]
	}
	for i := range in.Terms[:in.NumTerms] {
		t := &in.Terms[i]
		f.Index[count[t.Channel]] = int32(i)
		count[t.Channel]++
		f.Amp[i] = t.A
		if t.Of != 0 {
			f.Amp[i] = float32(t.A * (1 + q.predictor.Boost[t.Of-1]))
		}
		q.profiles(i, t)
	}
	f.Index[count[Heading]] = MaxTerms
	f.Amp[MaxTerms] = 1
	f.Rows[MaxTerms][0] = q.Out.Heading
	q.sketches[MaxTerms][1].draw(&f.Rows[MaxTerms][1], 0, 0, false)
	q.sketches[MaxTerms][2].draw(&f.Rows[MaxTerms][2], 0, 0, false)
	q.surprises(count[Novelty])
}

// profiles draws row i of the frame.
func (q *Prep) profiles(i int, t *Term) {
	ch := &q.params.Table[t.Channel]
	for axis := range 3 {
		centre, sigma := float64(t.Centre[axis]), float64(t.Sigma[axis])
		if ch.Mask>>axis&1 == 0 || sigma == 0 {
			centre, sigma = 0, 0
		}
		thick := 1
		if axis == 2 {
			thick = ch.Thick()
		}
		q.sketches[i][axis].drawThick(&q.Frame.Rows[i][axis], centre, sigma, axis == 0, thick)
	}
}

// surprises enters each surprise into NOVELTY at its place, from place `at` of the
// frame's index on.
func (q *Prep) surprises(at int32) {
	for n := range q.spots[:q.places] {
		s := &q.spots[n]
		amplitude := q.predictor.Result.Novelty[s.Slot]
		if amplitude == 0 {
			continue
		}
		i := MaxTerms + 1 + n
		t := s.term(q.predictor.S[s.Slot], amplitude)
		q.Frame.Index[at], q.Frame.Amp[i] = int32(i), t.A
		at++
		q.profiles(i, &t)
	}
}

// couplings projects the sources' outputs of the last tick onto their targets.
func (q *Prep) couplings() {
	f := q.Frame
	f.NumCouplings = int32(len(q.params.Couplings))
	for i, k := range q.params.Couplings {
		f.To[i], f.Weight[i] = int32(k.To), 0
		if q.Out.Marginals[k.From].Total != 0 {
			f.Weight[i] = k.Weight
			if first := q.alike[i]; first < i {
				f.Proj[i] = f.Proj[first]
				continue
			}
			q.Loops.Project(&f.Proj[i], q.outputs[q.layout.Storage[k.From].Offset:], &q.projections[i])
		}
	}
}
