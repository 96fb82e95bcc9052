package forensics

import (
	"os"
	"strings"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon/loop"
)

const ms = time.Millisecond

// late is the evidence of one tick that began 30 ms late; more adds to it.
func late(more func(e *Evidence)) Evidence {
	e := Evidence{Period: 5 * ms, Policy: fifo, Priority: 50, FaultCost: 2 * time.Microsecond, Engine: "cpu/x"}
	e.Miss = Miss{Ticks: 1, Cost: 30 * ms, All: 30 * ms, Late: 30 * ms, Worst: Tick{Number: 7, Start: 30 * ms, End: 31 * ms, Skipped: 5}}
	e.Miss.Usual.End = ms
	e.Grew.At, e.Grew.Counted = 200*ms, 200*ms
	e.Grew.Process = 190 * ms // others of the process ran
	if more != nil {
		more(&e)
	}
	e.Beyond = e.Grew
	return e
}

// long is the evidence of one tick that took 30 ms too long in a stage and slept in it.
func long(s brain.Stage, more func(e *Evidence)) Evidence {
	return late(func(e *Evidence) {
		e.Miss.Late, e.Miss.Busy = 0, 30*ms
		e.Miss.Worst = Tick{Number: 7, End: 31 * ms, Skipped: 6}
		if s < brain.NumStages {
			e.Miss.Stages[s] = 30 * ms
		}
		if more != nil {
			more(e)
		}
	})
}

// TestJudge: every cause is named for its own evidence, the outermost first, and none
// for evidence of nothing.
func TestJudge(t *testing.T) {
	computed := func(e *Evidence) { e.Miss.Ran = 30 * ms }
	for _, c := range []struct {
		name string
		e    Evidence
		want Cause
		says string
	}{
		{"nothing known", late(nil), Unexplained, "nothing that was looked at"},
		{"the host took it", late(func(e *Evidence) { e.Grew.Stolen = 30 * ms; e.Miss.Waited = 30 * ms }), MachineStood, "took a processor away for 30.00 ms"},
		{"nobody accounts", late(func(e *Evidence) { e.Grew.Counted = 100 * ms }), MachineStood, "in 200.00 ms its kernel accounts for 100.00 ms only"},
		{"the accounts are coarse", late(func(e *Evidence) { e.Grew.Counted = 170 * ms }), Unexplained, ""},
		{"stopped", late(func(e *Evidence) { e.Grew.Resumed = 1 }), Suspended, "SIGCONT"},
		{"stopped and slow, but it ran", long(brain.Step, func(e *Evidence) { e.Grew.Resumed = 1; computed(e) }), SlowEngine, "computed for 30.00 ms"},
		{"frozen", late(func(e *Evidence) {
			e.Miss.Cost, e.Miss.Late = 80*ms, 80*ms
			e.Grew.LateLook = 80 * ms
			e.Grew.Process = 10 * ms
		}), Suspended, "frozen"},
		{"the collector stopped it", late(func(e *Evidence) { e.Grew.Collected = 25 * ms; e.Grew.Collections = 2 }), Collection, "2 collections"},
		{"the collector had its turn", late(func(e *Evidence) { e.Grew.Collected = ms }), Collection, "neither ran nor waited for a processor for 30.00 ms"},
		{"the kernel woke it late", late(func(e *Evidence) { e.Miss.Slept = 0 }), Unexplained, "slept for the rest"},
		{"a collection within the step", long(brain.Step, func(e *Evidence) { e.Grew.Collections = 1 }), Collection, "1 collections ended"},
		{"a collection beside a slow card", long(brain.Step, func(e *Evidence) { e.Grew.Collections = 1; e.Miss.Worst.Doorbell = ms }), SlowEngine, ""},
		{"a collection beside a slow bus", long(brain.Sense, func(e *Evidence) { e.Grew.Collected = ms; e.Miss.Slept = 1 }), SlowBus, "sense took 30.00 ms"},
		{"a profiler", late(func(e *Evidence) { e.Grew.Stopped = 20 * ms }), WorldStopped, "other than a collection"},
		{"a quota", late(func(e *Evidence) { e.Grew.Quota = 30 * ms; e.Miss.Waited = 30 * ms }), OutOfQuota, "used up"},
		{"a hog above", late(func(e *Evidence) {
			e.Miss.Waited = 29 * ms
			e.Rivals = []Rival{{PID: 9, Name: "hog", Policy: fifo, Priority: 80, Ran: 28 * ms, Over: time.Second}}
		}), HigherPriority, "hog (process 9, fifo 80) had one for 28.00 ms"},
		{"a hog that has ended", late(func(e *Evidence) {
			e.Miss.Waited = 29 * ms
			e.Rivals = []Rival{{PID: 2, Name: "migration/0", Policy: fifo, Priority: 99, Ran: time.Microsecond}}
		}), HigherPriority, "have ended since"},
		{"a crowd", late(func(e *Evidence) { e.Policy = other; e.Miss.Waited = 29 * ms; e.Grew.Ready = 9 }), Crowded, "9 threads wanted one"},
		{"preempted within a stage", long(brain.Step, func(e *Evidence) { e.Miss.Waited = 29 * ms }), HigherPriority, ""},
		{"new pages", long(brain.NumStages, func(e *Evidence) { e.Miss.Minor = 14000; computed(e) }), PageFaults, "14000 page faults"},
		{"new pages on a busy host", long(brain.NumStages, func(e *Evidence) { e.Miss.Minor, e.Miss.System = 5000, 28*ms; computed(e) }), PageFaults, "5000 page faults"},
		{"few new pages", long(brain.NumStages, func(e *Evidence) { e.Miss.Minor, e.Miss.System = 500, 28*ms; computed(e) }), SlowTick, "outside its stages"},
		{"pages of a disk", long(brain.Decode, func(e *Evidence) { e.Miss.Major = 3 }), PageFaults, "3 of them with a disk"},
		{"a hot processor", long(brain.Step, func(e *Evidence) {
			e.Machine = Machine{Temperature: 96, Limit: 95, Clock: 8e8, Fastest: 2.1e9}
			computed(e)
		}), Throttled, "0.8 of 2.1 GHz at 96 C"},
		{"a hot processor that is fast", long(brain.Step, func(e *Evidence) {
			e.Machine = Machine{Temperature: 96, Limit: 95, Clock: 2e9, Fastest: 2.1e9}
			computed(e)
		}), SlowEngine, ""},
		{"a slow engine", long(brain.Step, computed), SlowEngine, "cpu/x"},
		{"a card that does not answer", long(brain.Step, nil), SlowEngine, "slept for 30.00 ms"},
		{"a slow bus read", long(brain.Sense, nil), SlowBus, "sense took 30.00 ms"},
		{"a slow bus write", long(brain.Act, nil), SlowBus, "act 30.00 ms"},
		{"a slow decoder", long(brain.Decode, computed), SlowTick, "decode 30.00 ms"},
		{"outside the stages", long(brain.NumStages, computed), SlowTick, "outside its stages"},
		{"a sleeping decoder", long(brain.Decode, func(e *Evidence) { e.Miss.Slept = 1 }), InRuntime, "slept on"},
		{"work between ticks", late(func(e *Evidence) { e.Miss.Ran, e.Miss.Between = 30*ms, 30*ms }), SlowAfter, "between two ticks"},
		{"a third of it", late(func(e *Evidence) { e.Grew.Stopped = 10 * ms }), WorldStopped, "partly because"},
		{"a little", late(func(e *Evidence) { e.Grew.Stopped = 3 * ms }), Unexplained, ""},
	} {
		got := Judge(&c.e)
		if got.Cause != c.want || !strings.Contains(got.Sentence, c.says) {
			t.Errorf("%s: %s, want %s saying %q: %s", c.name, got.Cause, c.want, c.says, got.Sentence)
		}
		if got.Remedy == "" || strings.Contains(got.Sentence, "%!") || got.Explains > got.Cost {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestRemedyBetweenTicks: nobody knows whether a recording was what took long, so that a
// daemon without one is not told to record less.
func TestRemedyBetweenTicks(t *testing.T) {
	if got := SlowAfter.remedy(); !strings.HasPrefix(got, "report it with the bundle; where fieldbrain status shows a recording") {
		t.Error(got)
	}
}

// TestBeyond: what a busy machine always does explains no miss.
func TestBeyond(t *testing.T) {
	grew := Counters{At: 200 * ms, Interruptions: loop.Interruptions{Stolen: 30 * ms, Waited: 3 * ms, Collected: ms}}
	quiet := Counters{At: 1000 * ms, Interruptions: loop.Interruptions{Stolen: 100 * ms, Waited: 20 * ms}}
	got := grew.beyond(&quiet)
	if got.Stolen != 10*ms || got.Waited != 0 || got.Collected != ms {
		t.Errorf("%+v", got.Interruptions)
	}
	if got := grew.beyond(&Counters{}); got.Stolen != 30*ms {
		t.Errorf("without a quiet while %v", got.Stolen)
	}
}

// TestMissIn: a miss costs what its ticks exceed the usual by, and only the missed
// ticks between two looks count.
func TestMissIn(t *testing.T) {
	const period = 5 * ms
	var ticks []Tick
	add := func(late, busy time.Duration, skipped int, change func(t *Tick)) {
		n := len(ticks)
		release := time.Duration(n*10) * period
		tick := Tick{Number: uint64(n), Release: release, Start: release + late, End: release + late + busy, Skipped: skipped, Warm: true, Ran: ms, Slept: 1}
		tick.Laps[brain.Step] = busy
		if change != nil {
			change(&tick)
		}
		ticks = append(ticks, tick)
	}
	for range 5 {
		add(0, ms, 0, nil)
	}
	add(20*ms, ms, 4, nil)                                      // 5: before
	add(0, ms, 0, nil)                                          // 6
	add(30*ms, ms, 6, func(t *Tick) { t.Slept = 3 })            // 7
	add(0, 41*ms, 8, func(t *Tick) { t.Ran = 41 * ms })         // 8
	add(100*ms, ms, 30, func(t *Tick) { t.Warm = false })       // 9: the warm-up
	add(3*ms, ms, 0, func(t *Tick) { t.Minor, t.Major = 9, 1 }) // 10: late, nothing skipped
	add(50*ms, ms, 9, nil)                                      // 11: after
	m := missIn(ticks, period, ticks[6].End, ticks[10].End)
	if m.Ticks != 3 || m.Worst.Number != 8 || m.Cost != 40*ms || m.Late != 0 || m.Busy != 40*ms || m.All != 73*ms {
		t.Errorf("%+v", m)
	}
	if m.Ran != 40*ms || m.Slept != 0 || m.Minor != 0 || m.Stages[brain.Step] != 40*ms || m.Between != 0 || m.From != ticks[7].End || m.Outside() != 0 {
		t.Errorf("%+v", m)
	}
	m = missIn(ticks, period, ticks[8].End, ticks[10].End)
	if m.Ticks != 1 || m.Worst.Number != 10 || m.Late != 3*ms || m.Minor != 9 || m.Major != 1 {
		t.Errorf("%+v", m)
	}
	m = missIn(ticks, period, ticks[6].End, ticks[7].End)
	if m.Worst.Number != 7 || m.Late != 30*ms || m.Slept != 2 {
		t.Errorf("%+v", m)
	}
	if m := missIn(nil, period, 0, time.Hour); m.Ticks != 0 {
		t.Errorf("of nothing %+v", m)
	}
}

// TestDocsHaveTheRemedy: the example of docs/forensics.md is what misses prints.
func TestDocsHaveTheRemedy(t *testing.T) {
	text, err := os.ReadFile("../../docs/forensics.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := "\n    remedy: " + HigherPriority.remedy() + "\n"; !strings.Contains(string(text), want) {
		t.Errorf("docs/forensics.md lacks %q", want)
	}
}
