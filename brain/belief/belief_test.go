package belief

import (
	"math"
	"testing"

	"fieldbrain/field"
)

func create(t testing.TB, isa string) *Belief {
	t.Helper()
	b, err := New(isa)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// dice is a counter-based random source.
type dice uint32

func (d *dice) below(n int) int {
	*d++
	return int(field.Mix(uint32(*d)) % uint32(n))
}

// litter fills the inside with random log-odds, of which a share per thousand is
// likely occupied, and the rest free or, up to x = unknown, not known.
func litter(b *Belief, d *dice, occupied, unknown int) {
	for x := 1; x <= Side; x++ {
		for y := 1; y <= Side; y++ {
			for z := 1; z <= Side; z++ {
				v := -d.below(Limit) - 1
				if x <= unknown {
					v = 0
				}
				if d.below(1000) < occupied {
					v = d.below(Limit) + 1
				}
				b.odds[index(x, y, z)] = int8(v)
			}
		}
	}
}

func place(d *dice) Place {
	part := func(n int) float32 { return float32(d.below(n)) / 1000 }
	return Place{part(4000) - 2, part(4000) - 2, part(500)}
}

// TestEnginesAgree casts random fans over random grids, with and without an
// overlay, and inserts random scans: every instruction set must leave the same
// gains, visits and grid as pure Go.
func TestEnginesAgree(t *testing.T) {
	if len(ISAs()) == 1 {
		t.Skip("no native instruction set in this build: nothing to compare with pure Go")
	}
	for _, isa := range ISAs()[:len(ISAs())-1] {
		d := dice(7)
		want, have := create(t, PureGo), create(t, isa)
		for round := range 40 {
			litter(want, &d, 20*(round%3), 11*(round%4))
			have.odds = want.odds
			var seen *Seen
			if round%2 == 1 {
				seen = new(Seen)
				want.See(place(&d), float64(d.below(6)), 2, seen)
			}
			from := place(&d)
			a := Fan{First: d.below(Azimuths), Row: d.below(4), Count: Rows, Stride: 1 << (round % 4)}
			b := a
			want.Cast(from, seen, &a)
			have.Cast(from, seen, &b)
			if a != b || a.Visits == 0 {
				t.Fatalf("%s, round %d: fan differs: %d cells against %d", isa, round, b.Visits, a.Visits)
			}
			s := Scan{First: d.below(Azimuths)}
			for range 500 {
				s.Put(d.below(Rows), d.below(Columns), float32(d.below(3000))/1000, uint8(d.below(4)))
			}
			other := s
			want.Insert(from, &s)
			have.Insert(from, &other)
			if want.odds != have.odds || want.mark != have.mark {
				t.Fatalf("%s, round %d: the grid differs after a scan", isa, round)
			}
		}
	}
}

// exactGain is the same sum in float64, cell by cell along the exact line.
func exactGain(b *Belief, from Place, row, azimuth int) float64 {
	up, a := Elevation(row), (float64(azimuth)+0.5)*Turn
	n := [3]float64{math.Cos(up) * math.Cos(a), math.Cos(up) * math.Sin(a), math.Sin(up)}
	p := [3]float64{
		float64(from.X)/Cell - float64(b.west) + 1, float64(from.Y)/Cell - float64(b.south) + 1, float64(from.Z)/Cell + Body,
	}
	gain, reach := 0.0, 1.0
	for reach >= 1.0/128 {
		v := b.odds[index(int(p[0]), int(p[1]), int(p[2]))]
		if v == border {
			break
		}
		prob := Probability(8*int(class(v)) - 128)
		gain += reach * Entropy(prob)
		reach *= 1 - prob
		step := math.Inf(1)
		for i := range n {
			to := math.Floor(p[i]) + 1
			if n[i] < 0 {
				to = math.Ceil(p[i]) - 1
			}
			step = min(step, (to-p[i])/n[i])
		}
		for i := range n {
			p[i] += n[i] * (step + 1e-9)
		}
	}
	return gain
}

// TestGain holds the integer rays against float64 ones: a ray that grazes an
// edge may see another cell, the mean of a fan must not notice.
func TestGain(t *testing.T) {
	b, d := create(t, PureGo), dice(3)
	for round := range 6 {
		litter(b, &d, 20, 8*round)
		from := place(&d)
		f := Fan{First: d.below(Azimuths), Count: Rows, Stride: 1}
		b.Cast(from, nil, &f)
		have, want, far := 0.0, 0.0, 0
		for c := range Columns {
			sum := 0.0
			for row := range Rows {
				sum += exactGain(b, from, row, f.First+c)
			}
			have, want = have+float64(f.Gain[c])/One, want+sum
			if math.Abs(float64(f.Gain[c])/One-sum) > 0.02*sum+0.05 {
				far++
			}
		}
		if math.Abs(have-want) > 2e-3*want || far > Columns/20 {
			t.Errorf("round %d: %.4f bits, float64 has %.4f; %d of %d azimuths are off", round, have, want, far, Columns)
		}
	}
}

func TestEntropy(t *testing.T) {
	list := entries()
	if list[0] != 0 {
		t.Errorf("the border has entry %x, want none", list[0])
	}
	if list[class(0)]>>16 != One || list[class(0)]&0xffff != (One+1)/2 {
		t.Errorf("unknown has entry %x, want one bit and an even chance to pass", list[class(0)])
	}
	for c := 2; c < 32; c++ {
		if list[c]&0xffff >= list[c-1]&0xffff {
			t.Errorf("class %d is passed with %d, not less than the class below", c, list[c]&0xffff)
		}
	}
	if class(border) != 0 || class(-Limit) != 1 || class(Limit) != 31 {
		t.Errorf("classes of border and limits are %d, %d, %d", class(border), class(-Limit), class(Limit))
	}
}

// TestFollow scrolls about: what stays inside keeps its place in the world, what
// comes in is unknown, the border stands.
func TestFollow(t *testing.T) {
	b, d := create(t, PureGo), dice(5)
	for range 50 {
		x, y := float32(d.below(4000))/1000-2, float32(d.below(4000))/1000-2
		b.Set(x, y, Body, 77)
		to, up := x+float32(d.below(5))-2, y+float32(d.below(5))-2
		b.Follow(to, up)
		_, _, inside := b.column(x, y)
		if got := b.Odds(x, y, Body); inside && got != 77 || !inside && got != 0 {
			t.Fatalf("after following to (%.2f, %.2f) the cell at (%.2f, %.2f) is %d, inside %v", to, up, x, y, got, inside)
		}
		b.Clear()
	}
	b.Follow(float32(math.NaN()), 1)
	b.Follow(30, -12)
	for x := range Padded {
		for y := range Padded {
			if b.odds[index(x, y, 0)] != border || (edge(x) || edge(y)) != (b.odds[index(x, y, 5)] == border) {
				t.Fatalf("border broken at column %d, row %d", x, y)
			}
		}
	}
}

func TestForget(t *testing.T) {
	b := create(t, PureGo)
	b.Set(0, 0, Body, 3)
	b.Set(0, 0, Floor, -2)
	for range 2 * Side {
		b.Forget()
	}
	if b.Odds(0, 0, Body) != 1 || b.Odds(0, 0, Floor) != 0 {
		t.Errorf("after two rounds 3 and -2 are %d and %d, want 1 and 0", b.Odds(0, 0, Body), b.Odds(0, 0, Floor))
	}
	for range 4 * Side {
		b.Forget()
	}
	if b.Odds(0, 0, Body) != 0 {
		t.Errorf("forgotten beyond unknown: %d", b.Odds(0, 0, Body))
	}
}

// TestSonar writes a wall a metre ahead: free before it, occupied there, unknown
// behind it and beside the cone.
func TestSonar(t *testing.T) {
	b, s := create(t, "auto"), new(Scan)
	beam := Beam{Range: 1, HalfWidth: 0.21, Lead: 0.06, Height: 0.08}
	for range 8 {
		b.Sonar(s, Pose{}, beam)
	}
	if v := b.Odds(0.5, 0, Body); v > -60 {
		t.Errorf("half way the log-odds are %d, want free", v)
	}
	if v := b.Odds(1.06, 0.01, Body); v < 60 {
		t.Errorf("where the echo came from they are %d, want occupied", v)
	}
	if a, c := b.Odds(1.5, 0.01, Body), b.Odds(0, 1, Body); a != 0 || c != 0 {
		t.Errorf("behind and beside they are %d and %d, want unknown", a, c)
	}
	beam.Range = 3.5
	b.Clear()
	b.Sonar(s, Pose{}, beam)
	for x := float32(0.1); x < 1.9; x += Cell {
		if v := b.Odds(x, 0.01, Body); v > 0 {
			t.Errorf("an echo too far to be placed made %.2f m occupied: %d", x, v)
		}
	}
}

// TestKnown teaches nothing: a box of which everything is known.
func TestKnown(t *testing.T) {
	b := create(t, "auto")
	for i := range b.odds {
		if b.odds[i] != border {
			b.odds[i] = -Limit
		}
	}
	f := Fan{First: Ahead(1), Count: Rows}
	seen := new(Seen)
	for i := range seen {
		seen[i] = ^uint32(0)
	}
	b.Cast(Place{0, 0, 0.08}, seen, &f)
	if f.Gain != [Columns]int32{} || f.Visits < 16*MaxRays/2 {
		t.Errorf("what was seen teaches again, or only %d cells were looked at", f.Visits)
	}
}

func TestFloor(t *testing.T) {
	b := create(t, PureGo)
	b.Ground(Pose{}, 0, 0.1, true)
	b.Ground(Pose{}, 0, 0.1, true)
	if r := b.Risk(0.1, 0); r < 0.9 {
		t.Errorf("over an edge the risk is %v", r)
	}
	if r := b.Risk(1, 1); r != 0 {
		t.Errorf("where nothing is known the risk is %v", r)
	}
	var seen Seen
	first := b.Sweep(1, 1, &seen)
	if again := b.Sweep(1, 1, &seen); first < 1 || again != 0 {
		t.Errorf("a new floor teaches %v bits, the same again %v", first, again)
	}
	for range 4 {
		b.Occupy(1, 1)
	}
	seen = Seen{}
	if known := b.Sweep(1, 1, &seen); known > first/4 {
		t.Errorf("a floor driven over still teaches %v of %v bits", known, first)
	}
}

func TestOutside(t *testing.T) {
	b := create(t, "auto")
	nan := float32(math.NaN())
	for _, p := range []Place{{9, 0, 0}, {0, -9, 0}, {0, 0, 9}, {nan, 0, 0}, {0, nan, 0}, {0, 0, nan}} {
		f := Fan{Count: Rows}
		b.Cast(p, nil, &f)
		if f.Visits != 0 {
			t.Errorf("from %v %d cells are seen", p, f.Visits)
		}
		s := Scan{}
		s.Put(3, 3, 1, Hit)
		b.Insert(p, &s)
	}
	for _, f := range []Fan{{First: -1, Count: 4}, {First: 300, Count: 4}, {Row: 40, Count: 4}, {Row: -1, Count: 4}} {
		b.Cast(Place{}, nil, &f)
		if f.Visits != 0 {
			t.Errorf("a fan that does not exist sees %d cells", f.Visits)
		}
	}
	if _, err := New("mmx"); err == nil {
		t.Error("an unknown instruction set is taken")
	}
}

func TestNothingAllocates(t *testing.T) {
	b, s, seen := create(t, "auto"), new(Scan), new(Seen)
	f := Fan{Count: 4}
	n := testing.AllocsPerRun(20, func() {
		b.Sonar(s, Pose{}, Beam{Range: 1, HalfWidth: 0.2, Height: 0.08})
		b.Cast(Place{0, 0, 0.08}, seen, &f)
		b.See(Place{0, 0, 0.08}, 1, 4, seen)
		b.Occupy(0, 0)
		b.Follow(0.3, 0)
		b.Forget()
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestReach builds a pocket with a door: unknown cells lie outside, and the
// way there is worth more the nearer the door is.
func TestReach(t *testing.T) {
	b := create(t, PureGo)
	at := func(i int) float32 { return (float32(i) - Side/2 + 0.5) * Cell }
	for i := range Side {
		for j := range Side {
			if inside := i >= 8 && i <= 24 && j >= 8 && j <= 24; inside {
				b.Set(at(i), at(j), Floor, -Limit)
				if wall := i == 8 || i == 24 || j == 8 || j == 24; wall && (j != 24 || i < 15 || i > 18) {
					b.Set(at(i), at(j), Body, Limit)
				}
			}
		}
	}
	var r Reach
	b.Spread(&r)
	door, middle, corner := r.At(at(16), at(23)), r.At(at(16), at(16)), r.At(at(10), at(10))
	if !(door > middle && middle > corner && corner > 0) {
		t.Errorf("door %.3f, middle %.3f, corner %.3f: no way out", door, middle, corner)
	}
	if outside := r.At(at(2), at(2)); outside != 1 {
		t.Errorf("unknown floor is worth %v", outside)
	}
	for i := 15; i <= 18; i++ {
		b.Set(at(i), at(24), Body, Limit) // the door closes
	}
	b.Spread(&r)
	if left := r.At(at(16), at(16)); left > float32(Entropy(Probability(-120)))+0.001 {
		t.Errorf("behind closed doors %v is left", left)
	}
	if w := r.At(at(8), at(8)); w != 0 || r.At(99, 0) != 0 {
		t.Errorf("a wall is worth %v", w)
	}
}

// TestTwin: a belief that gets the cells of another one casts the same rays from the
// numbers that the other tells of a place.
func TestTwin(t *testing.T) {
	d := dice(11)
	from, to := create(t, "auto"), create(t, "auto")
	from.Follow(3.3, -1.2)
	var grid [GridCells]int8
	for range 20 {
		litter(from, &d, 20, 10)
		if from.Grid(&grid); to.Has(&grid) || !from.Has(&grid) {
			t.Fatal("Has is wrong about a grid")
		}
		p := place(&d)
		p.X, p.Y = p.X+3.3, p.Y-1.2
		at, part, ok := from.Locate(p)
		if to.Load(&grid); !ok || !to.Has(&grid) {
			t.Fatalf("%+v is outside, or the grid was not taken", p)
		}
		want := Fan{First: d.below(Azimuths), Row: d.below(8), Count: 4, Stride: 8}
		got := want
		from.Cast(p, nil, &want)
		to.CastAt(at, part, nil, &got)
		if got != want || got.Visits == 0 {
			t.Errorf("%d cells, want %d, or other gains", got.Visits, want.Visits)
		}
	}
}
