package service

import (
	"fmt"
	"strings"

	"fieldbrain/brain"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
	"fieldbrain/field/failover"
	"fieldbrain/gpu"
)

// cardStatus returns the card's part of the daemon's status.
func (s *Service) cardStatus(k *car.GPU) *daemon.GPUStatus {
	g := newCardStatus(k)
	g.Rays = raysStatus(s.car.Rays.State())
	g.Gauges = s.gauges.Get()
	state := k.Supervisor.State()
	addDriver(&g.Gauges, &state)
	return g
}

// addDriver adds what the card's program tells to what the kernel does.
func addDriver(to *daemon.Gauges, s *gpu.State) {
	to.SetMemory(s.Memory.Used, s.Memory.Room)
	g := &s.Gauges
	driver := daemon.Gauges{
		Memory: reading(g.Used, 1), Room: reading(g.Room, 1), Clock: reading(g.Clock, 1), Most: reading(g.Most, 1),
		Load: reading(g.Load, 0.01), Heat: reading(g.Heat, 1),
	}
	if held, ok := g.Held.Get(); ok {
		driver.Held = [...]string{"", "heat", "power", "heat and power"}[held&(gpu.HeldByHeat|gpu.HeldByPower)]
	}
	to.SetDriver(&driver)
}

// reading returns a number that a driver may not tell, times a unit.
func reading(t gpu.Told, unit float64) daemon.Reading {
	v, ok := t.Get()
	if !ok {
		return daemon.Reading{}
	}
	return daemon.Reading{Value: float64(v) * unit, OK: true}
}

// newCardStatus returns what supervisor, fail-over and engine tell.
func newCardStatus(k *car.GPU) *daemon.GPUStatus {
	s, f := k.Supervisor.State(), k.Failover.State()
	g := &daemon.GPUStatus{
		Phase: string(s.Phase), Since: s.Since, Device: s.Device, PID: s.PID,
		Starts: s.Starts, Proofs: s.Proofs, Ends: s.Ends, Failovers: f.Failovers, Returns: f.Returns,
		LateOf: gpu.LateWindow, StoodIn: f.Lates,
	}
	if s.Err != nil {
		g.Error = s.Err.Error()
	}
	e := k.Newest()
	if e == nil {
		return g
	}
	late := e.Lateness()
	g.Late, g.Behind = late.Recent, late.Behind
	if k.Profile {
		n := e.Nanos()
		g.Kernels = &daemon.KernelTimes{Prep: n.Prep, Evolve: n.Evolve, Motor: n.Motor, Total: n.Total}
	}
	return g
}

// logCard returns the supervisor's hook: one line per change. Of starts that end for one
// reason, again and again, the log has the first; the others are for whoever debugs.
func logCard(log *daemon.Log) func(gpu.State) {
	told := "" // why the start before ended; empty after one that worked
	return func(s gpu.State) {
		line := log.Info
		switch why := unnumbered(s.Err); s.Phase {
		case gpu.Starting:
			if told != "" {
				line = log.Debug
			}
		case gpu.Waiting:
			if line = log.Warn; why == told {
				line = log.Debug
			}
			told = why
		case gpu.GivenUp:
			line = log.Warn
		}
		e := line()
		switch s.Phase {
		case gpu.Waiting:
			e = e.AnErr("because", s.Err).Dur("retry_ms", s.Retry)
		case gpu.GivenUp:
			e = e.AnErr("because", s.Err)
		case gpu.Proven, gpu.Serving:
			told = ""
			e = e.Str("device", s.Device).Int("pid", s.PID)
		}
		e.Uint64("starts", s.Starts).Msgf("graphics card's program: %s", s.Phase)
	}
}

// unnumbered is an error's words without digits: the number of the process is another
// every time.
func unnumbered(err error) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, fmt.Sprint(err))
}

// noteCard turns the card's state into conditions and logs every change between
// card and processor.
func (s *Service) noteCard() {
	k := s.car.GPU
	if k == nil {
		return
	}
	state, f := k.Supervisor.State(), k.Failover.State()
	s.conditions.Put(raysMissed(s.car.Rays.State(), f.Primary && s.car.Brain.Remote().Status().Planner == brain.PlannerTree))
	s.logTurns(&s.turns, f)
	s.conditions.Put(cardCondition(state, f.Primary || f.Late, k.Wanted || f.Returns > 0))
	if e := k.Newest(); e != nil {
		s.conditions.Put(cardLate(e.Lateness(), state.Phase == gpu.Serving))
	}
	s.conditions.Put(loop.Condition{
		Name: "gpu page", Value: "the graphics card cannot see the shared page, its program copies",
		Cause:  "the driver refused to register it (cuMemHostRegister)",
		Remedy: "none needed: a few microseconds a tick; a newer driver or RLIMIT_MEMLOCK may help",
	}, f.Primary && state.Copies)
}

// cardProcess returns the number of the card's program, -1 while there is none.
func (s *Service) cardProcess() int {
	if s.car.GPU == nil {
		return -1
	}
	if pid := s.car.GPU.Supervisor.State().PID; pid > 0 {
		return pid
	}
	return -1
}

// cardLate says that a card that serves answers late, and whether it does. Its
// value changes, and is logged, with the number of late answers alone.
func cardLate(l gpu.Lateness, serves bool) (loop.Condition, bool) {
	return loop.Condition{
		Name: "gpu late", Value: fmt.Sprintf("card late (%d of %d)", l.Recent, gpu.LateWindow),
		Cause: fmt.Sprintf("answers after engine.gpu_deadline; the card is %d ticks behind, the processor steps these", l.Behind),
		Remedy: fmt.Sprintf("end what else uses the card or its processor, on a Jetson pin its clocks (jetson_clocks); "+
			"%d late answers of %d ticks end its program", gpu.Tolerant().Late, gpu.LateWindow),
	}, serves && l.Recent > 0
}

// cardCondition says what is wrong while the card does not step the field, and whether
// that is a degraded state: where a card was asked for by name or has served before,
// and wherever its program was given up, which nothing but a person mends.
func cardCondition(state gpu.State, primary, expected bool) (loop.Condition, bool) {
	c := loop.Condition{
		Name: "gpu", Value: "the processor steps the field, the graphics card does not",
		Cause:  fmt.Sprintf("its program is %s", state.Phase),
		Remedy: "none yet: the daemon starts it again; if it stays so, see fieldbrain doctor",
	}
	if state.Phase == gpu.Serving {
		c.Cause, c.Remedy = "it gets the field first", "none: it takes over within a second"
	} else if state.Err != nil {
		c.Cause = fmt.Sprintf("its program is %s; the last one: %v", state.Phase, state.Err)
	}
	switch state.Phase {
	case gpu.Stopped: // this daemon has not begun with it, or ends
		c.Remedy = "none while no daemon runs: one that is started begins anew; if it stays so, see fieldbrain doctor"
	case gpu.GivenUp:
		c.Remedy = "see fieldbrain doctor, mend the cause, then restart the daemon"
	}
	return c, !primary && (expected || state.Phase == gpu.GivenUp)
}

// logTurns logs the changes between card and processor since told.
func (s *Service) logTurns(told *failover.State, f failover.State) {
	taken := f.Returns != told.Returns
	if taken && !f.Primary { // and lost again since
		s.log.Info().Uint64("took_over", f.Returns).Msg("the graphics card steps the field")
	}
	if f.Failovers != told.Failovers {
		s.log.Warn().AnErr("because", f.Err).Uint64("step", f.At).Uint64("failed_over", f.Failovers).
			Msg("the processor took over within the tick")
	}
	if taken && f.Primary {
		s.log.Info().Str("engine", f.Engine).Uint64("took_over", f.Returns).Msg("the graphics card steps the field")
	}
	*told = f
}
