//go:build cuda

package worker

import (
	"math"
	"testing"

	"fieldbrain/brain/belief"
	"fieldbrain/brain/plan"
	"fieldbrain/field"
	"fieldbrain/field/exercise"
	"fieldbrain/gpu"
	"fieldbrain/gpu/kernels"
	"fieldbrain/testbench/tier"
)

// dice is a counter-based random source.
type dice uint32

func (d *dice) below(n int) int {
	*d++
	return int(field.Mix(uint32(*d)) % uint32(n))
}

// metres is a random length between two, in whole millimetres.
func (d *dice) metres(from, to float32) float32 {
	return from + float32(d.below(int((to-from)*1000)))/1000
}

// littered returns a belief of random cells around the world's origin.
func littered(t testing.TB, d *dice, occupied, unknown int) *belief.Belief {
	t.Helper()
	b, err := belief.New(belief.PureGo)
	if err != nil {
		t.Fatal(err)
	}
	for x := range belief.Side {
		for y := range belief.Side {
			for z := 1; z <= belief.Side; z++ {
				v := -d.below(belief.Limit) - 1
				if x < unknown {
					v = 0
				}
				if d.below(1000) < occupied {
					v = d.below(belief.Limit) + 1
				}
				b.Set(float32(x-belief.Side/2)*belief.Cell+0.01, float32(y-belief.Side/2)*belief.Cell+0.01, z, v)
			}
		}
	}
	return b
}

func somewhere(d *dice) belief.Place {
	return belief.Place{X: d.metres(-2, 2), Y: d.metres(-2, 2), Z: d.metres(0, 0.5)}
}

// begins is a place in a job's form.
func begins(t testing.TB, b *belief.Belief, p belief.Place) gpu.PlanOrigin {
	t.Helper()
	at, part, ok := b.Locate(p)
	if !ok {
		t.Fatalf("%+v is outside the grid", p)
	}
	return gpu.PlanOrigin{At: at, Part: part}
}

// scanned is a scan in a job's form.
func scanned(t testing.TB, b *belief.Belief, from belief.Place, s *belief.Scan, to *gpu.PlanScan) {
	t.Helper()
	to.Origin, to.First = begins(t, b, from), int32(s.First)
	for r := range belief.Rows {
		free, end, echo, ok := s.Rays(r)
		if to.Rows[r] = 0; ok {
			to.Rows[r], to.Free[r], to.End[r], to.Echo[r] = 1, *free, *end, *echo
		}
	}
}

// plan runs a job to its end: orders come and go meanwhile.
func (d *direct) plan(job *gpu.PlanJob) *gpu.PlanAnswer {
	d.t.Helper()
	d.page.Plan.Job.Copy(job)
	d.page.Plan.Job.Sequence = d.worker.begun + 1
	d.must(gpu.OrderPlan, 0)
	if err := d.worker.spare.Synchronize(); err != nil {
		d.t.Fatal(err)
	}
	d.worker.window.relay(job.Parts)
	if got, want := d.page.Plan.Planned, d.worker.begun; got != want || d.page.Plan.Answer.Sequence != want {
		d.t.Fatalf("plan %d is answered, of number %d, want %d", got, d.page.Plan.Answer.Sequence, want)
	}
	return &d.page.Plan.Answer
}

// wantFan compares one fan's answer with what the belief says itself.
func wantFan(t testing.TB, what string, got *gpu.PlanGain, want *belief.Fan, rows int) {
	t.Helper()
	total := int64(0)
	for _, g := range want.Gain {
		total += int64(g)
	}
	if got.Gain != want.Gain || got.Visits != want.Visits || got.Total != total || int(got.Rows) != rows {
		t.Errorf("%s: %d cells, %d bits, %d rows; want %d, %d, %d", what, got.Visits, got.Total, got.Rows, want.Visits, total, rows)
	}
	if want.Visits == 0 && rows > 0 {
		t.Errorf("%s: no cell was looked at: the test tests nothing", what)
	}
}

// TestPlannerTables: the tables are the belief's own.
func TestPlannerTables(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	rays := kernels.NewRays()
	b := littered(t, new(dice), 0, 0)
	for row := range belief.Rows {
		for a := range rays.Directions[0][row] {
			if got, want := [3]int32{rays.Directions[0][row][a], rays.Directions[1][row][a], rays.Directions[2][row][a]}, b.Direction(row, a); got != want {
				t.Fatalf("row %d, azimuth %d: %v, want %v", row, a, got, want)
			}
		}
	}
	for c := range 32 {
		pass, entropy := belief.Class(c)
		if got, want := rays.Entries[c], uint32(pass)|uint32(entropy)<<16; got != want || rays.Entries[c+32] != uint32(pass) {
			t.Errorf("class %d: %#x and %#x, want %#x", c, got, rays.Entries[c+32], want)
		}
	}
	var grid [belief.GridCells]int8
	b.Clear()
	b.Grid(&grid)
	if got := kernels.RestGrid(); [belief.GridCells]int8(got) != grid {
		t.Error("the grid at rest is another")
	}
	const shape = gpu.PlanPoses - plan.Actions + gpu.PlanSteps - plan.Steps + gpu.PlanMarks - plan.Marks +
		gpu.PlanRows - belief.Rows + gpu.PlanColumns - belief.Columns + gpu.PlanTurn - belief.Azimuths +
		gpu.PlanPadded - belief.Padded + gpu.PlanLimit - belief.Limit + gpu.PlanCells - belief.GridCells + gpu.PlanSeen - len(belief.Seen{})
	if shape != 0 {
		t.Error("the page has room for plans of another shape")
	}
}

// TestPlannerFans casts random fans over random grids, with and without an
// overlay: gains and cells looked at are those of package belief, bit for bit.
func TestPlannerFans(t *testing.T) {
	s, roll := open(t, setup(field.Collapsed)), dice(3)
	rounds := tier.Count(t, "rounds", 4, 12, 12)
	job := new(gpu.PlanJob)
	for round := range rounds {
		b := littered(t, &roll, 20*(round%3), 11*(round%4))
		job.Parts, job.NumFans = gpu.PlanTakesGrid, int32(gpu.PlanPoses-round%3)
		b.Grid(&job.Grid)
		var seen *belief.Seen
		if round%2 == 1 {
			seen = new(belief.Seen)
			b.See(somewhere(&roll), float64(roll.below(6)), 2, seen)
			job.Seen = *seen
			job.Parts |= gpu.PlanTakesSeen
		}
		want := make([]belief.Fan, job.NumFans)
		for i := range want {
			f := belief.Fan{First: roll.below(belief.Azimuths), Row: roll.below(4), Stride: 1 << (i % 4), Count: belief.Rows}
			if i == 0 {
				f.Row, f.Stride = 0, 1 // all 4096 rays
			}
			from := somewhere(&roll)
			b.Cast(from, seen, &f)
			job.Fans[i] = gpu.PlanFan{Origin: begins(t, b, from), First: int32(f.First), Row: int32(f.Row), Stride: int32(f.Stride), Count: int32(f.Count)}
			want[i] = f
		}
		a := s.plan(job)
		for i := range want {
			wantFan(t, "fan", &a.Fans[i], &want[i], want[i].Count)
		}
	}
}

// TestPlannerAdaptive: the number of rows that counts is decided as the planner
// on the processor does, by the cells that the first four look at.
func TestPlannerAdaptive(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	s, roll, counts := open(t, setup(field.Collapsed)), dice(5), map[int]bool{}
	job := new(gpu.PlanJob)
	for round := range 3 {
		b := littered(t, &roll, 15*round, 16*(2-round))
		job.Parts, job.NumFans = gpu.PlanTakesGrid, gpu.PlanPoses
		b.Grid(&job.Grid)
		var want [gpu.PlanPoses]belief.Fan
		var rows [gpu.PlanPoses]int
		for i := range want {
			from, most := somewhere(&roll), []int{4, 12, 13, 32}[i%4]
			f := &want[i]
			f.First = roll.below(belief.Azimuths)
			job.Fans[i] = gpu.PlanFan{Origin: begins(t, b, from), First: int32(f.First), Count: int32(most)}
			for n, wanted := 0, 4; n < wanted; n++ {
				f.Row, f.Count = int(reversed(n)), 1
				b.Cast(from, nil, f)
				if n == 3 {
					wanted = min(max(2*(int(f.Visits)/512), 4), most)
				}
				rows[i] = n + 1
			}
			counts[rows[i]] = true
		}
		a := s.plan(job)
		for i := range want {
			wantFan(t, "adaptive fan", &a.Fans[i], &want[i], rows[i])
		}
	}
	if len(counts) < 5 {
		t.Errorf("only %d numbers of rows: the test tests little", len(counts))
	}
}

// reversed is a row number with its five bits in reverse.
func reversed(n int) (r int) {
	for bit := range 5 {
		r |= n >> bit & 1 << (4 - bit)
	}
	return r
}

// TestPlannerScans inserts scans one after the other into the grid on the device
// and casts a fan behind each: the grid is that of package belief, bit for bit.
func TestPlannerScans(t *testing.T) {
	s, roll := open(t, setup(field.Collapsed)), dice(9)
	b := littered(t, &roll, 20, 12)
	job := new(gpu.PlanJob)
	b.Grid(&job.Grid)
	job.Parts = gpu.PlanTakesGrid
	var want [belief.GridCells]int8
	for round := range 8 {
		job.Parts |= gpu.PlanTakesScan | gpu.PlanGivesGrid
		scan := belief.Scan{First: roll.below(belief.Azimuths)}
		rays := []int{3, 60, 2000, 6000}[round%4]
		for range rays {
			scan.Put(roll.below(belief.Rows), roll.below(belief.Columns), roll.metres(0, 4), uint8(roll.below(4)))
		}
		from := somewhere(&roll)
		scanned(t, b, from, &scan, &job.Scan)
		before := want
		b.Insert(from, &scan)
		b.Grid(&want)
		f := belief.Fan{First: scan.First, Stride: 4, Count: belief.Rows}
		b.Cast(from, nil, &f)
		job.NumFans = 1
		job.Fans[0] = gpu.PlanFan{Origin: job.Scan.Origin, First: job.Scan.First, Stride: 4, Count: int32(f.Count)}
		a := s.plan(job)
		if a.Grid != want || want == before {
			t.Fatalf("round %d: the grid differs after a scan of %d rays", round, rays)
		}
		wantFan(t, "fan behind a scan", &a.Fans[0], &f, f.Count)
		job.Parts = 0 // what was inserted stays
	}
}

// TestPlannerMends: a grid that no belief can hold lets no ray leave it.
func TestPlannerMends(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	s, roll := open(t, setup(field.Collapsed)), dice(1)
	job := &gpu.PlanJob{Parts: gpu.PlanTakesGrid | gpu.PlanGivesGrid, NumFans: 1}
	for i := range job.Grid {
		job.Grid[i] = int8(roll.below(256) - 128)
	}
	b := littered(t, &roll, 0, 0)
	job.Fans[0] = gpu.PlanFan{Origin: begins(t, b, belief.Place{Z: 0.08}), Stride: 1, Count: belief.Rows}
	a := s.plan(job)
	for i, v := range kernels.RestGrid() {
		want := max(min(job.Grid[i], gpu.PlanLimit), -gpu.PlanLimit)
		if v != 0 {
			want = v
		}
		if a.Grid[i] != want {
			t.Fatalf("cell %d: %d, want %d", i, a.Grid[i], want)
		}
	}
}

// TestPlannerPaths propagates random states: the paths are those of package plan,
// bit for bit.
func TestPlannerPaths(t *testing.T) {
	s, roll := open(t, setup(field.Collapsed)), dice(8)
	job := &gpu.PlanJob{Parts: gpu.PlanTakesMotion}
	for round := range 60 {
		p := plan.Default()
		p.Wheelbase = roll.metres(0.09, 0.165)
		if round%5 == 4 {
			p.Lag = 0
		}
		q := plan.NewModel(&p)
		from := plan.State{
			X: roll.metres(-50, 50), Y: roll.metres(-50, 50), Heading: roll.metres(-4, 4),
			Speed: roll.metres(-0.4, 0.4), Steering: roll.metres(-0.6, 0.6),
		}
		if round == 0 {
			from = plan.State{}
		}
		m := q.Motion(from)
		job.Motion = gpu.PlanMotion{
			From: gpu.PlanState(m.From), Cos: m.Cos, Sin: m.Sin, Grip: m.Grip, Slew: m.Slew, Curve: m.Curve, Ahead: m.Ahead,
			Angles: m.Angles, Speeds: m.Speeds, Slopes: m.Slopes,
		}
		var want plan.Paths
		q.Propagate(&from, &want)
		got := &s.plan(job).Paths
		for n := range plan.Marks {
			sameRow(t, uint64(round), "x", got.X[n][:], want.X[n][:])
			sameRow(t, uint64(round), "y", got.Y[n][:], want.Y[n][:])
		}
		for i := range want.End {
			if bits(got.End[i]) != bits(gpu.PlanState(want.End[i])) {
				t.Fatalf("round %d, action %d ends at %+v, want %+v", round, i, got.End[i], want.End[i])
			}
		}
	}
}

func bits(s gpu.PlanState) [5]uint32 {
	return [5]uint32{math.Float32bits(s.X), math.Float32bits(s.Y), math.Float32bits(s.Heading), math.Float32bits(s.Speed), math.Float32bits(s.Steering)}
}

// TestPlannerBeside: ticks that step while plans are under way hand back what
// they always do, and so do the plans.
func TestPlannerBeside(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	su := setup(field.Collapsed)
	d, judge, inputs, roll := open(t, su), newJudge(t, &su), exercise.New(4), dice(2)
	b := littered(t, &roll, 10, 8)
	job := &gpu.PlanJob{Parts: gpu.PlanTakesGrid, NumFans: gpu.PlanPoses}
	b.Grid(&job.Grid)
	var want [gpu.PlanPoses]belief.Fan
	for i := range want {
		want[i] = belief.Fan{First: 17 * i, Stride: 1, Count: belief.Rows}
		from := somewhere(&roll)
		b.Cast(from, nil, &want[i])
		job.Fans[i] = gpu.PlanFan{Origin: begins(t, b, from), First: int32(17 * i), Stride: 1, Count: belief.Rows}
	}
	done := 0
	for range 20 {
		if d.worker.window.planned() == d.worker.begun {
			done++
			d.page.Plan.Job.Copy(job)
			d.page.Plan.Job.Sequence = d.worker.begun + 1
			d.must(gpu.OrderPlan, 0)
		}
		together(t, d, judge, inputs.Next())
	}
	sameField(t, d, judge)
	if err := d.worker.spare.Synchronize(); err != nil {
		t.Fatal(err)
	}
	d.worker.window.relay(job.Parts)
	for i := range want {
		wantFan(t, "fan beside ticks", &d.page.Plan.Answer.Fans[i], &want[i], belief.Rows)
	}
	if done == 0 || d.page.Plan.Planned != uint64(done) {
		t.Errorf("%d plans begun, the answer is to %d", done, d.page.Plan.Planned)
	}
}

// TestPlannerRefuses what the kernels could not do, and goes on.
func TestPlannerRefuses(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	d := open(t, setup(field.Collapsed))
	good := gpu.PlanFan{Origin: gpu.PlanOrigin{At: 20_000}, Stride: 1, Count: belief.Rows}
	job := &d.page.Plan.Job
	for _, c := range []struct {
		words string
		spoil func()
	}{
		{"14 fans", func() { job.NumFans = gpu.PlanPoses + 1 }},
		{"-1 fans", func() { job.NumFans = -1 }},
		{"parts 0x20", func() { job.Parts = 32 }},
		{"first azimuth 256", func() { job.Fans[0].First = 256 }},
		{"first azimuth -1", func() { job.Fans[0].First = -1 }},
		{"33 rows", func() { job.Fans[0].Count = 33 }},
		{"4 rows from 8", func() { job.Fans[0].Row, job.Fans[0].Stride, job.Fans[0].Count = 8, 8, 4 }},
		{"every -1-th", func() { job.Fans[0].Stride = -1 }},
		{"at most 3 rows", func() { job.Fans[0].Stride, job.Fans[0].Count = 0, 3 }},
		{"cell -1 ", func() { job.Fans[0].Origin.At = -1 }},
		{"cell 39304 ", func() { job.Fans[0].Origin.At = gpu.PlanCells }},
		{"cell 34 ", func() { job.Fans[0].Origin.At = 34 }},
		{"begins 1024 of", func() { job.Fans[0].Origin.Part[2] = 1024 }},
		{"scan of a plan: cell 0 ", func() { job.Parts = gpu.PlanTakesScan }},
	} {
		*job = gpu.PlanJob{NumFans: 1, Sequence: 1}
		job.Fans[0] = good
		c.spoil()
		d.refuses(gpu.OrderPlan, 0, c.words)
	}
	job.Parts, job.NumFans, job.Fans[0] = 0, 1, good
	if a := d.plan(job); a.Fans[0].Rows != belief.Rows || a.Fans[0].Total == 0 {
		t.Errorf("after refusals: %d rows, %d bits in an unknown room", a.Fans[0].Rows, a.Fans[0].Total)
	}
}
