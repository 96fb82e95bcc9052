package loop_test

import (
	"bytes"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fieldbrain/brain"
	"fieldbrain/daemon/loop"
)

// tickOf makes a trace and a sample of one tick with the given numbers.
func tickOf(step, late time.Duration) (brain.Trace, loop.Sample) {
	var t brain.Trace
	t.Laps[brain.Step] = step
	return t, loop.Sample{Start: late, End: late + step, Warm: true}
}

func TestRecorderPercentiles(t *testing.T) {
	r := loop.NewRecorder()
	for i := 1; i <= 1000; i++ {
		tr, s := tickOf(time.Duration(i)*time.Microsecond, time.Duration(i)*10)
		r.Record(&tr, s)
	}
	cold, s := tickOf(time.Hour, time.Hour)
	s.Warm = false
	r.Record(&cold, s) // left out
	r.Respond(7 * ms)
	r.Finish()
	table := r.Table(loop.Counts{Ticks: 1001})
	row := table.Rows[brain.Step]
	for _, c := range []struct {
		name      string
		got, want time.Duration
	}{
		{"p50", row.P50, 500 * time.Microsecond},
		{"p90", row.P90, 900 * time.Microsecond},
		{"p99", row.P99, 990 * time.Microsecond},
		{"p99.9", row.P999, 999 * time.Microsecond},
	} {
		if c.got < c.want || c.got > c.want+c.want/100 {
			t.Errorf("%s = %v, want %v within 1 %%", c.name, c.got, c.want)
		}
	}
	if row.Max != ms || row.Count != 1000 {
		t.Errorf("max %v of %d, want exactly 1ms of 1000", row.Max, row.Count)
	}
	if got := table.Rows[loop.Response]; got.Max != 7*ms || got.P50 != 7*ms {
		t.Errorf("response row %+v, want 7ms", got)
	}
	if got := table.Rows[loop.Wake].Max; got != 10*time.Microsecond {
		t.Errorf("largest lateness %v, want 10us", got)
	}
}

// A loop that misses one release in ten is not punctual, however well it met
// the other nine.
func TestMissedReleasesAreLate(t *testing.T) {
	for _, c := range []struct {
		name, why string
		skipped   int
		count     int64
		p99, max  time.Duration
	}{
		{"none", "only the tick's own lateness", 0, 100, 10 * time.Microsecond, 10 * time.Microsecond},
		{"one", "it waits one period for the next release", 1, 101, 10 * time.Microsecond, 5 * ms},
		{"ten", "the first of them waits ten periods", 10, 110, 45 * ms, 50 * ms},
		{"an hour", "all beyond the longest value count as that", 720_000, 720_100, time.Minute, time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := loop.NewRecorder()
			for i := range 100 {
				tr, s := tickOf(0, 10*time.Microsecond)
				s.Next = 5 * ms
				if i == 50 {
					s.Skipped, s.Next = c.skipped, time.Duration(c.skipped+1)*5*ms
				}
				r.Record(&tr, s)
			}
			r.Finish()
			row := r.Table(loop.Counts{}).Rows[loop.Wake]
			if row.Count != c.count || row.Max != c.max || row.P99 < c.p99 || row.P99 > c.p99+c.p99/100 {
				t.Errorf("got %+v, want %d values, p99 %v, max %v: %s", row, c.count, c.p99, c.max, c.why)
			}
		})
	}
}

// The recorder loses nothing and counts nothing twice, in any order of records
// and publishing.
func TestRecorderLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := loop.NewRecorder()
		want := int64(0)
		for _, publish := range rapid.SliceOfN(rapid.Bool(), 0, 60).Draw(t, "publish") {
			if publish {
				r.Publish()
				continue
			}
			tr, s := tickOf(time.Duration(rapid.Int64Range(-5, 1e12).Draw(t, "step")), 0)
			r.Record(&tr, s)
			want++
		}
		if got := r.Table(loop.Counts{}).Rows[loop.Busy].Count; got > want {
			t.Fatalf("%d published of %d", got, want)
		}
		r.Finish()
		if got := r.Table(loop.Counts{}).Rows[loop.Busy].Count; got != want {
			t.Fatalf("%d recorded, want %d", got, want)
		}
	})
}

// Readers and the loop at the same time: the race detector is the judge.
func TestRecorderConcurrent(t *testing.T) {
	r := loop.NewRecorder()
	const ticks = 20000
	var ended atomic.Bool
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for !ended.Load() {
				r.Publish()
				r.Table(loop.Counts{})
			}
		})
	}
	for range ticks {
		tr, s := tickOf(ms, ms)
		r.Record(&tr, s)
	}
	ended.Store(true)
	readers.Wait()
	r.Finish()
	if got := r.Table(loop.Counts{}).Rows[loop.Busy].Count; got != ticks {
		t.Errorf("%d ticks recorded, want %d", got, ticks)
	}
}

func TestLoopThreadDoesNotAllocate(t *testing.T) {
	r := loop.NewRecorder()
	tr, s := tickOf(ms, ms)
	var box loop.Box[brain.Trace]
	overload := loop.NewOverload(loop.DefaultOverload(), 5*ms)
	n := testing.AllocsPerRun(1000, func() {
		r.Record(&tr, s)
		r.Respond(3 * ms)
		r.Respond(time.Hour) // beyond the longest value: clamped, not an error
		box.TrySet(&tr)
		overload.Observe(1)
	})
	if n != 0 {
		t.Errorf("%v allocations per tick, want 0", n)
	}
}

func TestRecorderSpread(t *testing.T) {
	r := loop.NewRecorder()
	for _, late := range []time.Duration{5, 15, 150, 5000} {
		tr, s := tickOf(0, late*time.Microsecond)
		r.Record(&tr, s)
	}
	r.Finish()
	const us = time.Microsecond
	got := r.Spread(loop.Wake, []time.Duration{10 * us, 100 * us, 1000 * us})
	if d := cmp.Diff(got, []int64{1, 1, 1, 1}); d != "" {
		t.Errorf("got -, want +:\n%s", d)
	}
}

func TestTablePrint(t *testing.T) {
	r := loop.NewRecorder()
	tr, s := tickOf(1234*time.Microsecond, 25*time.Microsecond)
	r.Record(&tr, s)
	r.Finish()
	var out bytes.Buffer
	if err := r.Table(loop.Counts{Ticks: 2, Overruns: 1, Skipped: 3}).Print(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"p99.9", "1.23 ms", "25.0 us", "wake-up", "ticks 2, overruns 1, periods skipped 3"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, out.String())
		}
	}
}

func TestShort(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 ns", 999: "999 ns", 1500: "1.5 us", 2 * ms: "2.00 ms", 90 * time.Second: "90.00 s",
	} {
		if got := loop.Short(d); got != want {
			t.Errorf("Short(%d) = %q, want %q", d, got, want)
		}
	}
}

func TestBox(t *testing.T) {
	var box loop.Box[int]
	if got := box.Get(); got != 0 {
		t.Errorf("an empty box holds %d", got)
	}
	v := 5
	if !box.TrySet(&v) {
		t.Error("no reader is there, yet the box refused the value")
	}
	if got := box.Get(); got != 5 {
		t.Errorf("the box holds %d, want 5", got)
	}
}
