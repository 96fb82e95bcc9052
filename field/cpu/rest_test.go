package cpu_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/testbench/tier"
)

// TestSkippingIsLossless runs the collapsed step beside one that never skips,
// on random small tables with sparse stimuli, long holds, motion, changing
// quality and writes: channels come to rest, and must wake at the right tick.
func TestSkippingIsLossless(t *testing.T) {
	tier.Alone(t, "one goroutine steps three engines for a minute")
	tier.Native(t, "takes minutes, and every engine has the hash of one that does not skip")
	for seed := range uint64(tier.Count(t, "tables", 2, 6, 6)) {
		rng := rand.New(rand.NewPCG(seed+1, 1))
		p := sparseTable(rng)
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		plain := newEngine(t, p, cpu.PureGo)
		never := newEngine(t, p, cpu.PureGo)
		fast := newEngine(t, p, cpu.ISAs()[0])
		in := field.Input{Quality: field.Full()}
		for in.Tick = range 900 {
			disturb(rng, &in, plain, never, fast)
			never.Forget()
			for _, e := range []*cpu.Engine{plain, never, fast} {
				if _, err := e.Step(&in); err != nil {
					t.Fatal(err)
				}
			}
			if in.Tick%30 == 29 {
				if c, same := sameField(never, plain, fast); !same {
					t.Fatalf("seed %d tick %d: channel %d %s differs from a step that never skips", seed+1, in.Tick, c, p.Table[c].Name)
				}
			}
		}
	}
}

func newEngine(t *testing.T, p field.Params, isa string) *cpu.Engine {
	t.Helper()
	e, err := cpu.New(p, cpu.Options{ISA: isa, Threads: 1, Step: field.Collapsed})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// sparseTable draws small channels without noise, with fast traces.
func sparseTable(rng *rand.Rand) field.Params {
	p := field.Default()
	regimes := []field.Regime{field.SEL1(), field.HYS1(), field.MEM1(), field.DET1(), field.LIN()}
	pause := func(most int) time.Duration { return time.Duration(1+rng.IntN(most)) * time.Millisecond }
	for c := range p.Table {
		ch := &p.Table[c]
		switch {
		case c < 8 || c >= 59:
			*ch = field.Channel{Name: "DRAWN", Mask: field.X, Regime: regimes[rng.IntN(len(regimes))], Tau: pause(40), Trace: -1}
			if c < 8 {
				ch.Trace, ch.Preshape = field.FirstTrace+c, 1.5
			}
		case c >= field.FirstTrace && c < field.FirstTrace+8:
			ch.Mask, ch.Tau, ch.Decay = field.X, pause(100), pause(100)
		case c == 53:
			*ch = field.Channel{Name: "TURNS", Mask: field.X, Regime: field.MEM1(), Tau: pause(40), Trace: -1, Egocentric: true}
		default:
			ch.Noise = 0
		}
	}
	p.Couplings = []field.Coupling{{From: 0, To: 4, Weight: 5}, {From: 1, To: 5, Weight: -3}}
	return p
}

// disturb changes something now and then, equally for all engines.
func disturb(rng *rand.Rand, in *field.Input, engines ...*cpu.Engine) {
	if rng.IntN(120) == 0 {
		in.NumTerms = 0
		for range rng.IntN(5) * rng.IntN(2) {
			c := []int{0, 1, 2, 3, 4, 5, 53, 59, 60}[rng.IntN(9)]
			in.Add(field.At(c, float32(12*rng.Float64()-4), float64(rng.IntN(32)), 2))
		}
	}
	in.Turn = 0
	if rng.IntN(150) == 0 {
		in.Turn = 0.1
	}
	if rng.IntN(200) == 0 {
		periods := []int{1, 2, 4, 8}
		in.Quality = field.Quality{Perception: periods[rng.IntN(4)], Traces: periods[rng.IntN(4)], Associative: periods[rng.IntN(4)]}
	}
	if rng.IntN(150) == 0 {
		cells := make([]float32, field.Cells)
		v, c := float32(8*rng.Float64()-4), rng.IntN(24)
		for i := range cells {
			cells[i] = v
		}
		for _, e := range engines {
			e.Write(field.Section(c), cells)
		}
	}
}

// sameField compares engines bit for bit and names the first channel that
// differs.
func sameField(want *cpu.Engine, others ...*cpu.Engine) (int, bool) {
	a, b := make([]float32, field.Cells), make([]float32, field.Cells)
	for c := range field.Channels {
		want.Read(field.Section(c), a)
		for _, e := range others {
			e.Read(field.Section(c), b)
			for i := range a {
				if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
					return c, false
				}
			}
		}
	}
	return 0, true
}

// TestUniformDecision steps an Amari channel without any axis: its interaction
// is its own output, on every engine.
func TestUniformDecision(t *testing.T) {
	tier.Alone(t, "the dense step in pure Go takes minutes")
	p := field.Default()
	ticks := min(tier.Count(t, "ticks", 20, 40, 40), tier.Fewer(t, "ticks", 40, 10))
	p.Table[60] = field.Channel{Name: "POINT", Mask: field.Uniform, Regime: field.DET1(), Tau: 30 * time.Millisecond, Trace: -1}
	var want uint64
	for _, isa := range cpu.ISAs() {
		for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
			e, err := cpu.New(p, cpu.Options{ISA: isa, Threads: 2, Step: step})
			if err != nil {
				t.Fatal(err)
			}
			in := field.Input{Quality: field.Full()}
			in.Add(field.Term{Channel: 60, A: 6})
			in.Add(field.At(59, 6, 10, 2)) // leaves other sums behind in the scratch
			for in.Tick = range uint64(ticks) {
				e.Step(&in)
			}
			h := field.Hash(e)
			e.Close()
			if want == 0 {
				want = h
			}
			if h != want {
				t.Errorf("%s/%s: hash %#x, want %#x", isa, step, h, want)
			}
		}
	}
}

func TestStepAfterCloseFails(t *testing.T) {
	e, err := cpu.New(field.Default(), cpu.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	e.Close()
	if _, err := e.Step(&field.Input{Quality: field.Full()}); err != cpu.ErrClosed {
		t.Errorf("error %v, want ErrClosed", err)
	}
}

// TestWorkersAreHandedOver counts the threads that OnThread sees.
func TestWorkersAreHandedOver(t *testing.T) {
	seen := make(chan struct{}, 8)
	e, err := cpu.New(field.Default(), cpu.Options{ISA: "auto", Threads: 3, OnThread: func() { seen <- struct{}{} }})
	if err != nil {
		t.Fatal(err)
	}
	e.Step(&field.Input{Quality: field.Full()})
	e.Close()
	if len(seen) != 2 {
		t.Errorf("%d workers announced themselves, want 2", len(seen))
	}
}
