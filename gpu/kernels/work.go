package kernels

import (
	"cmp"
	"fmt"
	"slices"

	"fieldbrain/field"
)

// A Work item is the share of one block in the evolve pass: part `Part` of as many
// as Parts says, of a channel's planes, or of its rows where Columns is 1.
type Work struct {
	Channel, Part, Parts, Columns int32
}

// share splits the channels into blocks of as many planes. Where the cells of a
// channel interact along loop A alone, around the circle of bearings, a block has
// all planes of as many columns instead: then nothing is computed twice.
func (q *Program) share(p *field.Params, planes int) {
	for c := range p.Table {
		kind := p.Table[c].Regime.Kind
		if kind == field.Memory || kind == field.Leaky {
			continue // in the block of the channel it follows
		}
		s := &q.Layout.Storage[c]
		w := Work{Channel: int32(c), Parts: 1}
		if s.Extent[0] > 1 {
			w.Parts = int32(field.Side / planes)
		}
		if kind == field.Amari && s.Local == [3]bool{true} && s.Axis[0] == field.X && s.Extent[1] == field.Side {
			w.Columns = 1
		}
		for w.Part = range w.Parts {
			q.Work = append(q.Work, w)
		}
	}
}

// order puts the longest shares first, so that the last blocks to start are the short
// ones. Where every block can start at once and some processors get two, those two are
// short: cards give each processor one block before any gets its second.
func (q *Program) order(processors int) {
	slices.SortStableFunc(q.Work, func(a, b Work) int { return cmp.Compare(q.Length(b), q.Length(a)) })
	n := len(q.Work)
	seconds := n - processors
	if processors <= 0 || seconds <= 0 || seconds > processors {
		return
	}
	alone, paired := q.Work[:n-2*seconds], q.Work[n-2*seconds:]
	last := slices.Clone(paired[seconds:])
	slices.Reverse(last)
	q.Work = slices.Concat(paired[:seconds], alone, last)
}

// A Cost is how many instructions a warp issues per row of 32 cells in each phase of
// the evolve pass.
type Cost struct {
	Across, AcrossWide     float64 // sums along loop A, outputs included; Wide: of both kernels
	Second, SecondWide     float64 // along loop B; Wide: of the wide kernel alone
	Third, ThirdWide       float64 // along loop R, likewise
	Column, ColumnWide     float64 // sums of a block that has whole columns, outputs included
	Fill                   float64 // outputs into the tiles, where loop A is not local
	Update, ColumnUpdate   float64
	Linear, Trace, Display float64
	Trail                  float64 // of the first trace that follows, which advances with the update
	Share                  float64 // of a block, per warp: what it is to do, and its sums in the end
}

// typical costs are near enough to put blocks in an order.
var typical = Cost{
	Across: 27, AcrossWide: 50, Second: 12, SecondWide: 19, Third: 13, ThirdWide: 19, Column: 22, ColumnWide: 45, Fill: 15,
	Update: 75, ColumnUpdate: 65, Linear: 60, Trace: 42, Trail: 36, Display: 30, Share: 300,
}

// Instructions returns how many instructions the block of a work item issues at these
// costs, traces that follow included.
func (q *Program) Instructions(w Work, c *Cost) float64 {
	const warps = evolveThreads / field.Side
	s := &q.Layout.Storage[w.Channel]
	rows := float64(s.Size()) / float64(field.Side*int(w.Parts))
	sum := q.lateral(w, c) + q.update(w, c)
	for n, t := range q.Children[maxChildren*w.Channel:][:maxChildren] {
		switch {
		case t < 0:
		case n == 0 && !q.Half: // halves are rounded by chance before the trace reads them
			sum += c.Trail
		default:
			sum += c.Trace
		}
	}
	return rows*sum + warps*c.Share
}

// Length returns how long the block of a work item lasts, for comparisons: where kernels
// overlap, behind the preparation.
func (q *Program) Length(w Work) float64 { return q.Instructions(w, &typical) - q.Early(w, &typical) }

// Early returns how many of these come before the preparation has to have ended, where
// the two overlap: the lateral sums, which of the preparation need displaced activations
// at most, and these are there soon.
func (q *Program) Early(w Work, c *Cost) float64 {
	if !q.Overlap {
		return 0
	}
	s := &q.Layout.Storage[w.Channel]
	return float64(s.Size()) / float64(field.Side*int(w.Parts)) * q.lateral(w, c)
}

// update returns the instructions of a channel itself per row of cells, but for the
// lateral sums.
func (q *Program) update(w Work, c *Cost) float64 {
	switch kind := field.Kind(q.Constants.Channels[w.Channel].Kind); {
	case kind == field.Mapping:
		return c.Display
	case kind != field.Amari:
		return c.Linear
	case w.Columns != 0:
		return c.ColumnUpdate
	}
	return c.Update
}

// lateral returns the instructions of the lateral sums per row of cells.
func (q *Program) lateral(w Work, c *Cost) float64 {
	placed := &q.Constants.Channels[w.Channel]
	wide := q.Constants.Coef[0][w.Channel].Inhibit != 0
	pick := func(narrow, both float64) float64 {
		if wide {
			return both
		}
		return narrow
	}
	switch {
	case field.Kind(placed.Kind) != field.Amari:
		return 0
	case w.Columns != 0:
		return pick(c.Column, c.ColumnWide)
	}
	sum := c.Fill
	if placed.Local[0] != 0 {
		sum = pick(c.Across, c.AcrossWide)
	}
	if placed.Local[1] != 0 {
		sum += pick(c.Second, c.Second+c.SecondWide)
	}
	if placed.Local[2] != 0 {
		sum += pick(c.Third, c.Third+c.ThirdWide)
	}
	return sum
}

// Describe says what a block of one of a tick's kernels works on; p has the channels'
// names.
func (q *Program) Describe(p *field.Params, kernel, block int) string {
	name := func(c int32) string { return p.Table[c].Name }
	switch kernel {
	case 0:
		t := q.Tasks[block]
		of := ""
		switch t.Kind {
		case taskProfiles:
			of = fmt.Sprintf(" axis %d", t.Of)
		case taskCouple:
			k := q.Constants.Couplings[t.Of]
			of = fmt.Sprintf(" %s to %s", name(k.From), name(k.To))
		case taskDisplace:
			of = " " + name(t.Of)
		case taskCarry:
			of = fmt.Sprintf(" %d", t.Of)
		}
		return fmt.Sprintf("%s%s %d/%d", [...]string{"input", "maps", "terms", "profiles", "couple", "displace", "carry"}[t.Kind], of, t.Part+1, t.Parts)
	case 1:
		w := q.Work[block]
		return fmt.Sprintf("%s %d/%d", name(w.Channel), w.Part+1, w.Parts)
	}
	return ""
}
