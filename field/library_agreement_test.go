package field_test

import (
	"math"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/reference"
	"fieldbrain/testbench/tier"
)

// far is the largest distance of what an engine and the reference hold.
type far struct{ z, match, score, cells float64 }

func (f *far) look(at *float64, a float32, b float64) { *at = max(*at, math.Abs(float64(a)-b)) }

// compare complains where the libraries decided differently, and keeps how far
// apart they are where they agree. The cells' distance is relative to 1.
func (f *far) compare(t *testing.T, l *field.Library, ref *reference.Library, tick uint64) {
	t.Helper()
	for i, z := range l.Z {
		f.look(&f.z, z, ref.Context[i])
	}
	f.look(&f.match, l.Best.Gate, ref.Gate)
	for n, k := range l.Best.Index {
		if n >= len(ref.Matches) {
			if k >= 0 {
				t.Fatalf("tick %d: match %d is pattern %v, the reference has %d matches", tick, n, k, len(ref.Matches))
			}
			continue
		}
		f.look(&f.match, l.Best.Cosine[n], ref.Matches[n].Cosine)
		f.look(&f.match, l.Best.Weight[n], ref.Matches[n].Weight)
	}
	for k := range ref.Patterns {
		p := &ref.Patterns[k]
		if p.Used != (l.Version[k] != 0) || p.Uses != float64(l.Uses[k]) {
			t.Fatalf("tick %d: pattern %d has version %v and %v uses, the reference %v and %v", tick, k, l.Version[k], l.Uses[k], p.Used, p.Uses)
		}
		f.look(&f.score, l.Score[k], p.Score)
		f.look(&f.score, l.Fresh[k], p.Fresh)
	}
}

// cellsApart compares the first part of every pattern.
func (f *far) cellsApart(e field.Engine, ref *reference.Library) {
	buf := make([]float32, field.Cells)
	for k := range ref.Patterns {
		if !ref.Patterns[k].Used {
			continue
		}
		e.Read(field.PatternSection(k, 0), buf)
		at := 0
		for _, cells := range ref.Patterns[k].Cells {
			for _, v := range cells[:min(len(cells), len(buf)-at)] {
				f.look(&f.cells, buf[at], v)
				at++
			}
		}
	}
}

// TestLibraryAgrees lets an engine and the reference learn and recall side by
// side. Every tick the reference's field is the engine's, so that what differs is
// the library's; the poses are far enough apart for no decision to be close.
func TestLibraryAgrees(t *testing.T) {
	tier.Heavy(t, "hundreds of ticks of the reference and its library")
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	rng := fresh(t)
	p := field.Default()
	p.Recall = field.DefaultLibrary()
	p.Period = 40 * ms // 6 s of a trial are 150 ticks
	r, ref := newPureGo(t, p), reference.New(p)
	buf, at := make([]float32, field.Cells), poses()
	var f far
	const ticks = 620
	for tick := range ticks {
		phase := tick % 300
		w := &at[[...]int{0, 3, 1}[phase/100]]
		w.look(&r.in, rng)
		if r.in.Outcome = 0; phase >= 100 && phase < 200 {
			toward(float32(1 - 2*(tick/300%2)))(&r.in)
		} else if phase == 200 {
			r.in.Outcome = float32(1 - 1.5*float64(tick/300%2))
		}
		r.in.Add(field.Term{Channel: field.FirstFree + 1, A: 2 * float32(phase/100), Centre: [3]float32{16, 16, 16}, Sigma: [3]float32{3, 3, 3}})
		for c := range field.Channels {
			ref.Write(c, read(r, c, buf))
		}
		if _, err := r.Step(&r.in); err != nil {
			t.Fatal(err)
		}
		ref.Step(&r.in)
		f.compare(t, remembered(t, r), ref.Library(), r.in.Tick)
		r.in.Tick++
	}
	f.cellsApart(r, ref.Library())
	n := patterns(remembered(t, r))
	t.Logf("%d patterns; apart by %.2g in z, %.2g in the match, %.2g in scores, %.2g in cells", n, f.z, f.match, f.score, f.cells)
	if enough := ticks / 124; n < enough {
		t.Errorf("%d patterns were stored, want %d or more for a comparison", n, enough)
	}
	if !(f.z <= 1e-4) || !(f.match <= 1e-3) || !(f.score <= 1e-5) || !(f.cells <= 2e-3) {
		t.Errorf("too far apart: %+v", f)
	}
}

// TestO8PatternPersistence: a pattern recalled into an associative channel outlasts
// the match: correlation 0.8 after 30 ticks without one, 0.5 after 5 s.
func TestO8PatternPersistence(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	rng := fresh(t)
	cells := make([]float32, field.Cells)
	p := field.Default()
	p.Recall = field.DefaultLibrary()
	r := newRig(t, p)
	shelf := field.NewShelf(&p.Table)
	first := int(shelf[field.FirstFree-field.FirstStrategic])
	stored := make([]float32, 0, field.Cells)
	for i := range cells {
		cells[i] = 0
		if i >= first {
			cells[i] = rng.Float32()
			stored = append(stored, cells[i])
		}
	}
	at := poses()
	r.visit(t, &at[0], 400, rng, nil)
	r.visit(t, &at[3], 400, rng, nil)
	l := remembered(t, r)
	for i := range l.Z {
		l.Context[i][0] = l.Z[i]
	}
	l.Version[0], l.Score[0], l.Kept[0] = 1, 1, 1<<(field.FirstFree-field.FirstStrategic)
	buf := make([]float32, field.Cells)
	l.Store(buf)
	r.Write(field.LibrarySection, buf)
	r.Write(field.PatternSection(0, 0), cells)
	r.visit(t, &at[3], 600, rng, nil)
	like := func() float64 {
		r.Read(field.FirstFree, buf)
		return correlation(stored, buf[:len(stored)])
	}
	recalled := like()
	l = remembered(t, r)
	*l = field.Library{Count: l.Count, Mean: l.Mean, Variance: l.Variance, Shelf: l.Shelf, Best: field.Recall{Index: [3]float32{-1, -1, -1}}}
	l.Store(buf)
	r.Write(field.LibrarySection, buf) // the match is gone
	r.visit(t, &at[3], 30, rng, nil)
	soon := like()
	r.visit(t, &at[3], 970, rng, nil)
	late := like()
	t.Logf("correlation %.3f while it is recalled, %.3f 30 ticks later, %.3f 5 s later", recalled, soon, late)
	if !(recalled >= 0.8) || !(soon >= 0.8) || !(late >= 0.5) {
		t.Errorf("correlation %.3f while it is recalled, %.3f after 30 ticks, %.3f after 5 s", recalled, soon, late)
	}
}

// correlation returns Pearson's coefficient of two rows of values.
func correlation(a, b []float32) float64 {
	ma, mb := 0.0, 0.0
	for i := range a {
		ma, mb = ma+float64(a[i])/float64(len(a)), mb+float64(b[i])/float64(len(a))
	}
	ab, aa, bb := 0.0, 0.0, 0.0
	for i := range a {
		x, y := float64(a[i])-ma, float64(b[i])-mb
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa*bb)
}
