package replay_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fieldbrain/brain/memory"
	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/cmd/fieldbrain/replay"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/recording"
	"fieldbrain/field"
	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/tier"
)

// recordFrozen drives a world with planner, library and faults, and freezes the brain
// every so often.
func recordFrozen(t testing.TB, world string, length, every time.Duration) []byte {
	t.Helper()
	sc, err := family.Open(world)
	if err != nil {
		t.Fatal(err)
	}
	settings := config.Default()
	settings.Brain.Explore = true
	d := drive.New(settings)
	var b bytes.Buffer
	d.Tape = drive.NewTape(&b, "test")
	d.Tape.Every = every
	if _, err := d.Virtual(sc, 7, "brain", testbench.Options{Length: length, Period: time.Duration(settings.Loop.Period)}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// onDisk writes a recording's file.
func onDisk(t testing.TB, folder, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// from replays a recording from so far into it.
func from(t testing.TB, at time.Duration, paths ...string) (*recording.Frozen, *replay.Report) {
	t.Helper()
	c, err := replay.Open(paths...)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	start, err := c.Seek(at)
	if err != nil {
		t.Fatal(err)
	}
	report, err := replay.Run(c, &c.Head, replay.Options{Start: start})
	if err != nil {
		t.Fatal(err)
	}
	return start, report
}

// TestFrom: a replay from the middle of a drive begins with the brain as it was then, and
// gives what the whole replay gives, to the last bit of the field. What lies before
// does not matter to it.
func TestFrom(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	length := time.Duration(tier.Count(t, "seconds", 6, 20, 60)) * time.Second
	file := recordFrozen(t, "storm", length, 2*time.Second)
	path := onDisk(t, t.TempDir(), "a.mcap", file)
	none, whole := from(t, 0, path)
	if none != nil || !whole.Exact() {
		t.Fatalf("the whole: %+v, %+v", whole, whole.First)
	}
	for _, at := range []time.Duration{2100 * time.Millisecond, 5 * time.Second, length * 9 / 10} {
		start, report := from(t, at, path)
		if start == nil || start.At > at || start.At < at-2100*time.Millisecond {
			t.Fatalf("from %v: %+v", at, start)
		}
		if !report.Exact() || report.Hash != whole.Hash || report.Begun != start.Tick || report.Begun+report.Ticks != whole.Ticks {
			t.Errorf("from %v: %+v, %+v, want field %s", at, report, report.First, whole.Hash)
		}
	}
	if start, report := from(t, time.Second, path); start != nil || !report.Exact() || report.Begun != 0 {
		t.Errorf("before the first frozen brain: %v, %+v", start, report)
	}
}

// TestTorn: files whose first one was taken away replay from their first frozen brain.
func TestTorn(t *testing.T) {
	tier.Alone(t, "one goroutine reads and repeats")
	file := recordFrozen(t, "room", 6*time.Second, 2*time.Second)
	r, err := recording.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.Head.Facts["segment"] = "2"
	var b bytes.Buffer
	w, err := recording.NewWriter(&b, &r.Head)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Carry(bytes.NewReader(file)); err != nil {
		t.Fatal(err)
	}
	for e := (recording.Entry{}); r.Next(&e.Tick) == nil; {
		if e.Input.Tick < 300 {
			continue
		}
		if err := w.Write(&e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	start, report := from(t, 0, onDisk(t, t.TempDir(), "b.mcap", b.Bytes()))
	if start == nil || start.Tick < 300 || start.Tick > 500 || !report.Exact() || report.Ticks < 700 {
		t.Errorf("%v, %+v", start != nil, report)
	}
}

// TestHostileFrozen: a frozen brain that no brain ever was ends the replay with an error
// or shows as a difference; it breaks nothing.
func TestHostileFrozen(t *testing.T) {
	tier.Alone(t, "one goroutine reads and repeats")
	file := recordFrozen(t, "room", 3*time.Second, 2*time.Second)
	path := onDisk(t, t.TempDir(), "a.mcap", file)
	for _, spoil := range []func(data []byte) []byte{
		func(data []byte) []byte { return data[:len(data)/2] },
		func(data []byte) []byte { return nil },
		func(data []byte) []byte { data[len(data)/3] ^= 0x40; return data },
	} {
		c, err := replay.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		start, err := c.Seek(2500 * time.Millisecond)
		if err != nil || start == nil {
			t.Fatal(err, start)
		}
		start.Data = spoil(start.Data)
		if report, err := replay.Run(c, &c.Head, replay.Options{Start: start}); err == nil && report.Exact() && len(start.Data) > 0 {
			t.Errorf("a spoiled brain of %d bytes replays exactly", len(start.Data))
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestForgedFrozen: a frozen brain whose sums are right and whose numbers no tick makes
// ends the replay with an error or shows as a difference, whether the recording begins with
// it or has it in its middle; the program goes on.
func TestForgedFrozen(t *testing.T) {
	tier.Alone(t, "one goroutine reads and repeats")
	file := recordFrozen(t, "room", 3*time.Second, 2*time.Second)
	path := onDisk(t, t.TempDir(), "a.mcap", file)
	table := field.PiCarX()
	for n := range uint64(tier.Count(t, "forgeries", 8, 32, 128)) {
		c, err := replay.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		start, err := c.Seek(2500 * time.Millisecond)
		if err != nil || start == nil {
			t.Fatal(err, start)
		}
		shot, err := memory.Decode(start.Data, &table)
		if err != nil {
			t.Fatal(err)
		}
		draw := rand.New(rand.NewPCG(n, 1))
		const head, tail = 8, 4 << 10 // its kind and its pointers, which are looked at
		for i := head; i < len(shot.Frozen)-tail; i++ {
			if shot.Frozen[i] > 1 && draw.IntN(500) == 0 { // other bools are refused
				shot.Frozen[i] ^= 0x81
			}
		}
		forged, err := shot.Encode()
		if err != nil {
			t.Fatal(err)
		}
		o := replay.Options{Start: &recording.Frozen{Tick: start.Tick, At: start.At, Data: forged}}
		if n%2 == 1 {
			o.Start, c.Head.Brain = nil, forged
		}
		if report, err := replay.Run(c, &c.Head, o); err == nil && report.Exact() {
			t.Errorf("forgery %d replays exactly", n)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestLongDrive: minutes with faults, planner and library replay bit for bit, from the
// beginning and from the middle, where the library has patterns.
func TestLongDrive(t *testing.T) {
	tier.Long(t, "ten minutes of driving, twice")
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	const length = 10 * time.Minute
	path := onDisk(t, t.TempDir(), "a.mcap", recordFrozen(t, "storm", length, time.Minute))
	_, whole := from(t, 0, path)
	start, half := from(t, length/2, path)
	if !whole.Exact() || whole.Length < length-time.Second || whole.Fields < 100 {
		t.Errorf("the whole: %+v, %+v", whole, whole.First)
	}
	if start == nil || !half.Exact() || half.Hash != whole.Hash || half.Length > length*6/10 {
		t.Errorf("the second half: %+v, %+v", half, half.First)
	}
}
