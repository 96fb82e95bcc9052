//go:build cgo && !cuda && linux && (amd64 || arm64)

package belief

import (
	"fieldbrain/brain/belief/native"
	"fieldbrain/field/isa"
)

func nativeISAs() []string { return isa.Names() }

// vectors runs the loops in C++.
type vectors struct{ isa native.ISA }

func newNative(name string) caster {
	set, ok := isa.Find(name)
	if !ok {
		return nil
	}
	return vectors{native.Of(set)}
}

func (v vectors) fan(b *Belief, seen *Seen, f *Fan) {
	job := native.Fan{
		At: b.from.at, Part: b.from.part, Cell: b.from.cell, First: int32(f.First),
		Row: int32(f.Row), Count: int32(f.Count), Stride: int32(f.Stride),
	}
	var overlay []uint32
	if seen != nil {
		overlay = seen[:]
	}
	v.isa.Fan(native.Grid{Odds: b.odds[:], Seen: overlay, Directions: b.dirs[0][0][:], Classes: &classes}, &job, &f.Gain)
	f.Visits += job.Visits
}

func (v vectors) scan(b *Belief, s *Scan) {
	job := native.Scan{At: b.from.at, Part: b.from.part, Cell: b.from.cell, First: int32(s.First), Rows: s.rows}
	v.isa.Scan(b.mark[:], b.dirs[0][0][:], &job, native.Rays{Free: s.free[0][:], End: s.end[0][:], Echo: s.echo[0][:]}, &b.hits)
}

func (v vectors) apply(b *Belief) { v.isa.Apply(b.odds[:cells], b.mark[:cells], &weights) }
