package field_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/testbench/tier"
)

// TestT1RestState: u = h bit for bit for 2000 ticks in every regime, even while
// the body moves and the egocentric channels are displaced.
func TestT1RestState(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	p := bare(5 * ms)
	rows := thresholds()
	for i, row := range rows {
		ch := channel(row.mask, row.regime, 80*ms)
		ch.Egocentric = row.mask&field.X != 0
		p.Table[i] = ch
	}
	for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
		t.Run(step.String(), func(t *testing.T) {
			e, err := cpu.New(p, cpu.Options{ISA: "auto", Threads: 1, Step: step})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			in := field.Input{Quality: field.Full(), Forward: 0.001, Turn: 0.013}
			ticks := 2000
			if step == field.Dense {
				ticks = 40 // every cell is computed alike: one tick decides
			}
			for in.Tick = range uint64(ticks) {
				if _, err := e.Step(&in); err != nil {
					t.Fatal(err)
				}
			}
			buf := make([]float32, field.Cells)
			for c, row := range rows {
				for i, u := range read(e, c, buf) {
					if u != -5 {
						t.Fatalf("%s: cell %d rests at %v, want -5 exactly", row.regime.Name, i, u)
					}
				}
			}
		})
	}
}

// TestT2SubThreshold: a uniform input of 1.5 makes no output, so u goes to
// h + S with time constant tau.
func TestT2SubThreshold(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	for _, row := range thresholds() {
		const tau, period = 80 * ms, 5 * ms
		r := one(t, period, channel(row.mask, row.regime, tau))
		term := field.Term{Channel: solo, A: 1.5}
		reached := 0
		for tick := 1; tick <= 400; tick++ {
			r.step(t, term)
			if reached == 0 && r.highest(solo) >= float32(-5+1.5*(1-1/math.E)) {
				reached = tick
			}
		}
		if want := int(tau / period); max(reached-want, want-reached) > 1 {
			t.Errorf("%s: 63.2 %% after %d ticks, want %d +- 1", row.regime.Name, reached, want)
		}
		for _, u := range r.activation(solo) {
			if !(math.Abs(float64(u)+3.5) <= 1e-4) {
				t.Fatalf("%s: comes to rest at %v, want -3.5 +- 1e-4", row.regime.Name, u)
			}
		}
	}
}

// TestT3DiffusionMode: a cosine of wave number n around the circle shrinks by
// 1 - 2 nu (1 - cos(2 pi n/32)) per tick and the mean stays.
func TestT3DiffusionMode(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	for _, n := range []int{1, 2, 5, 16} {
		for _, nu := range []float32{0.02, 1.0 / 6} {
			ch := channel(field.XYZ, field.LIN(), 1_000_000*time.Second) // alpha = 5e-9: diffusion alone
			ch.Diffusion = nu
			r := one(t, 5*ms, ch)
			u := make([]float32, field.Cells)
			wave := func(i int) float64 { return math.Cos(2 * math.Pi * float64(n*(i/field.Plane)) / field.Side) }
			for i := range u {
				u[i] = float32(0.5 + wave(i))
			}
			r.Write(solo, u)
			project := func() (mean, amplitude float64) {
				norm := 0.0
				for i, v := range r.activation(solo) {
					mean += float64(v) / field.Cells
					amplitude += float64(v) * wave(i)
					norm += wave(i) * wave(i)
				}
				return mean, amplitude / norm
			}
			_, before := project()
			want := 1 - 2*float64(nu)*(1-math.Cos(2*math.Pi*float64(n)/field.Side))
			for range 6 {
				r.step(t)
				mean, after := project()
				if ratio := after / before; !(math.Abs(ratio-want) <= 1e-5*math.Abs(want)) {
					t.Fatalf("n %d, nu %.3f: shrinks by %.7f, want %.7f", n, nu, ratio, want)
				}
				if !(math.Abs(mean-0.5) <= 1e-6) {
					t.Fatalf("n %d, nu %.3f: mean %v, want 0.5", n, nu, mean)
				}
				before = after
			}
		}
	}
}

// TestT13MemoryTrace: p = 1 - exp(-t/2 s) while the source is active and
// exp(-t/60 s) after, however often the trace is updated.
func TestT13MemoryTrace(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	for _, every := range []int{1, 4, 8} {
		p := bare(5 * ms)
		p.Table[0] = channel(field.XY, field.LIN(), 50*ms)
		p.Table[field.FirstTrace] = field.Channel{
			Name: "TRACE", Mask: field.XY, Regime: field.MEMT(), Tau: 2 * time.Second, Decay: time.Minute, Source: 0, Trace: -1,
		}
		r := newRig(t, p)
		r.in.Quality.Traces = every
		full := make([]float32, field.Cells)
		for i := range full {
			full[i] = 1
		}
		r.Write(0, full)
		check := func(at time.Duration, want float64) {
			for _, got := range r.activation(field.FirstTrace) {
				if !(math.Abs(float64(got)-want) <= 1e-4) {
					t.Fatalf("every %d ticks, %v: p = %v, want %.5f", every, at, got, want)
				}
			}
		}
		hold := field.Term{Channel: 0, A: 1} // u = b = 1 exactly
		for _, at := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second} {
			for time.Duration(r.in.Tick)*5*ms < at {
				r.step(t, hold)
			}
			check(at, 1-math.Exp(-at.Seconds()/2))
		}
		top := 1 - math.Exp(-2.0)
		r.Write(0, make([]float32, field.Cells))
		for _, at := range []time.Duration{time.Second, 8 * time.Second} {
			for time.Duration(r.in.Tick)*5*ms < 4*time.Second+at {
				r.step(t)
			}
			check(at, top*math.Exp(-at.Seconds()/60))
		}
	}
}

// TestT18Noise: the stationary standard deviation of a channel at rest is q at
// every period, and its mean is the resting level.
func TestT18Noise(t *testing.T) {
	for _, period := range []time.Duration{2500 * time.Microsecond, 5 * ms, 40 * ms} {
		const q = 0.25
		ch := channel(field.XYZ, field.SEL3(), 40*ms)
		ch.Noise, ch.Diffusion = q, 0 // neighbours independent
		r := one(t, period, ch)
		r.run(t, 400*ms, period) // ten time constants
		var sum, square float64
		for _, u := range r.activation(solo) {
			sum += float64(u) + 5
			square += (float64(u) + 5) * (float64(u) + 5)
		}
		mean := sum / field.Cells
		std := math.Sqrt(square/field.Cells - mean*mean)
		if !(math.Abs(std-q) <= 0.02*q) {
			t.Errorf("period %v: standard deviation %.4f, want %.2f +- 2 %%", period, std, q)
		}
		if !(math.Abs(mean) <= 4*q/math.Sqrt(field.Cells)) { // four standard errors
			t.Errorf("period %v: mean %.5f above rest, want 0", period, mean)
		}
	}
}

// TestT18OneHash: every engine and both steps draw the same noise and compute
// the same bits.
func TestT18OneHash(t *testing.T) {
	rng := fresh(t)
	p := field.Default()
	for c := range p.Table {
		p.Table[c].Noise = 0.5 * rng.Float32()
	}
	var inputs [24]field.Input
	ticks := min(tier.Count(t, "ticks", 8, len(inputs), len(inputs)), tier.Fewer(t, "ticks", len(inputs), 6))
	for i := range inputs {
		inputs[i].Quality = field.Full()
		randomInput(rng, &inputs[i])
		inputs[i].Tick = uint64(i)
	}
	want, first := uint64(0), ""
	for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
		for _, isa := range cpu.ISAs() {
			e, err := cpu.New(p, cpu.Options{ISA: isa, Threads: 1, Step: step})
			if err != nil {
				t.Fatal(err)
			}
			for i := range ticks {
				if _, err := e.Step(&inputs[i]); err != nil {
					t.Fatal(err)
				}
			}
			got := field.Hash(e)
			if first == "" {
				want, first = got, e.Name()
			}
			if got != want {
				t.Errorf("%s: hash %016x, %s has %016x", e.Name(), got, first, want)
			}
			e.Close()
		}
	}
}
