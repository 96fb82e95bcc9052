package loop_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/daemon/loop"
)

const ms = time.Millisecond

// bubble is the fake time of a synctest bubble as a robot.Clock.
type bubble struct{ epoch time.Time }

func (b bubble) Now() time.Duration { return time.Since(b.epoch) }

func (b bubble) SleepUntil(t time.Duration) {
	if d := t - b.Now(); d > 0 {
		time.Sleep(d)
	}
}

// plain asks the kernel for nothing, so that a test changes no thread.
func plain(warmUp int) loop.Params {
	return loop.Params{Period: 5 * ms, WarmUp: warmUp, CPU: -1}
}

func TestLoopCountsStallsExactly(t *testing.T) {
	for _, c := range []struct {
		name, why         string
		stall             time.Duration // busy time of the eighth tick
		overruns, skipped uint64
		ticks             uint64 // within 100 ms, releases at 5, 10, ... 100
	}{
		{"none", "a tick of no length", 0, 0, 0, 20},
		{"within the period", "busy is not late", 4 * ms, 0, 0, 20},
		{"exactly the period", "finished when the next is due", 5 * ms, 0, 0, 20},
		{"two and a half periods", "12.5 ms miss two releases", 12*ms + ms/2, 1, 2, 18},
		{"ten periods", "one overrun, no burst", 50 * ms, 1, 9, 11},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				clock := bubble{time.Now()}
				var starts []time.Duration
				tick := func(now time.Duration) {
					starts = append(starts, now)
					if len(starts) == 8 && c.stall > 0 {
						time.Sleep(c.stall)
					}
				}
				l, err := loop.New(clock, plain(1), loop.Hooks{Tick: tick})
				if err != nil {
					t.Fatal(err)
				}
				// Half a period before release 21: stopping is seen there.
				ctx, cancel := context.WithTimeout(t.Context(), 98*ms)
				defer cancel()
				if err := l.Run(ctx); err != nil {
					t.Fatal(err)
				}
				want := loop.Counts{Ticks: c.ticks, Overruns: c.overruns, Skipped: c.skipped}
				if d := cmp.Diff(l.Counts(), want); d != "" {
					t.Errorf("counts (%s), got -, want +:\n%s", c.why, d)
				}
				for i, at := range starts {
					if at%(5*ms) != 0 {
						t.Errorf("tick %d began at %v, off the grid", i, at)
					}
					if i > 0 && at-starts[i-1] < 5*ms {
						t.Errorf("ticks %d and %d only %v apart", i-1, i, at-starts[i-1])
					}
				}
			})
		})
	}
}

// The first tick and the warm-up are slow by nature and would own every maximum.
func TestLoopLeavesWarmUpOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		var warm []bool
		l, err := loop.New(bubble{time.Now()}, plain(3), loop.Hooks{
			Tick: func(time.Duration) {
				if n++; n <= 3 {
					time.Sleep(7 * ms)
				}
			},
			After: func(s loop.Sample) { warm = append(warm, s.Warm) },
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 48*ms)
		defer cancel()
		if err := l.Run(ctx); err != nil {
			t.Fatal(err)
		}
		want := loop.Counts{Ticks: uint64(len(warm))}
		if got := l.Counts(); got != want {
			t.Errorf("counts %+v, want %+v", got, want)
		}
		if d := cmp.Diff(warm[:5], []bool{false, false, false, true, true}); d != "" {
			t.Error(d)
		}
	})
}

func TestLoopReturnsPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		l, err := loop.New(bubble{time.Now()}, plain(1), loop.Hooks{Tick: func(time.Duration) {
			if n++; n == 3 {
				panic("lost a wheel")
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		err = l.Run(t.Context())
		if err == nil || !strings.Contains(err.Error(), "tick 2 panicked: lost a wheel") {
			t.Errorf("Run() = %v, want the panic", err)
		}
		if err != nil && !strings.Contains(err.Error(), "loop_test.go") {
			t.Errorf("the error does not carry the stack: %v", err)
		}
	})
}

func TestNewLoopRefusesPeriods(t *testing.T) {
	for _, p := range []time.Duration{0, -ms, 2 * ms, 41 * ms} {
		params := plain(1)
		params.Period = p
		if _, err := loop.New(bubble{}, params, loop.Hooks{Tick: func(time.Duration) {}}); err == nil {
			t.Errorf("period %v was accepted", p)
		}
	}
}
