package field_test

import (
	"strings"
	"testing"

	"fieldbrain/field"
)

// layouts are all three of a table.
func layouts(table *[field.Channels]field.Channel) map[string]field.Layout {
	return map[string]field.Layout{
		"collapsed": field.NewLayout(table, field.Collapsed),
		"dense":     field.NewLayout(table, field.Dense),
		"planes":    field.NewPlanesLayout(table, field.Dense),
	}
}

// TestLayoutReachesEveryCell: every cell of every channel has one place, places
// of different channels or of different distinct cells never coincide, and none
// is left over.
func TestLayoutReachesEveryCell(t *testing.T) {
	table := field.PiCarX()
	for i, m := range []field.Mask{field.Uniform, field.X, field.Y, field.Z, field.XY, field.XZ, field.Y | field.Z, field.XYZ} {
		table[i].Mask = m
	}
	for name, l := range layouts(&table) {
		t.Run(name, func(t *testing.T) {
			step := l.Step
			owner := make([]int, l.Cells) // 1 + channel * Cells + key of the cell
			for c := range table {
				s := &l.Storage[c]
				if s.Offset%16 != 0 {
					t.Errorf("channel %d starts at cell %d, not on a 64-byte boundary", c, s.Offset)
				}
				if s.Size() != s.Repeats*table[c].Mask.Cells() {
					t.Errorf("channel %d: %d cells for %d distinct ones repeated %d times", c, s.Size(), table[c].Mask.Cells(), s.Repeats)
				}
				seen := 0
				for x := range field.Side {
					for y := range field.Side {
						for z := range field.Side {
							at := [3]int{x, y, z}
							for axis := range at { // a uniform axis has coordinate 0 in a collapsed channel
								if step == field.Collapsed && table[c].Mask>>axis&1 == 0 {
									at[axis] = 0
								}
							}
							name := 1 + c*field.Cells + (at[0]*field.Side+at[1])*field.Side + at[2]
							i := s.Index(x, y, z)
							if i < s.Offset || i >= s.Offset+s.Size() {
								t.Fatalf("channel %d: cell (%d,%d,%d) at %d is outside", c, x, y, z, i)
							}
							if owner[i] != 0 && owner[i] != name {
								t.Fatalf("channel %d: cell (%d,%d,%d) at %d is taken", c, x, y, z, i)
							}
							if owner[i] == 0 {
								owner[i] = name
								seen++
							}
						}
					}
				}
				want := s.Size()
				if step == field.Collapsed {
					want = table[c].Mask.Cells() // a row of a channel without axes is filled up to 32
				}
				if seen != want {
					t.Errorf("channel %d: %d places reached, want %d", c, seen, want)
				}
			}
			if step == field.Dense && l.Cells != field.Channels*field.Cells {
				t.Errorf("%d cells, want %d", l.Cells, field.Channels*field.Cells)
			}
		})
	}
}

// TestLayoutKeys: a cell's number for the noise has its uniform coordinates at
// 0, in both steps.
func TestLayoutKeys(t *testing.T) {
	table := field.PiCarX()
	for step, l := range layouts(&table) {
		for c := range table {
			s, want := &l.Storage[c], [3]int{}
			for axis, stride := range [3]int{field.Plane, field.Side, 1} {
				if table[c].Mask>>axis&1 == 1 {
					want[axis] = stride
				}
			}
			var got [3]int
			for slot, axis := range s.Axis {
				for i, m := range []field.Mask{field.X, field.Y, field.Z} {
					if axis == m {
						got[i] = s.Key[slot]
					}
				}
			}
			if got != want {
				t.Errorf("%v, channel %d %v: keys %v, want %v", step, c, table[c].Mask, got, want)
			}
		}
	}
}

// TestPlanesLayout: what the interaction needs of a channel that is localised on one or two axes
// lies in one plane; all others are as elsewhere, and a trace lies as its source does.
func TestPlanesLayout(t *testing.T) {
	table := field.PiCarX()
	l, elsewhere := field.NewPlanesLayout(&table, field.Dense), field.NewLayout(&table, field.Dense)
	for c := range table {
		ch, s := &table[c], l.Storage[c]
		source := c
		if k := ch.Regime.Kind; k == field.Memory || k == field.Leaky {
			source = ch.Source
		}
		if other := l.Storage[source]; s.Axis != other.Axis {
			t.Errorf("channel %d has loops %v, its source %v", c, s.Axis, other.Axis)
		}
		if n := ch.Mask.Axes(); n == 0 || n == 3 || table[source].Egocentric {
			if s != elsewhere.Storage[c] {
				t.Errorf("channel %d: %+v, want it as elsewhere", c, s)
			}
		} else if s.Local != [3]bool{false, true, n == 2} || s.Axis[1]&ch.Mask == 0 {
			t.Errorf("channel %d %v: loops %v, localised %v", c, ch.Mask, s.Axis, s.Local)
		}
	}
	table[field.Heading].Egocentric = true
	if l, other := field.NewPlanesLayout(&table, field.Dense), field.NewLayout(&table, field.Dense); l.Storage[field.Heading] != other.Storage[field.Heading] {
		t.Errorf("displaced: %+v", l.Storage[field.Heading])
	}
	if field.NewPlanesLayout(&table, field.Collapsed) != field.NewLayout(&table, field.Collapsed) {
		t.Error("collapsed, both are one")
	}
}

// TestChannelTable checks the table of B.5.2: names, shapes and the numbers the
// tick uses.
func TestChannelTable(t *testing.T) {
	table := field.PiCarX()
	seen := map[string]bool{}
	for c, ch := range table {
		if ch.Name == "" || seen[ch.Name] {
			t.Errorf("channel %d has no name of its own: %q", c, ch.Name)
		}
		seen[ch.Name] = true
		if c >= field.FirstTrace && c < field.ObstMap && (ch.Regime.Kind != field.Memory || ch.Source != c-field.FirstTrace) {
			t.Errorf("channel %d %s does not trace channel %d", c, ch.Name, c-field.FirstTrace)
		}
	}
	for c, name := range map[int]string{
		field.RangeSeen: "RANGE", field.Ground: "GROUND", field.Line: "LINE", field.CliffEdge: "CLIFF",
		field.Light: "LIGHT", field.TargetSeen: "TARGET", field.Steer: "STEER", field.SpeedOwn: "SPEED_OWN",
		field.GazeOwn: "GAZE_OWN", field.Body: "BODY", field.Contact: "CONTACT", field.ObstMap: "OBST_MAP",
		field.GoalMem: "GOAL_MEM", field.LineMem: "LINE_MEM", field.HazardMap: "HAZARD_MAP", field.VisitedMap: "VISITED",
		field.HeadPref: "HEAD_PREF", field.PlanHead: "PLAN_HEAD", field.Heading: "HEADING", field.Speed: "SPEED",
		field.Gaze: "GAZE", field.Novelty: "NOVELTY", field.EscapeSide: "ESC_SIDE", field.Mode: "CRUISE",
	} {
		if table[c].Name != name {
			t.Errorf("channel %d is %s, want %s", c, table[c].Name, name)
		}
	}
	if h := table[field.Heading]; h.Mask != field.X || h.Regime != field.HYS1() || h.Noise != 0.25 || h.Egocentric {
		t.Errorf("HEADING is %+v", h)
	}
}

// TestQuality: only the periods 1, 2, 4, 8 are valid, and each part of the
// table follows its own.
func TestQuality(t *testing.T) {
	if !field.Full().Valid() {
		t.Error("full quality is not valid")
	}
	for _, n := range []int{-1, 0, 3, 5, 16} {
		for _, q := range []field.Quality{
			{Perception: n, Traces: 1, Associative: 1},
			{Perception: 1, Traces: n, Associative: 1},
			{Perception: 1, Traces: 1, Associative: n},
		} {
			if q.Valid() {
				t.Errorf("%+v is valid", q)
			}
		}
	}
	for _, q := range []field.Quality{{Match: 3}, {Match: -1}, {Recall: 2}, {Recall: -1}, {Recall: 4}} {
		if q.Perception, q.Traces, q.Associative = 1, 1, 1; q.Valid() {
			t.Errorf("%+v is valid", q)
		}
	}
	q := field.Quality{Perception: 2, Traces: 8, Associative: 4}
	for c, want := range map[int]int{0: 2, 15: 2, 16: 8, 31: 8, 32: 1, 44: 1, 45: 4, 47: 4, 48: 1, 50: 1, 51: 4, 52: 1, 58: 1, 59: 4, 63: 4} {
		if got := q.Every(c); got != want {
			t.Errorf("channel %d every %d ticks, want %d", c, got, want)
		}
	}
}

// TestTurns: at full quality nothing but the traces waits, all in the same tick
// of four; below, every channel runs once per period, and no tick runs all
// channels of a part.
func TestTurns(t *testing.T) {
	for tick := range uint64(16) {
		for c := range field.Channels {
			trace := c >= field.FirstTrace && c < field.ObstMap
			if want := !trace || tick%4 == 0; field.Full().Due(c, tick) != want {
				t.Errorf("full quality, tick %d: channel %d due %v, want %v", tick, c, !want, want)
			}
		}
	}
	for n, most := range map[int][3]int{2: {8, 8, 6}, 4: {4, 8, 4}, 8: {2, 8, 2}} {
		q := field.Quality{Perception: n, Traces: 8, Associative: n}
		runs, got := [field.Channels]int{}, [3]int{}
		for tick := range uint64(8) {
			now := [3]int{}
			for c := range field.Channels {
				if !q.Due(c, tick) {
					continue
				}
				runs[c]++
				switch {
				case c < field.FirstTrace:
					now[0]++
				case c < field.ObstMap:
					now[1]++
				case q.Every(c) > 1:
					now[2]++
				}
			}
			for part := range got {
				got[part] = max(got[part], now[part])
			}
		}
		for c, ran := range runs {
			if want := 8 / q.Every(c); ran != want {
				t.Errorf("period %d: channel %d ran %d times in 8 ticks, want %d", n, c, ran, want)
			}
		}
		if got != most {
			t.Errorf("period %d: at most %v channels of perception, traces and associative in a tick, want %v", n, got, most)
		}
	}
}

// TestInputAdd: Add drops a term with NaN, without a channel or without room.
func TestInputAdd(t *testing.T) {
	var in field.Input
	zero := float32(0)
	for _, term := range []field.Term{
		{Channel: -1},
		{Channel: field.Channels},
		{A: 1 / zero},
		{A: zero / zero},
		{Centre: [3]float32{zero / zero}},
		{Sigma: [3]float32{0, 0, 1 / zero}},
	} {
		if in.Add(term) || in.NumTerms != 0 {
			t.Errorf("%+v accepted", term)
		}
	}
	for i := range field.MaxTerms {
		if !in.Add(field.At(3, 1, 16, 2)) {
			t.Fatalf("term %d refused", i)
		}
	}
	if in.Add(field.At(3, 1, 16, 2)) || in.NumTerms != field.MaxTerms {
		t.Errorf("%d terms accepted", in.NumTerms)
	}
}

// TestHash tells a field from one that differs in one bit of one cell.
func TestHash(t *testing.T) {
	a, b := newRig(t, field.Default()), newRig(t, field.Default())
	if x, y := field.Hash(a), field.Hash(b); x != y {
		t.Errorf("equal fields hash to %016x and %016x", x, y)
	}
	u := b.activation(45)
	u[12345] = 1e-38
	b.Write(45, u)
	if field.Hash(a) == field.Hash(b) {
		t.Error("a changed cell keeps the hash")
	}
	if !strings.HasPrefix(a.Name(), "cpu/") {
		t.Errorf("engine %q", a.Name())
	}
}

// The expanded form holds every cell where Index says it is stored, and Collapse
// gives the stored cells back.
func TestExpandAndCollapse(t *testing.T) {
	table := field.PiCarX()
	dst := make([]float32, field.Cells)
	for step, layout := range layouts(&table) {
		for c := range table {
			s := &layout.Storage[c]
			cells := make([]float32, s.Size())
			for a := range s.Extent[0] {
				for b := range s.Extent[1] {
					for r := range field.Side {
						cells[(a*s.Extent[1]+b)*field.Side+r] = float32(a*s.Key[0] + b*s.Key[1] + r*s.Key[2])
					}
				}
			}
			s.Expand(dst, cells)
			for i, v := range dst {
				x, y, z := i/field.Plane, i/field.Side%field.Side, i%field.Side
				if want := cells[s.Index(x, y, z)-s.Offset]; v != want {
					t.Fatalf("%s channel %d cell %d %d %d: %v, want %v", step, c, x, y, z, v, want)
				}
			}
			back := make([]float32, len(cells))
			s.Collapse(back, dst)
			for i := range back {
				if back[i] != cells[i] {
					t.Fatalf("%s channel %d: stored cell %d is %v, was %v", step, c, i, back[i], cells[i])
				}
			}
		}
	}
}
