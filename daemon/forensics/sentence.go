package forensics

import (
	"fmt"
	"strings"

	"fieldbrain/brain"
	"fieldbrain/daemon/loop"
)

// sentence says in one sentence what was missed, the most likely cause and its evidence.
func sentence(e *Evidence, f *Finding) string {
	m := &e.Miss
	what := fmt.Sprintf("tick %d began %s late", m.Worst.Number, loop.Short(m.Worst.Late()))
	if m.Busy > m.Late {
		what = fmt.Sprintf("tick %d took %s instead of %s", m.Worst.Number, loop.Short(m.Worst.Busy()), loop.Short(m.Usual.Busy()))
	}
	if m.Ticks > 1 {
		what += fmt.Sprintf(", the worst of %d that missed their deadlines", m.Ticks)
	}
	likely := "most likely because"
	if f.Cause != Unexplained && f.Explains < f.Cost/2 {
		likely = "partly because"
	}
	if f.Cause == Unexplained {
		likely = "and"
	}
	return what + ", " + likely + " " + because(e, f)
}

// because returns the cause with its evidence.
func because(e *Evidence, f *Finding) string {
	m, g := &e.Miss, &e.Grew
	switch f.Cause {
	case HigherPriority:
		return fmt.Sprintf("the loop's thread (%s %d) was ready for %s and got no processor: %s", e.Policy, e.Priority, loop.Short(m.Waited), rivals(e))
	case Crowded:
		return fmt.Sprintf("the loop's thread was ready for %s and got no processor: it is in the ordinary class, and %d threads wanted one", loop.Short(m.Waited), g.Ready)
	case PageFaults:
		return fmt.Sprintf("the loop's thread met %d page faults, %d of them with a disk to read; one without costs %s here", m.Minor+m.Major, m.Major, loop.Short(e.FaultCost))
	case SlowEngine, SlowBus, SlowTick:
		return slowStage(e, f)
	case SlowAfter:
		return fmt.Sprintf("the loop's thread computed for %s between two ticks", loop.Short(m.Between))
	case InRuntime:
		return fmt.Sprintf("the loop's thread slept on for %s when it was due, without being ready: it waited for another thread of the process, in Go's runtime or between two ticks", loop.Short(f.Explains))
	case Unexplained:
		return fmt.Sprintf("nothing that was looked at explains half of it: it ran for %s, was ready for %s and slept for the rest; %v", loop.Short(m.Ran), loop.Short(m.Waited), g.Interruptions)
	}
	return beyond(e, f)
}

// beyond returns what kept every thread of the process from its work.
func beyond(e *Evidence, f *Finding) string {
	g := &e.Grew
	switch f.Cause {
	case MachineStood:
		if e.Beyond.Stolen < f.Explains {
			return fmt.Sprintf("the whole machine stood: in %s its kernel accounts for %s only", loop.Short(g.At), loop.Short(g.Counted))
		}
		return fmt.Sprintf("the machine's host took a processor away for %s meanwhile", loop.Short(g.Stolen))
	case Collection:
		return fmt.Sprintf("Go's collector worked: %d collections ended meanwhile, stopped every thread for %s at least, and the loop's thread neither ran nor waited for a processor for %s while it was due",
			g.Collections, loop.Short(g.Collected), loop.Short(f.Explains))
	case WorldStopped:
		return fmt.Sprintf("Go's runtime stopped every thread for %s, for something other than a collection", loop.Short(g.Stopped))
	case OutOfQuota:
		return fmt.Sprintf("the control group had used up its processor time for %s", loop.Short(g.Quota))
	case Suspended:
		if g.Resumed > 0 {
			return fmt.Sprintf("the process was stopped and told to go on (SIGCONT): its thread neither ran nor waited for a processor for %s", loop.Short(f.Explains))
		}
		return fmt.Sprintf("the whole process was frozen: nobody in it ran for %s, and it waited for no processor", loop.Short(f.Explains))
	case Throttled:
		return fmt.Sprintf("the processor was slowed down: %.1f of %.1f GHz at %.0f C, %d times throttled meanwhile", e.Machine.Clock*1e-9, e.Machine.Fastest*1e-9, e.Machine.Temperature, g.Throttled)
	}
	return string(f.Cause)
}

// slowStage says which stage took long, and what the thread did meanwhile.
func slowStage(e *Evidence, f *Finding) string {
	m := &e.Miss
	does := "it computed for " + loop.Short(m.Ran)
	if m.Ran < f.Explains/2 {
		does = fmt.Sprintf("it slept for %s of that", loop.Short(max(0, m.Busy-m.Ran)))
	}
	switch f.Cause {
	case SlowEngine:
		return fmt.Sprintf("the engine's step (%s) took %s more than usual on the loop's thread: %s", e.Engine, loop.Short(f.Explains), does)
	case SlowBus:
		return fmt.Sprintf("the body was spoken to on the loop's thread and answered slowly: sense took %s and act %s more than usual, %s",
			loop.Short(m.Stages[brain.Sense]), loop.Short(m.Stages[brain.Act]), does)
	}
	var parts []string
	for _, s := range []brain.Stage{brain.Encode, brain.Decode, brain.Reflex} {
		if m.Stages[s] > m.Busy/10 {
			parts = append(parts, s.String()+" "+loop.Short(m.Stages[s]))
		}
	}
	if rest := m.Outside(); rest > m.Busy/10 {
		parts = append(parts, "work outside its stages "+loop.Short(rest))
	}
	return fmt.Sprintf("the tick itself took longer (%s more than usual): %s", strings.Join(parts, ", "), does)
}

// rivals names who may run before the loop.
func rivals(e *Evidence) string {
	m := &e.Miss
	var names []string
	for _, r := range e.Rivals[:min(len(e.Rivals), 3)] {
		if r.Ran >= m.Waited/4 {
			names = append(names, fmt.Sprintf("%s (process %d, %s %d) had one for %s of the last %s", r.Name, r.PID, r.Policy, r.Priority, loop.Short(r.Ran), loop.Short(r.Over)))
		}
	}
	if len(names) == 0 {
		return "real-time threads of the same or a higher priority had them, which have ended since"
	}
	return strings.Join(names, ", ")
}

// remedy says what a person can do about a cause.
func (c Cause) remedy() string {
	switch c {
	case MachineStood:
		return "give this virtual machine processors of its own, or drive from a real one"
	case Collection:
		return "nothing should allocate while the car is armed: report it with the bundle; disarmed, it may happen"
	case WorldStopped:
		return "look for a profiler or tracer that is attached to the program; else report it with the bundle"
	case OutOfQuota:
		return "take CPUQuota= out of the unit, or the limit off the container"
	case HigherPriority:
		return "give that program a lower real-time priority than loop.priority, or another processor: loop.cpu and isolcpus=; fieldbrain-guard has to stay above the loop: another processor for it"
	case Crowded:
		return "give the loop a real-time class: LimitRTPRIO= in the unit, loop.priority 50"
	case Suspended:
		return "nobody should stop the daemon (SIGSTOP, a debugger, a freezer) while it drives; then fieldbrain arm"
	case PageFaults:
		return "lock the memory: loop.lock_memory and LimitMEMLOCK=infinity; with it, report the bundle"
	case Throttled:
		return "cool the machine, or choose another power mode"
	case SlowEngine:
		return "another engine or fewer engine.threads, a longer loop.period; a graphics card that is late is replaced by itself"
	case SlowBus:
		return "the body's Sense and Act must only copy: talk to the bus on a thread of its own"
	case SlowTick:
		return "engine.quality = \"auto\" makes a tick do less; a longer loop.period; report it with the bundle"
	case SlowAfter:
		return "report it with the bundle; where fieldbrain status shows a recording, which works there: fieldbrain record stop, or leave out --record"
	}
	return "compare several bundles; fieldbrain bench latency tells whether the machine or the program is late"
}
