package replay_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/cmd/fieldbrain/replay"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/recording"
	"fieldbrain/field/cpu"
	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/tier"
)

// record drives a world in virtual time and returns the recording and the hash of the
// field at its end.
func record(t testing.TB, world string, length time.Duration, change func(c *config.Config), orders ...string) (file []byte, hash string) {
	t.Helper()
	sc, err := family.Open(world)
	if err != nil {
		t.Fatal(err)
	}
	settings := config.Default()
	if change != nil {
		change(&settings)
	}
	d := drive.New(settings)
	for _, text := range orders {
		o, err := drive.ParseTimed(text)
		if err != nil {
			t.Fatal(err)
		}
		d.Orders = append(d.Orders, o)
	}
	var b bytes.Buffer
	d.Tape = drive.NewTape(&b, "test")
	r, err := d.Virtual(sc, 7, "brain", testbench.Options{Length: length, Period: time.Duration(settings.Loop.Period)})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), r.FieldHash
}

// run replays a recording.
func run(t testing.TB, file []byte, o replay.Options) *replay.Report {
	t.Helper()
	r, err := recording.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	report, err := replay.Run(r, &r.Head, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestReplayIsExact: drives with faults, orders, planners and library, with another
// period and on a rung that skips work, come out the same, bit for bit, on every engine.
func TestReplayIsExact(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	drives := []struct {
		world  string
		change func(c *config.Config)
		orders []string
	}{
		{"room", func(c *config.Config) { c.Brain.Explore = true }, []string{"2s goal 1 0.5", "4s home"}},
		{"room", func(c *config.Config) { c.Brain.Explore, c.Brain.Planner = true, brain.PlannerRollout }, []string{"2s goal 1 0.5", "4s set brain.cruise 0.2"}},
		{"room", nil, []string{"2s drive 0.9 -0.7 1.5s", "3s good", "4s drive 1 0.8 500ms", "4600ms bad"}},
		{"storm", nil, nil},
		{"edges", nil, []string{"1s explore"}},
		{"line", func(c *config.Config) { c.Loop.Period = config.Duration(10 * time.Millisecond) }, nil},
		{"brownout", func(c *config.Config) { c.Engine.Quality = "sparse" }, nil},
		{"nack", nil, []string{"1s hold", "2s explore"}},
	}
	length := time.Duration(tier.Count(t, "seconds", 5, 15, 60)) * time.Second
	isas := cpu.ISAs()
	engines := tier.Count(t, "engines for each drive, the next one for the next drive", 1, 1, len(isas))
	for i, d := range drives[:tier.Count(t, "drives", 4, len(drives), len(drives))] {
		file, hash := record(t, d.world, length, d.change, d.orders...)
		for n := range engines {
			isa := isas[(i+n)%len(isas)]
			report := run(t, file, replay.Options{Change: func(s *replay.Setup) { s.Config.Engine.Kind = isa }})
			if !report.Exact() || report.Hash != hash || report.Length < length-time.Second || report.Fields == 0 {
				t.Errorf("%s on %s: %+v, want field %s; %+v", d.world, isa, report, hash, report.First)
			}
		}
	}
}

// TestRecordingChangesNothing: a drive that is recorded goes where it goes unrecorded.
func TestRecordingChangesNothing(t *testing.T) {
	_, hash := record(t, "room", 3*time.Second, nil)
	r, err := drive.Contestant(config.Default(), "brain", testbench.Options{Length: 3 * time.Second}).Run(cartest.Scenario(t, "room"), 7)
	if err != nil {
		t.Fatal(err)
	}
	if r.FieldHash != hash {
		t.Errorf("field %s, recorded %s", r.FieldHash, hash)
	}
}

// rewrite returns a recording whose ticks were changed, without its frozen brains; keep
// false leaves a tick out.
func rewrite(t testing.TB, file []byte, change func(e *recording.Entry) (keep bool)) []byte {
	t.Helper()
	return remake(t, file, false, change)
}

// remake is rewrite, which keeps the frozen brains if it is told to.
func remake(t testing.TB, file []byte, frozen bool, change func(e *recording.Entry) (keep bool)) []byte {
	t.Helper()
	r, err := recording.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var b bytes.Buffer
	w, err := recording.NewWriter(&b, &r.Head)
	if err == nil && frozen {
		err = w.Carry(bytes.NewReader(file))
	}
	if err != nil {
		t.Fatal(err)
	}
	for {
		var e recording.Entry
		if err := r.Next(&e.Tick); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if change(&e) {
			if err := w.Write(&e); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestFindsTheDifference: the replay stops at the very tick whose input or outcome was
// changed, and says what differs.
func TestFindsTheDifference(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	file, _ := record(t, "room", 2*time.Second, nil)
	const at = 250
	for _, c := range []struct {
		name   string
		change func(e *recording.Entry)
		what   string
		late   uint64 // ticks later that it may show
	}{
		{"a command by one bit", func(e *recording.Entry) { e.Told.Steering = bump(e.Told.Steering) }, "steering", 0},
		{"a cause", func(e *recording.Entry) { e.Causes ^= 1 << 3 }, "causes", 0},
		{"a rung", func(e *recording.Entry) { e.Rung = 2 }, "rung", 0},
		{"the field's answer", func(e *recording.Entry) { e.Answer++ }, "answer", 0},
		{"the whole field", func(e *recording.Entry) { e.Field = 1 }, "whole field", 0},
		{"a reading by one count", func(e *recording.Entry) { // one bit can be lost where the field rounds
			r := &e.Input.State.Floor[1]
			r.Value, r.At = r.Value+1.0/4096, e.At()
		}, "answer", 40},
		{"an order", func(e *recording.Entry) { e.Input.Asked = brain.AskEStop }, "causes", 0},
	} {
		changed := rewrite(t, file, func(e *recording.Entry) bool {
			if e.Input.Tick == at {
				c.change(e)
			}
			return true
		})
		d := run(t, changed, replay.Options{}).First
		if d == nil || d.Tick < at || d.Tick > at+c.late || !strings.Contains(strings.Join(d.What, ";"), c.what) || d.Because == "" || len(d.Before) == 0 {
			t.Errorf("%s: %+v", c.name, d)
		}
	}
}

// bump returns the next number.
func bump(x float32) float32 { return x + x/1e6 + 1e-30 }

// TestGap: a replay of a recording that lacks ticks says so, and does not go on as if it
// had them.
func TestGap(t *testing.T) {
	tier.Alone(t, "one goroutine reads and repeats")
	file, _ := record(t, "room", 2*time.Second, nil)
	gap := run(t, rewrite(t, file, func(e *recording.Entry) bool { return e.Input.Tick < 100 || e.Input.Tick > 102 }), replay.Options{})
	if gap.Exact() || gap.Ticks != 100 || !strings.Contains(gap.Stopped, "3 ticks are missing before tick 103") {
		t.Errorf("%+v", gap)
	}
	late := run(t, rewrite(t, file, func(e *recording.Entry) bool { return e.Input.Tick > 4 }), replay.Options{})
	if late.Exact() || late.Ticks != 0 || !strings.Contains(late.Stopped, "begins with tick 5") {
		t.Errorf("%+v", late)
	}
	cut := run(t, file[:len(file)*2/3], replay.Options{})
	if cut.Exact() || cut.Ticks == 0 || cut.First != nil || !strings.Contains(cut.Stopped, "cut short") {
		t.Errorf("%+v", cut)
	}
}

// TestOtherwise: another configuration differs, and the replay goes on and says by how
// much.
func TestOtherwise(t *testing.T) {
	tier.Alone(t, "one goroutine reads and repeats")
	file, _ := record(t, "room", 4*time.Second, nil)
	slower := config.Default()
	slower.Brain.Cruise = 0.15
	r := run(t, file, replay.Options{Onward: true, Change: func(s *replay.Setup) { s.Become(slower) }})
	if r.Exact() || r.Ticks < 700 || r.Told < 100 || r.Speed < 0.05 || r.Speed > 0.35 {
		t.Errorf("%+v", r)
	}
	var text strings.Builder
	if err := r.Print(&text); err != nil || !strings.Contains(text.String(), "is the first that differs") {
		t.Errorf("%v: %s", err, text.String())
	}
}
