package service

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
	"fieldbrain/testbench"
	"fieldbrain/testbench/tier"
)

// TestSteadyStateLeavesTheCollectorNothing: a tick, what follows it, and the answer to
// a request for the status of a car that drives. What the text of a time costs is
// all that may be left.
func TestSteadyStateLeavesTheCollectorNothing(t *testing.T) {
	tier.Alone(t, "the race detector's own allocations count too")
	settings := config.Default()
	settings.Engine.Kind = "purego"
	m, rig := cartest.NewMind(t, settings, "room", 7, nil)
	log, err := daemon.NewLog(t.Output(), "error", true, false)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	control, err := daemon.Listen(filepath.Join(t.TempDir(), "c.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer control.Close()
	s := &Service{
		settings: settings, car: &car.Car{Mind: m}, log: log, control: control,
		recorder: loop.NewRecorder(), conditions: loop.NewConditions(time.Now, nil),
		page: page{form: daemon.NewAnswerEncoder()}, since: time.Now(),
	}
	if s.loop, err = loop.New(rig.Clock(), settings.Loop.Params(), loop.Hooks{Tick: func(time.Duration) {}}); err != nil {
		t.Fatal(err)
	}
	armed := false
	rig.Drive(testbench.DefaultPeriod, func(now time.Duration) {
		s.trace = m.Brain.Tick(now)
		s.recorder.Record(s.trace, loop.Sample{Release: now, Start: now, End: now, Warm: true})
		armed = m.Brain.Arm() == nil || armed
	})
	rig.AdvanceTo(2 * time.Second)
	if !armed {
		t.Fatal("the car does not drive")
	}
	end := 2 * time.Second
	line := make([]byte, 0, 1<<16)
	ask := s.statusText(func(err error) { t.Error(err) })
	perAnswer := testing.AllocsPerRun(100, func() { line = ask(line[:0]) })
	perSecond := testing.AllocsPerRun(3, func() {
		end += time.Second
		rig.AdvanceTo(end)
	})
	t.Logf("%v allocations per answer", perAnswer)
	if perAnswer > 6 || perSecond > 0 {
		t.Errorf("%v allocations per answer, want 6 at most; %v per second of ticks, want 0", perAnswer, perSecond)
	}
	line = ask(line[:0])
	var a daemon.Answer
	if err := json.Unmarshal(line, &a); err != nil || !a.OK || a.Status == nil || !a.Status.Armed || len(a.Status.Table.Rows) != int(loop.NumStreams) {
		t.Errorf("%v: %s", err, line)
	}
	if a.Status.Up <= 0 {
		t.Error("it does not say for how long it has run")
	}
	if a.Status.Heap != nil {
		t.Errorf("a heap that nobody has looked at: %+v", *a.Status.Heap)
	}
	s.heap.TrySet(&daemon.HeapStatus{Used: 1 << 20, Off: true})
	if h := s.Status().Heap; h == nil || h.Used != 1<<20 || !h.Off {
		t.Errorf("the heap is %+v", h)
	}
	if want := s.Status(); a.Status.Engine != want.Engine || a.Status.PID != want.PID || a.Status.Place != want.Place {
		t.Errorf("the socket's answer %+v is not the status %+v", a.Status, want)
	}
}
