package cpu

import "fieldbrain/field"

// A store is the memory of one engine: the field, its outputs and what one
// tick reads. It lives in Go memory or, for the native engines, in C memory.
type store struct {
	u         []float32                       // activations in the layout's order
	f         []uint16                        // outputs in Q15, same order
	frame     *field.Frame                    // what the tick reads
	marginals *[field.Channels]field.Marginal // of the outputs
	still     *[field.Channels]int32          // 1: the last update changed no bit
	patterns  []float32                       // patterns and episodes, see field.Params.PatternCells
}

func newStore(l *field.Layout, patterns int) *store {
	return &store{
		patterns: make([]float32, patterns),
		u:        make([]float32, l.Cells), f: make([]uint16, l.Cells), frame: new(field.Frame),
		marginals: new([field.Channels]field.Marginal), still: new([field.Channels]int32),
	}
}

// newUnits splits the channels into units that do not depend on each other
// within a tick: a channel with the traces that follow it, most work first.
func newUnits(table *[field.Channels]field.Channel, l *field.Layout) (units [][]int) {
	cost := make([]int, 0, field.Channels)
	for c := range table {
		if k := table[c].Regime.Kind; k == field.Memory || k == field.Leaky {
			continue
		}
		unit, work := []int{c}, l.Storage[c].Size()*(2+4*table[c].Mask.Axes())
		for t := range table {
			if k := table[t].Regime.Kind; (k == field.Memory || k == field.Leaky) && table[t].Source == c {
				unit = append(unit, t)
				work += l.Storage[t].Size()
			}
		}
		i := 0
		for i < len(cost) && cost[i] >= work {
			i++
		}
		cost = append(cost[:i], append([]int{work}, cost[i:]...)...)
		units = append(units[:i], append([][]int{unit}, units[i:]...)...)
	}
	return units
}

// marginal sums a channel's outputs over all axes but one, per distinct cell, planes
// of several bins once for each of them.
// It is the plain loop that every engine's fused sums are judged against.
func marginal(f []uint16, s *field.Storage) field.Marginal {
	var m field.Marginal
	axis := func(k field.Mask) *[field.Side]int32 {
		switch k {
		case field.X:
			return &m.X
		case field.Y:
			return &m.Y
		}
		return &m.Z
	}
	total, i := int64(0), 0
	var sums [3][field.Side]int64
	for a := range s.Extent[0] {
		for b := range s.Extent[1] {
			for r := range field.Side {
				v := int64(f[i])
				i++
				total += v
				sums[0][a] += v
				sums[1][b] += v
				sums[2][r] += v
			}
		}
	}
	if s.Thick > 1 {
		total *= int64(s.Thick)
		for i := range field.Side { // a plane for each of its bins; rows and columns cross all
			m.Z[i] = int32(sums[0][i/s.Thick])
			m.X[i], m.Y[i] = int32(sums[1][i]*int64(s.Thick)), int32(sums[2][i]*int64(s.Thick))
		}
		m.Total = int32(total)
		return m
	}
	for loop := range 3 {
		if s.Local[loop] {
			for i, v := range sums[loop] {
				axis(s.Axis[loop])[i] = int32(v / int64(s.Repeats))
			}
		}
	}
	m.Total = int32(total / int64(s.Repeats))
	return m
}
