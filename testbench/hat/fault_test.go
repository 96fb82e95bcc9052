package hat_test

import (
	"testing"
	"time"

	"fieldbrain/robot/picarx"
	"fieldbrain/testbench/hat"
)

func TestBusFaults(t *testing.T) {
	tests := []struct {
		name, why string
		fault     hat.Fault
		want      string
		took      time.Duration
	}{
		{"nack", "refused after the address byte", hat.Fault{Kind: hat.Nack}, nacked, 190 * time.Microsecond},
		{"hang", "the kernel gives up after 100 ms", hat.Fault{Kind: hat.Hang}, hung, 100 * ms},
		{"stuck", "a bus clear takes 50 ms", hat.Fault{Kind: hat.Stuck}, "sysfs-i2c: resource temporarily unavailable", 50 * ms},
		{"off", "nobody answers", hat.Fault{Kind: hat.Off, From: 1}, nacked, 190 * time.Microsecond},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := booted(t, tt.fault)
			before := r.clock.now
			var x [1]byte
			if got := text(r.Tx(0x14, nil, x[:])); got != tt.want {
				t.Errorf("%q, want %q: %s", got, tt.want, tt.why)
			}
			if got := r.clock.now - before; got != tt.took {
				t.Errorf("took %v, want %v: %s", got, tt.took, tt.why)
			}
		})
	}
}

func TestFaultWindowCountAndProbability(t *testing.T) {
	var x [1]byte
	r := booted(t, hat.Fault{Kind: hat.Nack, From: 200 * ms, Until: 300 * ms, Count: 2})
	fails := func() (n int) {
		for range 5 {
			if r.Tx(0x14, nil, x[:]) != nil {
				n++
			}
		}
		return n
	}
	if n := fails(); n != 0 {
		t.Errorf("%d failures before the window", n)
	}
	r.clock.now = 200 * ms
	if n := fails(); n != 2 {
		t.Errorf("%d failures in the window, want its count of 2", n)
	}

	r = booted(t, hat.Fault{Kind: hat.Nack, Probability: 0.1})
	failed := 0
	for range 2000 {
		if r.Tx(0x14, nil, x[:]) != nil {
			failed++
		}
	}
	if failed < 140 || failed > 260 { // 200 +- 4.5 standard deviations
		t.Errorf("%d of 2000 failed, want about 200", failed)
	}
}

// TestConditionsCount: a fault that lasts counts once, when it begins.
func TestConditionsCount(t *testing.T) {
	r := booted(t, hat.Fault{Kind: hat.Off, From: 200 * ms, Until: 400 * ms}, hat.Fault{Kind: hat.Battery, From: 300 * ms, Value: 7})
	for _, at := range []struct {
		now  time.Duration
		want uint64
	}{{100 * ms, 0}, {250 * ms, 1}, {260 * ms, 1}, {350 * ms, 2}, {500 * ms, 2}} {
		r.clock.now = at.now
		r.outputs()
		if got := r.Stats().Faults; got != at.want {
			t.Errorf("at %v: %d faults, want %d", at.now, got, at.want)
		}
	}
}

func TestSwitchedOffAndOn(t *testing.T) {
	r := booted(t, hat.Fault{Kind: hat.Off, From: 200 * ms, Until: 400 * ms})
	r.send(t, [3]byte{0x43, 0, 9}, [3]byte{0x47, 0x0F, 0xFF}, [3]byte{0x2D, 0x0F, 0xFF})
	r.clock.now = 300 * ms
	if d := r.outputs().Duty[13]; d != 0 {
		t.Errorf("duty %v while off", d)
	}
	r.clock.now = 450 * ms
	var x [1]byte
	if got := text(r.Tx(0x14, nil, x[:])); got != nacked {
		t.Errorf("50 ms after power on: %q, want a refusal", got)
	}
	r.clock.now = 501 * ms
	if err := r.Tx(0x14, nil, x[:]); err != nil {
		t.Errorf("101 ms after power on: %v", err)
	}
	if d := r.outputs().Duty[13]; d != 0 {
		t.Errorf("duty %v after power on, want 0", d)
	}
}

func TestBrownout(t *testing.T) {
	r := booted(t)
	r.send(t, [3]byte{0x43, 0, 9}, [3]byte{0x47, 0x0F, 0xFF}, [3]byte{0x2D, 0x0F, 0xFF})
	r.volts = 5.4
	if d := r.outputs().Duty[13]; d != 0 {
		t.Errorf("duty %v below 5.5 V", d)
	}
	r.volts = 7.0
	r.outputs()
	var x [1]byte
	if got := text(r.Tx(0x14, nil, x[:])); got != nacked {
		t.Errorf("just after the dip: %q, want a refusal while it boots", got)
	}
	r.clock.pass(100 * ms)
	if err := r.Tx(0x14, nil, x[:]); err != nil {
		t.Errorf("after the boot time: %v", err)
	}
	if n := r.Stats().Boots; n != 2 {
		t.Errorf("%d reboots counted, want 2 (down and up)", n)
	}
}

func TestZeroButton(t *testing.T) {
	r := booted(t, hat.Fault{Kind: hat.Zero, From: 200 * ms}, hat.Fault{Kind: hat.Zero, From: 300 * ms, Value: 1})
	r.clock.now = 250 * ms
	out := r.outputs()
	if got := out.Pulse[13]; (got - 1500*time.Microsecond).Abs() > 2*time.Microsecond {
		t.Errorf("motor output pulse %v after ZERO, want 1500 us", got)
	}
	r.clock.now = 350 * ms
	if got := r.outputs().Duty[13]; got != 0 {
		t.Errorf("duty %v after the second press, want 0", got)
	}
}

func TestBatteryIsForced(t *testing.T) {
	r := booted(t, hat.Fault{Kind: hat.Battery, From: 200 * ms, Until: 300 * ms, Value: 6.3})
	for _, tt := range []struct{ at, want float64 }{{0.15, 0}, {0.25, 6.3}, {0.35, 0}} {
		r.clock.now = time.Duration(tt.at * float64(time.Second))
		r.CatchUp(nil)
		if r.pack != tt.want {
			t.Errorf("at %v s the pack is forced to %v V, want %v", tt.at, r.pack, tt.want)
		}
	}
}

func TestADCFaults(t *testing.T) {
	t.Run("bit shift", func(t *testing.T) {
		r := booted(t, hat.Fault{Kind: hat.BitShift, Value: 2, Which: 1})
		if got, _ := r.adc(0); got != r.analog<<2 {
			t.Errorf("channel 0 = %d, want %d", got, r.analog<<2)
		}
		if got, _ := r.adc(1); got != r.analog+1 {
			t.Errorf("channel 1 = %d, want it untouched", got)
		}
	})
	t.Run("spike", func(t *testing.T) {
		r := booted(t, hat.Fault{Kind: hat.Spike})
		differ := 0
		for range 50 {
			got, _ := r.adc(0)
			if got > 4095 {
				t.Fatalf("a spike of %d does not fit 12 bits", got)
			}
			if got != r.analog {
				differ++
			}
		}
		if differ < 45 {
			t.Errorf("only %d of 50 values were disturbed", differ)
		}
	})
	t.Run("garbage", func(t *testing.T) {
		r := booted(t, hat.Fault{Kind: hat.Garbage})
		beyond := 0
		for range 100 {
			if got, _ := r.adc(0); got > 4095 {
				beyond++
			}
		}
		if beyond < 80 { // 15/16 expected
			t.Errorf("%d of 100 values beyond 12 bits", beyond)
		}
	})
	t.Run("frozen", func(t *testing.T) {
		r := booted(t, hat.Fault{Kind: hat.Frozen, From: 200 * ms, Until: 300 * ms})
		first, _ := r.adc(0)
		r.analog = 99
		r.clock.now = 200 * ms
		if got, _ := r.adc(0); got != first {
			t.Errorf("frozen at %d, want %d", got, first)
		}
		r.clock.now = 300 * ms
		if got, _ := r.adc(0); got != 99 {
			t.Errorf("thawed to %d, want 99", got)
		}
	})
}

// pulse triggers the sonar and returns the edges that come within a second.
func pulse(t *testing.T, r *rig, high time.Duration) []picarx.Edge {
	t.Helper()
	w := r.wire.Sonars[0]
	_ = w.Trigger.Set(true)
	r.clock.pass(high)
	_ = w.Trigger.Set(false)
	r.clock.pass(time.Second)
	var edges []picarx.Edge
	for e := (picarx.Edge{}); w.Echo.Next(&e); {
		edges = append(edges, e)
	}
	return edges
}

func width(edges []picarx.Edge) time.Duration {
	if len(edges) != 2 || !edges[0].Rising || edges[1].Rising {
		return -1
	}
	return edges[1].At - edges[0].At
}

func TestEcho(t *testing.T) {
	r := booted(t)
	edges := pulse(t, r, 10*time.Microsecond)
	if got, want := width(edges), 5825*time.Microsecond; (got - want).Abs() > time.Microsecond {
		t.Errorf("echo of 1 m is %v long, want %v", got, want)
	}
	if got := edges[0].At - (100*ms + 10*time.Microsecond); got != 450*time.Microsecond {
		t.Errorf("the echo rises %v after the trigger, want 450 us", got)
	}
	if edges[0].Seq != 1 || edges[1].Seq != 2 {
		t.Errorf("edges numbered %d, %d", edges[0].Seq, edges[1].Seq)
	}
	if got := pulse(t, r, 9*time.Microsecond); len(got) != 0 {
		t.Errorf("a 9 us trigger gave %v", got)
	}
	r.metres = -1
	if got := width(pulse(t, r, 10*time.Microsecond)); got != 38*ms {
		t.Errorf("no target: echo of %v, want 38 ms", got)
	}
}

func TestEchoIsNotReadBeforeItHappens(t *testing.T) {
	r := booted(t)
	w := r.wire.Sonars[0]
	_ = w.Trigger.Set(true)
	r.clock.pass(10 * time.Microsecond)
	_ = w.Trigger.Set(false)
	var e picarx.Edge
	if w.Echo.Next(&e) {
		t.Fatal("an edge before the sound is back")
	}
	at, ok := r.NextEdge()
	if !ok || at != r.clock.now+450*time.Microsecond {
		t.Fatalf("next edge %v, %v", at, ok)
	}
	w.Echo.Wait(time.Second)
	if high, _ := w.Echo.Level(); !high || !w.Echo.Next(&e) || !e.Rising {
		t.Errorf("after the wait: level %v, edge %+v", high, e)
	}
	w.Echo.Wait(2 * ms) // the falling edge is 5.8 ms away
	if w.Echo.Next(&e) {
		t.Errorf("Wait(2 ms) found %+v", e)
	}
}

func TestEchoFaults(t *testing.T) {
	tests := []struct {
		name, why string
		fault     hat.Fault
		edges     int
		width     time.Duration
	}{
		{"lost", "no edge at all", hat.Fault{Kind: hat.EchoLost}, 0, -1},
		{"stuck", "it never falls", hat.Fault{Kind: hat.EchoStuck}, 1, -1},
		{"stuck for a while", "it falls when the fault ends", hat.Fault{Kind: hat.EchoStuck, Until: 300 * ms}, 2, 300*ms - 100*ms - 460*time.Microsecond},
		{"ghost", "80 us is nearer than any target", hat.Fault{Kind: hat.EchoGhost}, 2, 80 * time.Microsecond},
		{"edge lost", "one of the two is missing", hat.Fault{Kind: hat.EdgeLost, Count: 1}, 1, -1},
		{"edge swapped", "the first is mislabelled", hat.Fault{Kind: hat.EdgeSwap, Count: 1}, 2, -1},
		{"off", "no supply, no sound", hat.Fault{Kind: hat.Off, From: 1}, 0, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := booted(t, tt.fault)
			edges := pulse(t, r, 10*time.Microsecond)
			if len(edges) != tt.edges || width(edges) != tt.width {
				t.Errorf("%d edges, width %v; want %d, %v: %s", len(edges), width(edges), tt.edges, tt.width, tt.why)
			}
		})
	}
}

func TestLostEdgeLeavesAGap(t *testing.T) {
	r := booted(t, hat.Fault{Kind: hat.EdgeLost, Count: 1})
	edges := pulse(t, r, 10*time.Microsecond)
	if len(edges) != 1 || edges[0].Seq != 2 {
		t.Errorf("edges %+v, want the second one only, numbered 2", edges)
	}
}

func TestHeldEcho(t *testing.T) {
	r := booted(t, hat.Fault{Kind: hat.EchoHold, From: 500 * ms})
	first := width(pulse(t, r, 10*time.Microsecond))
	r.metres = 0.3
	if got := width(pulse(t, r, 10*time.Microsecond)); got != first {
		t.Errorf("held echo %v, want %v", got, first)
	}
}

func TestStuckEchoIgnoresTriggers(t *testing.T) {
	r := booted(t, hat.Fault{Kind: hat.EchoStuck, Count: 1})
	pulse(t, r, 10*time.Microsecond)
	if got := pulse(t, r, 10*time.Microsecond); len(got) != 0 {
		t.Errorf("a trigger during the echo gave %+v", got)
	}
	if high, _ := r.wire.Sonars[0].Echo.Level(); !high {
		t.Error("the line is low")
	}
}

func TestQueueKeepsTheNewestSixteen(t *testing.T) {
	r := booted(t)
	w := r.wire.Sonars[0]
	for range 20 {
		_ = w.Trigger.Set(true)
		r.clock.pass(10 * time.Microsecond)
		_ = w.Trigger.Set(false)
		r.clock.pass(50 * ms)
	}
	var e picarx.Edge
	n := 0
	for first := true; w.Echo.Next(&e); n++ {
		if first && e.Seq != 25 {
			t.Errorf("oldest kept edge is number %d, want 25", e.Seq)
		}
		first = false
	}
	if n != 16 {
		t.Errorf("%d edges kept, want 16", n)
	}
}

func TestKindNames(t *testing.T) {
	for k := hat.Nack; k <= hat.Battery; k++ {
		var got hat.Kind
		if err := got.UnmarshalText([]byte(k.String())); err != nil || got != k {
			t.Errorf("%v reads back as %v, %v", k, got, err)
		}
	}
	var k hat.Kind
	if k.UnmarshalText([]byte("gremlin")) == nil {
		t.Error("an unknown kind was accepted")
	}
}

func TestParamsAreChecked(t *testing.T) {
	for _, change := range []func(*hat.Params){
		func(p *hat.Params) { p.Address = 0x80 },
		func(p *hat.Params) { p.Clock = 0 },
		func(p *hat.Params) { p.Boot = -1 },
		func(p *hat.Params) { p.SoundSpeed = 0 },
	} {
		p := hat.Default()
		change(&p)
		if p.Validate() == nil {
			t.Errorf("accepted %+v", p)
		}
	}
}
