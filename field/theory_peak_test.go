package field_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/testbench/tier"
)

// decision returns the channel the numbers of T7 to T10 were obtained with:
// SEL1, tau 80 ms, without diffusion.
func decision() field.Channel {
	ch := channel(field.X, field.SEL1(), 80*ms)
	ch.Diffusion = 0
	return ch
}

// TestT6ShiftEquivariance: an input moved by whole bins along X moves the
// solution with it, bit for bit.
func TestT6ShiftEquivariance(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	rng := fresh(t)
	for _, row := range thresholds()[:7] {
		shift := 1 + rng.IntN(field.Side-1)
		solve := func(by int) []float32 {
			rng := rand.New(rand.NewPCG(7, uint64(shift)))
			r := one(t, 5*ms, channel(row.mask, row.regime, 50*ms))
			for range 60 {
				a, b := bump(solo, uniform(rng, 2, 8)), bump(solo, uniform(rng, 2, 8))
				a.Centre = [3]float32{float32(rng.IntN(32)) + 0.25, 12, 20}
				b.Centre = [3]float32{float32(rng.IntN(32)) + 0.5, 15, 16}
				a.Centre[0] = float32(math.Mod(float64(a.Centre[0])+float64(by), field.Side))
				b.Centre[0] = float32(math.Mod(float64(b.Centre[0])+float64(by), field.Side))
				r.step(t, a, b)
			}
			return r.activation(solo)
		}
		still, moved := solve(0), solve(shift)
		for i, u := range still {
			j := (i + shift*field.Plane) % field.Cells
			if math.Float32bits(u) != math.Float32bits(moved[j]) {
				t.Fatalf("%s moved by %d: cell %d has %v, before %v", row.regime.Name, shift, j, moved[j], u)
			}
		}
	}
}

// TestT7PositionCode: a peak's centroid tells where its input is to a fraction
// of a bin, wherever between two bins it lies.
func TestT7PositionCode(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	worst, mean := 0.0, 0.0
	for a := 4; a <= 10; a++ {
		apart := 0.0
		for offset := range 20 {
			x := 16 + float64(offset)/20
			r := one(t, 5*ms, decision())
			out := r.run(t, time.Second, 5*ms, field.At(solo, float32(a), x, 2))
			position, _ := field.Centroid(&out.Marginals[solo].X)
			apart = max(apart, math.Abs(position-x))
		}
		worst, mean = max(worst, apart), mean+apart/7
	}
	t.Logf("worst %.3f bin, mean of worst %.3f", worst, mean)
	if !(worst <= 0.27) {
		t.Errorf("worst centroid error %.3f bin, want <= 0.27", worst)
	}
	if !(mean <= 0.12) {
		t.Errorf("mean of the worst centroid errors %.3f bin, want <= 0.12", mean)
	}
}

// TestT8FusionSelection: two equal inputs fuse into one peak in their middle up
// to 5 bins apart; from 6 on one of them is selected. A little noise takes the
// field off the ridge between two equal choices.
func TestT8FusionSelection(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	for separation := 1; separation <= 16; separation++ {
		ch := decision()
		ch.Noise = 0.05
		r := one(t, 5*ms, ch)
		a, b := field.At(solo, 6, 8, 2), field.At(solo, 6, 8+float64(separation), 2)
		out := r.run(t, 4*time.Second, 5*ms, a, b)
		peaks := field.Peaks(nil, &out.Marginals[solo].X, true, 0.01)
		if len(peaks) != 1 {
			t.Errorf("%d bins apart: %d peaks, want 1", separation, len(peaks))
			continue
		}
		at := peaks[0].Position
		fromMiddle := math.Abs(at - 8 - float64(separation)/2)
		fromInput := min(math.Abs(at-8), math.Abs(at-8-float64(separation)))
		if separation <= 5 && fromMiddle > 0.15 {
			t.Errorf("%d bins apart: peak at %.2f, want the middle", separation, at)
		}
		if separation >= 6 && fromInput > 0.75 {
			t.Errorf("%d bins apart: peak at %.2f, want one of the inputs", separation, at)
		}
	}
}

// track follows an input that moves at speed (bins/s) while the body turns, and
// returns the mean lag in bins and the least u_max, after a second to come to rest.
func track(t *testing.T, ch field.Channel, speed, turning float64) (lag float64, umax float32) {
	const period = 5 * ms
	r := one(t, period, ch)
	x := 16.0
	r.run(t, time.Second, period, field.At(solo, 6, x, 2))
	r.in.Turn = float32(turning * period.Seconds() * field.BinAngle)
	umax = 100
	for i := range 800 {
		x += speed * period.Seconds()
		out := r.step(t, field.At(solo, 6, x-field.Side*math.Floor(x/field.Side), 2))
		position, _ := field.Centroid(&out.Marginals[solo].X)
		if i >= 200 {
			umax = min(umax, r.highest(solo))
			lag += math.Abs(math.Remainder(x-position, field.Side)) / 600
		}
	}
	return lag, umax
}

// TestT9Tracking: a peak follows a moving input with a lag, dies and forms anew
// when the input is too fast, and hardly lags when the motion is the body's own.
func TestT9Tracking(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	for _, tt := range []struct {
		speed, lag float64
	}{{5, 1.1}, {10, 2.3}} {
		lag, umax := track(t, decision(), tt.speed, 0)
		if !(math.Abs(lag-tt.lag) <= 0.1) || umax < 3 {
			t.Errorf("%v bins/s: lag %.2f bins at u_max %.2f, want %.1f +- 0.1", tt.speed, lag, umax, tt.lag)
		}
	}
	if lag, umax := track(t, decision(), 20, 0); umax >= 0 {
		t.Errorf("20 bins/s: lag %.2f bins, u_max never below %.2f, want the peak lost", lag, umax)
	}
	ch := decision()
	ch.Egocentric = true
	if lag, umax := track(t, ch, -16, 16); !(lag < 0.3) || umax < 3 {
		t.Errorf("turning at 16 bins/s: lag %.2f bins at u_max %.2f, want < 0.3", lag, umax)
	}
}

// TestT10OnsetRelease: A = 6 from rest is detected after 110 ms and forgotten
// 140 ms after it is gone.
func TestT10OnsetRelease(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	const period = 5 * ms
	r := one(t, period, decision())
	var u []float32
	for range 240 {
		r.step(t, bump(solo, 6))
		u = append(u, r.highest(solo))
	}
	after := func(level float32) time.Duration {
		for i, v := range u {
			if v > level {
				return time.Duration(i+1) * period
			}
		}
		return time.Hour
	}
	within := func(what string, got, want, tolerance time.Duration) {
		t.Helper()
		if got < want-tolerance || got > want+tolerance {
			t.Errorf("%s after %v, want %v +- %v", what, got, want, tolerance)
		}
	}
	within("u > 0", after(0), 110*ms, 10*ms)
	within("90 %", after(-5+0.9*(u[len(u)-1]+5)), 290*ms, 15*ms)
	released := time.Duration(0)
	for r.highest(solo) >= 0 && released < time.Second {
		r.step(t)
		released += period
	}
	within("u < 0", released, 140*ms, 10*ms)
}

// TestT11MultiItem: DET2 keeps two peaks 8 bins apart and merges them at 6.
func TestT11MultiItem(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	for _, tt := range []struct{ separation, peaks int }{{6, 1}, {8, 2}} {
		for _, nu := range []float32{0, 0.02} {
			ch := channel(field.XY, field.DET2(), 50*ms)
			ch.Diffusion = nu
			r := one(t, 5*ms, ch)
			a, b := bump(solo, 7), bump(solo, 7)
			a.Centre[0], b.Centre[0] = 12, 12+float32(tt.separation)
			out := r.run(t, time.Second, 5*ms, a, b)
			peaks := field.Peaks(nil, &out.Marginals[solo].X, true, 0.5)
			if len(peaks) != tt.peaks {
				t.Errorf("%d bins apart, nu %v: %d peaks, want %d", tt.separation, nu, len(peaks), tt.peaks)
			}
		}
	}
}
