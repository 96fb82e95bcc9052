package telemetry_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/brain"
	"fieldbrain/brain/quality"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// options are those of a run in a folder of the test.
func options(t testing.TB, length time.Duration) telemetry.Options {
	t.Helper()
	folder := t.TempDir()
	return telemetry.Options{
		Page: filepath.Join(folder, "a.page"), Ring: filepath.Join(folder, "a.ring"), Length: length,
		Identity: telemetry.Identity{Program: "test", Body: "sim", World: "room", Period: 5 * time.Millisecond},
	}
}

// begin makes the files of a run.
func begin(t testing.TB, o telemetry.Options) *telemetry.Writer {
	t.Helper()
	w, err := telemetry.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// page opens a page.
func page(t testing.TB, path string) *telemetry.Page {
	t.Helper()
	p, err := telemetry.OpenPage(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// numbered returns a tick that is full of its own number.
func numbered(n int) telemetry.Tick {
	var t telemetry.Tick
	fill(reflect.ValueOf(&t).Elem(), uint64(n))
	t.Number, t.Flags = uint64(n), telemetry.TickWarm
	return t
}

// fill puts a number into every field.
func fill(v reflect.Value, n uint64) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), n)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(n))
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(n))
	default:
		v.SetUint(n)
	}
}

// TestStateComesBack holds that a tick keeps what the body sensed and what it was told,
// bit for bit.
func TestStateComesBack(t *testing.T) {
	var want robot.State
	number := 0
	var set func(v reflect.Value)
	set = func(v reflect.Value) {
		number++
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				set(v.Field(i))
			}
		case reflect.Array:
			for i := range v.Len() {
				set(v.Index(i))
			}
		case reflect.Bool:
			v.SetBool(number%3 == 0)
		case reflect.Float32:
			v.SetFloat(float64(number) / 7)
		case reflect.Uint8:
			v.SetUint(uint64(number % 4))
		case reflect.Uint64:
			v.SetUint(uint64(number))
		default:
			v.SetInt(int64(number))
		}
	}
	set(reflect.ValueOf(&want).Elem())
	toldByRangesAlone(&want)
	var command robot.Command
	set(reflect.ValueOf(&command).Elem())
	var tick telemetry.Tick
	tick.SetTrace(&brain.Trace{Command: command}, loop.Sample{})
	tick.SetState(&want)
	if got := tick.State(); got != want {
		t.Errorf("state\n%+v, want\n%+v", got, want)
	}
	if got := tick.Command(); got != command {
		t.Errorf("command %+v, want %+v", got, command)
	}
}

// TestHeardComesBack holds that a tick keeps everything that entered it, bit for bit,
// and says so where it has no room for it.
func TestHeardComesBack(t *testing.T) {
	want := brain.TickInput{
		Tick: 7, Now: 8 * time.Second, Heat: quality.Warm, Save: true, Slowed: true, Tight: true, Fault: true,
		Strain: safety.Overrun, Guard: safety.Unguarded, NumCalls: 2,
		Calls: [brain.MaxCalls]brain.Call{{Do: brain.CallTrip, Causes: safety.Paused}, {Do: brain.CallDisarm}},
		Asked: brain.AskGo, Order: brain.Order{Do: brain.DoGoal, X: 1.1, Y: -2.3}, Stop: true, Outcome: -0.3,
		Manual: brain.ManualInput{Driver: brain.DriverPerson, Throttle: 0.7, Steering: -0.2, Source: brain.Source{'p', 'a', 'd'}},
	}
	want.State.Range[robot.Front] = robot.Reading{Value: 0.7, At: 9, OK: true, AtLeast: true, ReportedAt: 11}
	for i := range want.Laps {
		want.Laps[i] = time.Duration(1000 + i)
	}
	keep := func(h brain.TickInput) (brain.TickInput, bool) {
		var tick telemetry.Tick
		tick.SetTrace(&brain.Trace{Tick: h.Tick, Now: h.Now, Laps: h.Laps}, loop.Sample{})
		tick.SetTickInput(&h)
		return tick.TickInput()
	}
	if got, whole := keep(want); got != want || !whole {
		t.Errorf("whole %v\n%+v, want\n%+v", whole, got, want)
	}
	still := want
	still.Laps = [brain.NumStages]time.Duration{}
	var tick telemetry.Tick
	tick.SetTrace(&brain.Trace{Tick: still.Tick, Now: still.Now}, loop.Sample{})
	tick.SetTickInput(&still)
	tick.SetLength(telemetry.Encode, -1)
	if got, whole := tick.TickInput(); got != still || !whole {
		t.Errorf("a stage without a length took %v", got.Laps[brain.Encode])
	}
	much := want
	much.NumCalls = 5
	if _, whole := keep(much); whole {
		t.Error("five calls have no room, and the tick calls itself whole")
	}
	far := want
	far.Laps[brain.Encode] = 5 * time.Second
	if _, whole := keep(far); whole {
		t.Error("a stage of 5 s has no room, and the tick calls itself whole")
	}
}

// toldByRangesAlone takes away what no other reading has.
func toldByRangesAlone(s *robot.State) {
	for i := range s.Floor {
		s.Floor[i].ReportedAt = 0
	}
	for _, r := range []*robot.Reading{&s.Battery, &s.Yaw, &s.Speed, &s.Target.Bearing, &s.Target.Elevation, &s.Target.Size, &s.Target.Confidence} {
		r.ReportedAt = 0
	}
}

// TestRing holds that a ring keeps its newest ticks in order, whole.
func TestRing(t *testing.T) {
	const long = 100
	o := options(t, long*5*time.Millisecond)
	w := begin(t, o)
	for n := range 3*long + 7 {
		tick := numbered(n)
		w.Tick(&tick, loop.Counts{Ticks: uint64(n + 1)})
	}
	for _, lives := range []bool{true, false} {
		if !lives {
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		r, err := telemetry.OpenRing(o.Ring)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for most, want := range map[int]int{0: long, 10: 10, long + 5: long} {
			f, err := r.Flight(most)
			if err != nil {
				t.Fatal(err)
			}
			number := 3*long + 7 - want
			for tick := range f.Ticks() {
				if *tick != numbered(number) {
					t.Fatalf("tick %d is not as it was written: %+v", number, *tick)
				}
				number++
			}
			if number != 3*long+7 || f.Missed() != 0 || f.Err() != nil {
				t.Errorf("ends before tick %d, %d missed, %v; want tick %d", number, f.Missed(), f.Err(), 3*long+7)
			}
		}
		if is, err := r.Written(); is != lives || err != nil {
			t.Errorf("written: %v, %v; want %v", is, err, lives)
		}
		if r.Run().Ended.IsZero() != lives {
			t.Errorf("ended at %v, and lives is %v", r.Run().Ended, lives)
		}
	}
}

// TestBefore holds that a run leaves the one before readable, and that two runs never
// write one file.
func TestBefore(t *testing.T) {
	o := options(t, time.Second)
	first := begin(t, o)
	tick := numbered(1)
	first.Tick(&tick, loop.Counts{Ticks: 1})
	if w, err := telemetry.New(o); err == nil {
		w.Close()
		t.Fatal("a second run took the files of one that lives")
	}
	tick = numbered(2)
	first.Tick(&tick, loop.Counts{Ticks: 2})
	if n, err := page(t, o.Page).Newest(); err != nil || n.Ticks != 2 {
		t.Fatalf("after a second run's try the first one's page has %d ticks, %v", n.Ticks, err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := begin(t, o)
	defer second.Close()
	if n, err := page(t, telemetry.Before(o.Page)).Newest(); err != nil || n.Ticks != 2 {
		t.Errorf("the page before has %d ticks, %v; want 2", n.Ticks, err)
	}
	info, err := os.Stat(o.Page)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the page's mode is %v, %v; want -rw-r-----", info.Mode(), err)
	}
}

// TestNoLink holds that a planted link is replaced and never written through.
func TestNoLink(t *testing.T) {
	o := options(t, time.Second)
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("keep"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{o.Page, o.Ring, o.Page + ".new", telemetry.Before(o.Page)} {
		if err := os.Symlink(victim, p); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := telemetry.OpenPage(o.Page); err == nil {
		t.Error("a reader followed a link")
	}
	w := begin(t, o)
	defer w.Close()
	page(t, o.Page)
	if text, err := os.ReadFile(victim); string(text) != "keep" || err != nil {
		t.Errorf("the link's file now holds %q, %v", text, err)
	}
}

// TestCutShort holds that a file that is cut short under its writer ends the writing
// with a reason, and neither the process nor the loop.
func TestCutShort(t *testing.T) {
	for _, which := range []string{"page", "ring"} {
		o := options(t, time.Second)
		w := begin(t, o)
		tick := numbered(3)
		w.Tick(&tick, loop.Counts{Ticks: 1})
		path := map[string]string{"page": o.Page, "ring": o.Ring}[which]
		if err := os.Truncate(path, 0); err != nil {
			t.Fatal(err)
		}
		w.Respond(time.Millisecond)
		w.Tick(&tick, loop.Counts{Ticks: 2})
		if w.Err() == nil {
			t.Errorf("%s: cut short, and the writer noticed nothing", which)
		}
		c := telemetry.Nothing()
		w.Car(&c)
		if err := w.Close(); err != nil {
			t.Errorf("%s: close: %v", which, err)
		}
	}
}

// TestFullDisk holds that files that find no room are refused at the start, with
// nothing left behind, and not at a store in the middle of a drive.
func TestFullDisk(t *testing.T) {
	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	o := options(t, time.Minute)
	small := before
	small.Cur = 1 << 20
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &small); err != nil {
		t.Fatal(err)
	}
	w, err := telemetry.New(o)
	if err2 := unix.Setrlimit(unix.RLIMIT_FSIZE, &before); err2 != nil {
		t.Fatal(err2)
	}
	if err == nil {
		w.Close()
		t.Fatal("a ring of several megabytes fits into one")
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(o.Page), "*"))
	if len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestNeverTorn holds that whoever reads beside the writer gets whole ticks only: each
// is full of one number, and numbers never go back.
func TestNeverTorn(t *testing.T) {
	o := options(t, 200*time.Millisecond) // 41 records: the writer overtakes every reader
	w := begin(t, o)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for n := range 20000 {
			tick := numbered(n)
			w.Tick(&tick, loop.Counts{Ticks: uint64(n + 1)})
		}
	}()
	p := page(t, o.Page)
	r, err := telemetry.OpenRing(o.Ring)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	last, reads := uint64(0), 0
	for over := false; !over; {
		select {
		case <-ended:
			over = true
		default:
		}
		n, err := p.Newest()
		if errors.Is(err, telemetry.ErrEmpty) || errors.Is(err, telemetry.ErrDamaged) {
			continue // the writer is faster here than any loop: some looks find nothing whole
		}
		if err != nil {
			t.Fatal(err)
		}
		if n.Tick != numbered(int(n.Tick.Number)) || n.Ticks != n.Tick.Number+1 || n.Tick.Number < last {
			t.Fatalf("after tick %d a tick of several: %+v", last, n)
		}
		last = n.Tick.Number
		reads++
		f, err := r.Flight(0)
		if err != nil {
			t.Fatal(err)
		}
		for tick := range f.Ticks() {
			if *tick != numbered(int(tick.Number)) {
				t.Fatalf("the ring gives a tick of several: %+v", *tick)
			}
		}
	}
	if last != 19999 || reads < 10 {
		t.Errorf("%d reads, the last one of tick %d", reads, last)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
