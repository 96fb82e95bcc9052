package field

// Loops are loops of the preparation that an engine may have faster. Each gives the
// bits of the plain one, which stands here or beside what it works on.
type Loops struct {
	Displace DisplaceFunc
	Carry    CarryFunc
	Fade     FadeFunc
	Look     LookFunc
	Learn    LearnFunc
	Expect   ExpectFunc
	Project  ProjectFunc

	gain [NumSenses]float32 // of the newest frame
}

// A DisplaceFunc sets the places and shares of w's plane: sin, cos and near are of
// Constants, forward is in metres, shift in bins of the bearing.
type DisplaceFunc func(w *Warp, tables *[3]Row, forward, shift float32)

// A CarryFunc displaces all three maps by w.
type CarryFunc func(m *Maps, w *Warp)

// A FadeFunc marks the body's own place by the share visit and lets obstacles, hazards
// and places fade by their factors.
type FadeFunc func(m *Maps, visit float32, keep *[3]float32)

// A Glance is what the heading sees in the maps, per bearing.
type Glance struct {
	Blocked Row // O(x), how blocked the bearing is
	Hazard  Row // the nearest edge's weight
	Visited Row // the most visited place between 0.25 and 1.2 m
}

// An Eye weighs the ranges and spreads the bearings of a Glance.
type Eye struct {
	Near, Far, Between  Row        // weights of range y
	SpreadOn, SpreadOff [7]float32 // of a bearing k bins beside
}

// A LookFunc fills g from the maps.
type LookFunc func(m *Maps, e *Eye, g *Glance)

// A LearnFunc moves the rows of the slots whose known is not 0 by gain times r and lets
// them decay.
type LearnFunc func(w *[NumSenses * Regressors]float32, r *[Regressors]float32, gain, known *[NumSenses]float32)

// An ExpectFunc sets hat to the products of w's rows with r, in the order of dot.
type ExpectFunc func(w *[NumSenses * Regressors]float32, r *[Regressors]float32, hat *[NumSenses]float32)

// PlainLoops are the loops in Go.
func PlainLoops() Loops {
	return Loops{Displace: displace, Carry: carry, Fade: fade, Look: look, Learn: learn, Expect: expect, Project: project}
}

func displace(w *Warp, tables *[3]Row, forward, shift float32) {
	sin, cos, near := &tables[0], &tables[1], &tables[2]
	for x := range Side {
		for y := range Side {
			i := x*Side + y
			step := float32(forward * near[y])
			x0 := float32(x) + (shift - float32(step*sin[x]))
			y0 := float32(y) + float32(step*cos[x])
			w.X0[i], w.WX[i] = split(x0)
			w.X0[i] &= Side - 1
			w.Y0[i], w.WY[i] = split(min(max(y0, -1), Side))
		}
	}
}

// carry is Warp.Sample with 0 outside.
func carry(m *Maps, w *Warp) {
	planes := map3(m)
	for i, s := range planes {
		pad(s, &m.old[i])
	}
	for i := range Plane {
		at := int(w.X0[i])*paddedRow + int(w.Y0[i]) + 1
		wx, wy := w.WX[i], w.WY[i]
		for k, s := range planes {
			o := m.old[k][at : at+paddedRow+2]
			near := o[0] + float32(wx*(o[paddedRow]-o[0]))
			far := o[1] + float32(wx*(o[paddedRow+1]-o[1]))
			s[i] = near + float32(wy*(far-near))
		}
	}
}

func fade(m *Maps, visit float32, keep *[3]float32) {
	for x := range Side {
		for y := range BodyBins {
			v := &m.Visited[x*Side+y]
			*v += float32(visit * (1 - *v))
		}
	}
	for k, s := range map3(m) {
		for i, v := range s {
			s[i] = Settle(float32(v * keep[k]))
		}
	}
}

// look takes the nearest obstacle's weight, spread to the neighbours it also blocks.
func look(m *Maps, e *Eye, g *Glance) {
	var on, off Row
	*g = Glance{}
	for x := range Side {
		for y := range Side {
			v := m.Obstacle[x*Side+y]
			on[x] = max(on[x], float32(e.Near[y]*v))
			off[x] = max(off[x], float32(e.Far[y]*v))
			g.Hazard[x] = max(g.Hazard[x], float32(e.Far[y]*m.Hazard[x*Side+y]))
			g.Visited[x] = max(g.Visited[x], float32(e.Between[y]*m.Visited[x*Side+y]))
		}
	}
	for x := range Side {
		for k := -6; k <= 6; k++ {
			from, d := (x+k)&(Side-1), max(k, -k)
			g.Blocked[x] = max(g.Blocked[x], float32(e.SpreadOn[d]*on[from]), float32(e.SpreadOff[d]*off[from]))
		}
	}
}

func learn(w *[NumSenses * Regressors]float32, r *[Regressors]float32, gain, known *[NumSenses]float32) {
	for i, g := range gain {
		if known[i] == 0 {
			continue
		}
		row := w[i*Regressors:][:Regressors]
		for j, v := range row {
			row[j] = v + float32(g*r[j]) - float32(Forgotten*v)
		}
	}
}

func expect(w *[NumSenses * Regressors]float32, r *[Regressors]float32, hat *[NumSenses]float32) {
	for i := range hat {
		hat[i] = dot((*[Regressors]float32)(w[i*Regressors:]), r)
	}
}
