package safety_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// A tape hands out the bytes of a fuzz input as numbers, zeros at its end.
type tape struct{ left []byte }

func (b *tape) bits() uint32 {
	var w [4]byte
	b.left = b.left[copy(w[:], b.left):]
	return binary.LittleEndian.Uint32(w[:])
}

func (b *tape) number() float32 { return math.Float32frombits(b.bits()) }

func (b *tape) instant() time.Duration { return time.Duration(uint64(b.bits())<<32 | uint64(b.bits())) }

func (b *tape) reading() robot.Reading {
	return robot.Reading{Value: b.number(), At: b.instant(), OK: b.bits()%4 != 0}
}

// FuzzApply gives an armed, rolling car states and commands of arbitrary bits.
// Whatever they are, the command stays a command: see check.
func FuzzApply(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 { // long enough that plain go test goes through all reflexes
		input := make([]byte, 4000)
		for i := range input {
			input[i] = byte(rng.Uint32())
		}
		f.Add(input)
	}
	f.Add([]byte("\x01\x00\x00\x00\x00\x00\xc0\x7f\x00\x00\x80\x7f\x01\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, input []byte) {
		g := newRig(t, withCliffs)
		b := &tape{input}
		step := float64(g.p.Limits.SteeringRate) * g.p.Period.Seconds()
		for len(b.left) > 0 {
			what := b.bits()
			now := g.s.Now + g.p.Period
			g.s.Now = now
			g.want = robot.Command{
				At: now, Speed: b.number(), Steering: b.number(), Pan: b.number(), Tilt: b.number(),
				Brake: what&1 != 0, Enable: what&2 == 0,
			}
			spoil(g, b, what>>8&(what>>20)) // a quarter of the parts at random
			steering := g.out.Steering
			g.out, g.c = g.r.Apply(&g.s, g.want)
			check(t, g.p, g.out, g.c)
			if d := float64(g.out.Steering) - float64(steering); math.Abs(d) > step*1.001 {
				t.Fatalf("steering jumps by %v rad", d)
			}
			if what&4 == 0 {
				_, _ = g.r.Reset(), g.r.Arm() // either may rightly refuse
			}
			g.s.Now = now
		}
	})
}

// spoil overwrites the parts of the state that the bits of what select.
func spoil(g *rig, b *tape, what uint32) {
	parts := []func(){
		func() { g.s.Range[robot.Front] = b.reading() },
		func() { g.s.Floor[b.bits()%robot.NumFloor] = b.reading() },
		func() { g.s.Battery = b.reading() },
		func() { g.s.Speed = b.reading() },
		func() { g.s.Link = robot.Link(b.bits()) },
		func() { g.s.CommandedSpeed, g.s.CommandedSteering = b.number(), b.number() },
		func() { g.s.Now = b.instant() },
		func() { g.want.At = b.instant() },
		func() { g.r.Report(safety.Causes(b.bits())) },
	}
	for i, part := range parts {
		if what>>i&1 != 0 {
			part()
		}
	}
}

// TestSameCallsSameBits: two reflexes given the same calls agree bit for bit,
// and no history of plausible faults lets a stopped car move.
func TestSameCallsSameBits(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		one, two := newRig(t, withCliffs), newRig(t, withCliffs)
		events := []func(*rig){
			func(g *rig) { g.mute = !g.mute },
			func(g *rig) { g.blind = !g.blind },
			func(g *rig) { g.frozen = !g.frozen },
			func(g *rig) { g.speechless = !g.speechless },
			func(g *rig) { g.floor[0] = 0.55 - g.floor[0] },
			func(g *rig) { g.s.Link = robot.LinkDown - g.s.Link },
			func(g *rig) { g.volts = 13.7 - g.volts },
			func(g *rig) { g.r.EStop() },
			func(g *rig) { g.r.Disarm() },
			func(g *rig) { _ = g.r.Reset() },
			func(g *rig) { _ = g.r.Arm() },
			func(g *rig) { g.want.Speed = 0.35 },
			func(g *rig) { g.want.Speed = -0.35 },
			func(g *rig) { g.want.Speed = float32(math.Inf(1)) },
			func(g *rig) { g.s.Now += time.Second },
		}
		for range rapid.IntRange(1, 30).Draw(rt, "events") {
			event := rapid.SampledFrom(events).Draw(rt, "event")
			one.distance = rapid.Float32Range(0, 5).Draw(rt, "distance")
			two.distance = one.distance
			ticks := rapid.IntRange(1, 80).Draw(rt, "ticks")
			event(one)
			event(two)
			for range ticks {
				one.tick()
				two.tick()
				if one.out != two.out || one.c != two.c {
					rt.Fatalf("%+v (%v) and %+v (%v)", one.out, one.c, two.out, two.c)
				}
			}
		}
	})
}

// TestDigest pins the bits of a long drive with faults: the same digest must
// come out on amd64 and on arm64.
func TestDigest(t *testing.T) {
	g := newRig(t, withCliffs)
	h := uint64(14695981039346656037)
	mix := func(x uint32) { h = (h ^ uint64(x)) * 1099511628211 }
	for i := range 40_000 {
		g.want.Speed = 0.4 * (g.jitter() - 0.9985) * 200
		g.want.Steering = (g.jitter() - 1) * 300
		g.mute, g.frozen = i/500%7 == 3, i/700%9 == 4
		g.floor[i%3] = 0.5
		if i/300%11 == 5 {
			g.floor[1] = 0.1
		}
		g.distance = 0.05 + float32(i%4000)/3000
		g.tick()
		mix(math.Float32bits(g.out.Speed))
		mix(math.Float32bits(g.out.Steering))
		mix(uint32(g.c))
		_, _ = g.r.Reset(), g.r.Arm() // either may rightly refuse
	}
	const want = 0xf5c965a3ad3ad302
	if h != want {
		t.Errorf("digest %#x, want %#x", h, uint64(want))
	}
}
