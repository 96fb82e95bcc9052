package forensics

import (
	"time"

	"fieldbrain/brain"
)

// A Cause is what made a tick miss its deadline.
type Cause string

// The causes, from the machine inwards.
const (
	MachineStood   Cause = "stolen"          // a host gave the processors to others
	Suspended      Cause = "suspended"       // the process was stopped or frozen
	Collection     Cause = "collector"       // Go's collector stopped the threads, or had their turn
	WorldStopped   Cause = "world-stopped"   // something else of the runtime's stopped them
	OutOfQuota     Cause = "quota"           // the control group had no processor time left
	HigherPriority Cause = "higher-priority" // other real-time threads had the processors
	Crowded        Cause = "crowd"           // others had them, and the loop is in the ordinary class
	PageFaults     Cause = "page-faults"     // pages had to be brought into memory
	Throttled      Cause = "throttled"       // the processor was slowed down
	SlowEngine     Cause = "engine"          // the step of the field took long
	SlowBus        Cause = "bus"             // the body was spoken to on the loop's thread, and answered slowly
	SlowTick       Cause = "tick"            // the brain's own stages took long
	SlowAfter      Cause = "after-tick"      // what the loop does between two ticks took long
	InRuntime      Cause = "runtime"         // the thread waited without being ready
	Unexplained    Cause = "unknown"
)

// A Finding is the most likely cause, and what speaks for it.
type Finding struct {
	Cause    Cause         `json:"cause"`
	Explains time.Duration `json:"explains_ns"` // of the cost
	Cost     time.Duration `json:"cost_ns"`
	Sentence string        `json:"sentence"`
	Remedy   string        `json:"remedy"`
}

// A claim is how much of the cost a cause explains.
type claim struct {
	cause Cause
	by    time.Duration
}

// Judge names the cause that most likely made the misses of the evidence.
func Judge(e *Evidence) Finding {
	best := claim{cause: Unexplained}
	for _, c := range claims(e) {
		if c.by > 0 && c.by >= e.Miss.Cost/2 {
			best = c
			break
		}
		if c.by >= e.Miss.Cost/4 && c.by > best.by {
			best = c
		}
	}
	f := Finding{Cause: best.cause, Explains: min(best.by, e.Miss.Cost), Cost: e.Miss.Cost}
	f.Sentence, f.Remedy = sentence(e, &f), f.Cause.remedy()
	return f
}

// claims returns what each cause explains, from the machine inwards: a machine that
// stands also makes its collector late, a collection the threads, and a thread that
// does not run every stage it is in. Who kept the thread from running explains no more
// than the time for which it did not run.
func claims(e *Evidence) []claim {
	m, b := &e.Miss, &e.Beyond
	off := max(0, m.Cost-m.Ran)
	waited := min(m.Waited, off)
	idle := off - waited // neither ran nor was ready to
	displaced := HigherPriority
	if e.Policy == other {
		displaced = Crowded
	}
	own := m.Outside() + m.Stages[brain.Encode] + m.Stages[brain.Decode] + m.Stages[brain.Reflex]
	held := min(m.Late+own, idle) // it slept where it has nothing to wait for but Go's runtime
	collecting := min(b.Collected, idle)
	if e.Grew.Collected > 0 || e.Grew.Collections > 0 {
		step := m.Stages[brain.Step]
		if m.Worst.Doorbell > 0 { // it waits for a card
			step = 0
		}
		collecting = max(collecting, min(m.Late+own+step, idle))
	}
	if m.Slept == 0 { // nor for that: the kernel woke it late
		held = 0
	}
	computing := time.Duration(0)
	if slowed(e) {
		computing = min(m.Busy, m.Ran)
	}
	return []claim{
		{MachineStood, max(b.Stolen, unaccounted(e))},
		{Suspended, stopped(e, idle)},
		{Collection, collecting},
		{WorldStopped, min(b.Stopped, idle)},
		{OutOfQuota, min(b.Quota, off)},
		{displaced, waited},
		{Suspended, frozen(e, idle)},
		{PageFaults, faults(e, idle)},
		{Throttled, computing},
		{SlowEngine, m.Stages[brain.Step]},
		{SlowBus, m.Stages[brain.Sense] + m.Stages[brain.Act]},
		{SlowTick, min(own, m.Ran)},
		{SlowAfter, m.Between},
		{InRuntime, held},
	}
}

// coarse is the shortest standstill that shows in the kernel's accounts, which count
// in hundredths of a second.
const coarse = 50 * time.Millisecond

// unaccounted returns the time between the looks for which the kernel accounts for no
// processor: the machine stood, and its host did not say so.
func unaccounted(e *Evidence) time.Duration {
	missing := e.Grew.At - e.Grew.Counted
	if e.Grew.Counted <= 0 || missing < coarse {
		return 0
	}
	return min(missing, e.Miss.Cost)
}

// stopped returns what a stop of the whole process explains of the idle time that was
// told to go on meanwhile.
func stopped(e *Evidence, idle time.Duration) time.Duration {
	if e.Grew.Resumed == 0 {
		return 0
	}
	return idle
}

// frozen is stopped without that proof: a freezer tells nobody. The slow goroutine that
// looks was as late as the loop, and not because the machine was busy; the process took
// no more processor time than fits beside the miss, and its collector did nothing.
func frozen(e *Evidence, idle time.Duration) time.Duration {
	g := &e.Grew
	busy := g.Pressure.CPU > g.LateLook/2 || g.Collected > 0 || g.Collections > 0
	if e.Miss.Cost < coarse || g.LateLook < e.Miss.Cost/2 || g.Process > max(0, g.At-e.Miss.Cost) || busy {
		return 0
	}
	return idle
}

// dearer is how much more than measured a page fault takes at most: beside others that
// clear memory, or where the host has to find it first.
const dearer = 8

// faults returns what page faults explain: each costs what the machine was measured
// to take, or more where the kernel took that much, and where a disk was read, the thread
// slept for it.
func faults(e *Evidence, idle time.Duration) time.Duration {
	m := &e.Miss
	took := time.Duration(m.Minor) * e.FaultCost
	took = max(took, min(m.System, dearer*took))
	if m.Major > 0 {
		took += idle
	}
	return min(took, m.Cost)
}

// slowed reports whether the processor was slowed down for its heat, or runs far
// below what it could on a machine at its limit.
func slowed(e *Evidence) bool {
	m := &e.Machine
	const near, slow = 5, 0.7 // C below the limit; of the fastest clock
	hot := m.Limit > 0 && m.Temperature >= m.Limit-near
	return e.Grew.Throttled > 0 || hot && m.Fastest > 0 && m.Clock < slow*m.Fastest
}
