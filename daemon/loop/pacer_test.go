package loop_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"fieldbrain/daemon/loop"
	"fieldbrain/field"
)

func TestPacerAdvance(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name           string
		why            string
		started, ended time.Duration
		skipped        int
		release        time.Duration
	}{
		{"on time", "the ordinary tick", 10 * ms, 11 * ms, 0, 15 * ms},
		{"to the very end", "the next release is due, not missed", 10 * ms, 15 * ms, 0, 15 * ms},
		{"just too long", "any lateness misses one release", 10 * ms, 15*ms + 1, 1, 20 * ms},
		{"one and a half", "ceil(2.5/5) = 1", 10 * ms, 17*ms + ms/2, 1, 20 * ms},
		{"two and a half", "ceil(7.5/5) = 2", 10 * ms, 22*ms + ms/2, 2, 25 * ms},
		{"twenty", "a long hole is one overrun, not twenty ticks", 10 * ms, 110 * ms, 19, 110 * ms},
		{"woken late", "a release served a period late gives up its own", 17 * ms, 18 * ms, 1, 20 * ms},
		{"no length, on the grid", "a period sees one tick only", 20 * ms, 20 * ms, 2, 25 * ms},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := loop.NewPacer(5*ms, 10*ms)
			if got := p.Advance(c.started, c.ended); got != c.skipped {
				t.Errorf("skipped %d, want %d (%s)", got, c.skipped, c.why)
			}
			if got := p.Release(); got != c.release {
				t.Errorf("release at %v, want %v (%s)", got, c.release, c.why)
			}
		})
	}
}

// Any mix of lateness and busy time keeps the promises of the type's comment.
func TestPacerProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		period := time.Duration(rapid.Int64Range(int64(field.MinPeriod), int64(field.MaxPeriod)).Draw(t, "period"))
		first := time.Duration(rapid.Int64Range(0, 1<<50).Draw(t, "first"))
		p := loop.NewPacer(period, first)
		lateness := rapid.Int64Range(0, 8*int64(period))
		lastPeriod := int64(-1)
		ticks, skipped := int64(0), int64(0)
		for range rapid.IntRange(1, 40).Draw(t, "ticks") {
			release := p.Release()
			started := release + time.Duration(lateness.Draw(t, "late"))
			ended := started + time.Duration(lateness.Draw(t, "busy"))
			in := int64((started - first) / period)
			if in <= lastPeriod {
				t.Fatalf("two ticks in period %d", in)
			}
			lastPeriod = in
			n := p.Advance(started, ended)
			next := p.Release()
			ticks++
			skipped += int64(n)
			if next <= release || next < ended || next <= started {
				t.Fatalf("release %v after a tick %v .. %v released at %v", next, started, ended, release)
			}
			if next-ended >= period && next-started > period {
				t.Fatalf("release %v is more than a period after %v", next, ended)
			}
			want := int64(0)
			if late := ended - (release + period); late > 0 {
				want = int64((late + period - 1) / period)
			}
			if started != ended && int64(n) != want {
				t.Fatalf("skipped %d, want ceil(late/period) = %d", n, want)
			}
		}
		if got, want := p.Release()-first, time.Duration(ticks+skipped)*period; got != want {
			t.Fatalf("left the grid: %v, want %v", got, want)
		}
	})
}
