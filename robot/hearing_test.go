package robot_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fieldbrain/robot"
)

// ExampleHearing is a sensor in front of a wall that is taken away: two silent
// pings could be chance, and then the way counts as free little by little.
func ExampleHearing() {
	h := robot.Hearing{Trust: 1.5}
	h.Echo(0.5, 0)
	for i := 1; i <= 60; i++ {
		r := h.Silence(time.Duration(i) * 40 * time.Millisecond)
		switch i {
		case 2, 3, 25, 60:
			fmt.Printf("%4v ms: heard of nothing up to %.2f m: %v\n", r.At.Milliseconds(), r.Value, r.AtLeast)
		}
	}
	// Output:
	//    0 ms: heard of nothing up to 0.50 m: false
	//  120 ms: heard of nothing up to 0.56 m: true
	// 1000 ms: heard of nothing up to 1.00 m: true
	// 2400 ms: heard of nothing up to 1.50 m: true
}

// TestHearing holds for whatever a sensor hears, in any order:
//
//   - a Reading with AtLeast follows QuietPings silent pings in a row, no fewer
//   - it never reaches beyond Trust, nor farther than a thing heard before can be
//   - an echo is where it was heard, and never has AtLeast
//   - a sensor that does not answer gives no Reading, ever
func TestHearing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := robot.Hearing{Trust: rapid.Float32Range(0, 4).Draw(t, "trust")}
		echo, heard, quiet := float32(0), time.Duration(-1), 0
		now, last := time.Duration(0), time.Duration(0)
		for range rapid.IntRange(1, 60).Draw(t, "pings") {
			now += time.Duration(rapid.Int64Range(1, int64(100*time.Millisecond)).Draw(t, "gap"))
			var r robot.Reading
			switch rapid.IntRange(0, 3).Draw(t, "heard") {
			case 0:
				echo, heard, quiet = rapid.Float32Range(0.02, 4).Draw(t, "range"), now, 0
				if r = h.Echo(echo, now); r != (robot.Reading{Value: echo, At: now, OK: true}) {
					t.Fatalf("an echo from %v m gave %+v", echo, r)
				}
			case 1:
				if quiet, r = 0, h.Miss(); r.OK || r.AtLeast || r.At != last {
					t.Fatalf("a ping without an answer gave %+v, the last reading is of %v", r, last)
				}
			default:
				quiet++
				r = h.Silence(now)
				if free := quiet >= robot.QuietPings && h.Trust > 0; r.OK != free || r.AtLeast != free {
					t.Fatalf("%d silent pings in a row gave %+v", quiet, r)
				}
				if r.OK {
					judge(t, r, &h, echo, heard)
				} else if r.At != last {
					t.Fatalf("a drop-out made %v of %v", r.At, last)
				}
			}
			if r.OK {
				last = r.At
			}
			if h.Last() != r {
				t.Fatalf("last %+v, want %+v", h.Last(), r)
			}
		}
	})
}

// judge holds silence against what was heard before.
func judge(t *rapid.T, r robot.Reading, h *robot.Hearing, echo float32, heard time.Duration) {
	most := float64(h.Trust)
	if heard >= 0 {
		most = math.Min(most, float64(echo)+robot.Recede*(r.At-heard).Seconds())
	}
	if math.Abs(float64(r.Value)-most) > 1e-5 {
		t.Fatalf("silence at %v reaches %v m, want %v: the last echo came from %v m at %v", r.At, r.Value, most, echo, heard)
	}
}

// TestDropOutsAreNotFree: 2 % of lost echoes, C.1's sensor, must not make a wall
// at half a metre vanish within an hour.
func TestDropOutsAreNotFree(t *testing.T) {
	h, seed := robot.Hearing{Trust: 1.5}, uint64(1)
	for i := range 25 * 3600 {
		at := time.Duration(i) * 40 * time.Millisecond
		seed = seed*6364136223846793005 + 1442695040888963407
		if seed>>33%100 >= 2 {
			h.Echo(0.5, at)
			continue
		}
		if r := h.Silence(at); r.OK && r.Value > 0.65 {
			t.Fatalf("after %v a wall at 0.5 m is free up to %v m", at, r.Value)
		}
	}
}
