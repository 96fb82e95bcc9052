package replay_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbrain/brain/memory"
	"fieldbrain/cmd/fieldbrain/replay"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/recording"
	"fieldbrain/field/cpu"
	"fieldbrain/testbench/tier"
)

// inParts replays a recording in parts, three at a time.
func inParts(t testing.TB, at time.Duration, o replay.Options, paths ...string) *replay.Report {
	t.Helper()
	report, err := replay.RunParts(paths, at, o, 3)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestParts: in parts a replay finds what it finds in one piece.
func TestParts(t *testing.T) {
	file := recordFrozen(t, "storm", 7*time.Second, 2*time.Second)
	path := onDisk(t, t.TempDir(), "a.mcap", file)
	same := func(name string, got, want *replay.Report, joints int) {
		t.Helper()
		got.Took, got.Busy, want.Took, want.Busy = 0, 0, 0, 0
		if got.Joints != joints || got.Ticks != want.Ticks || got.Answers != want.Answers || got.Fields != want.Fields ||
			got.Length != want.Length || got.Hash != want.Hash || got.Causes != want.Causes || got.Exact() != want.Exact() ||
			got.Begun != want.Begun || got.Others != want.Others || got.Told != want.Told || got.Stopped != want.Stopped {
			t.Errorf("%s: in parts %+v, in one piece %+v", name, got, want)
		}
		if (got.First == nil) != (want.First == nil) || got.First != nil && (got.First.Tick != want.First.Tick || !slices.Equal(got.First.What, want.First.What)) {
			t.Errorf("%s: in parts %+v, in one piece %+v", name, got.First, want.First)
		}
	}
	_, whole := from(t, 0, path)
	if !whole.Exact() || whole.Ticks != 1400 {
		t.Fatalf("%+v, %+v", whole, whole.First)
	}
	var told time.Duration
	same("the whole", inParts(t, 0, replay.Options{Progress: func(done time.Duration) { told = done }}, path), whole, 3)
	if told < 6*time.Second || told > 7*time.Second {
		t.Errorf("progress ends at %v", told)
	}
	_, late := from(t, 4500*time.Millisecond, path)
	same("from the middle", inParts(t, 4500*time.Millisecond, replay.Options{}, path), late, 1)
	piece := run(t, file, replay.Options{Until: 3 * time.Second})
	same("a piece", inParts(t, 0, replay.Options{Until: 3 * time.Second}, path), piece, 1)
	same("another engine", inParts(t, 0, replay.Options{Until: 3 * time.Second, Onward: true, Change: func(s *replay.Setup) { s.Config.Engine.Kind = cpu.PureGo }}, path), piece, 1)

	slower := config.Default()
	slower.Brain.Cruise = 0.15
	other := replay.Options{Until: 4 * time.Second, Onward: true, Change: func(s *replay.Setup) { s.Become(slower) }}
	want := run(t, file, other)
	if want.Exact() {
		t.Fatal("another configuration does the same")
	}
	got := inParts(t, 0, other, path)
	same("another configuration", got, want, got.Joints)
}

// TestPartsFind: a change in one part is found in it.
func TestPartsFind(t *testing.T) {
	tier.Alone(t, "TestParts has the same goroutines")
	file := recordFrozen(t, "room", 5*time.Second, time.Second)
	for _, c := range []struct {
		name   string
		change func(e *recording.Entry) (keep bool)
		tick   uint64 // that differs, 0: none
		joints int
		ends   string
	}{
		{"a command", func(e *recording.Entry) bool {
			if e.Input.Tick == 500 {
				e.Told.Speed = bump(e.Told.Speed)
			}
			return true
		}, 500, 2, ""},
		{"missing ticks behind a joint", func(e *recording.Entry) bool { return e.Input.Tick < 620 || e.Input.Tick > 630 }, 0, 3, "11 ticks are missing before tick 631"},
		{"ticks with which a part begins", func(e *recording.Entry) bool { return e.Input.Tick < 590 || e.Input.Tick > 630 }, 0, 2, "41 ticks are missing before tick 631"},
	} {
		changed := remake(t, file, true, c.change)
		path := onDisk(t, t.TempDir(), "a.mcap", changed)
		r := inParts(t, 0, replay.Options{}, path)
		_, want := from(t, 0, path)
		if r.Exact() || r.Joints != c.joints || r.Ticks != want.Ticks || !strings.Contains(r.Stopped, c.ends) ||
			(c.tick > 0) != (r.First != nil) || r.First != nil && r.First.Tick != c.tick {
			t.Errorf("%s: %+v, %+v; in one piece %+v", c.name, r, r.First, want)
		}
	}
}

// TestPartsMeet: a frozen brain that the drive did not come by is no joint: the replay goes
// on in one piece.
func TestPartsMeet(t *testing.T) {
	tier.Alone(t, "TestParts has the same goroutines")
	file := recordFrozen(t, "room", 5*time.Second, time.Second)
	r, err := recording.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	packer, err := recording.NewPacker()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w, err := recording.NewWriter(&b, &r.Head)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for after := uint64(0); ; n++ {
		f, err := recording.FindFrozen(bytes.NewReader(file), func(tick uint64, _ time.Duration) bool { return tick > after && tick < after+300 })
		if err != nil {
			t.Fatal(err)
		}
		if f == nil {
			break
		}
		after = f.Tick
		if n == 1 {
			f.Data = touched(t, f.Data)
		}
		f.Data = packer.Pack(f.Data)
		if err := w.Freeze(f); err != nil {
			t.Fatal(err)
		}
	}
	for e := (recording.Entry{}); r.Next(&e.Tick) == nil; {
		if err := w.Write(&e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	report := inParts(t, 0, replay.Options{}, onDisk(t, t.TempDir(), "a.mcap", b.Bytes()))
	if !report.Exact() || report.Ticks != 1000 || report.Joints != 1 || n < 3 {
		t.Errorf("%d frozen brains: %+v, %+v", n, report, report.First)
	}
}

// touched returns a frozen brain with one cell of its field changed by its last bit.
func touched(t testing.TB, frozen []byte) []byte {
	t.Helper()
	f, err := memory.Parse(frozen)
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.Sections {
		s := &f.Sections[i]
		if s.Name == "channel" {
			s.Content = bytes.Clone(s.Content)
			s.Content[len(s.Content)/2&^3] ^= 1
			return f.Bytes()
		}
	}
	t.Fatal("no channel")
	return nil
}
