package service

import (
	"fmt"

	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
	"fieldbrain/field/failover"
	"fieldbrain/gpu"
)

// cardStatus returns the card's part of the daemon's status.
func cardStatus(k *car.Card) *daemon.GPUStatus {
	s, f := k.Supervisor.State(), k.Failover.State()
	g := &daemon.GPUStatus{
		Phase: string(s.Phase), Since: s.Since, Device: s.Device, PID: s.PID,
		Starts: s.Starts, Proofs: s.Proofs, Ends: s.Ends, Failovers: f.Failovers, Returns: f.Returns,
	}
	if s.Err != nil {
		g.Error = s.Err.Error()
	}
	if e := k.Newest(); e != nil && k.Profile {
		n := e.Nanos()
		g.Kernels = &daemon.KernelTimes{Prep: n.Prep, Evolve: n.Evolve, Motor: n.Motor, Total: n.Total}
	}
	return g
}

// logCard returns the supervisor's hook: one line per change.
func logCard(log *daemon.Log) func(gpu.State) {
	return func(s gpu.State) {
		line := log.Info()
		switch s.Phase {
		case gpu.Waiting:
			line = log.Warn().AnErr("because", s.Err).Dur("retry_ms", s.Retry)
		case gpu.GivenUp:
			line = log.Warn().AnErr("because", s.Err)
		case gpu.Proven, gpu.Serving:
			line = line.Str("device", s.Device).Int("pid", s.PID)
		}
		line.Uint64("starts", s.Starts).Msgf("graphics card's program: %s", s.Phase)
	}
}

// noteCard turns the card's state into conditions and logs every change between
// card and processor.
func (s *Service) noteCard() {
	k := s.car.Card
	if k == nil {
		return
	}
	state, f := k.Supervisor.State(), k.Failover.State()
	s.logTurns(&s.turns, f)
	s.conditions.Put(cardCondition(state, f.Primary, k.Wanted || f.Returns > 0))
	s.conditions.Put(loop.Condition{
		Name: "gpu page", Value: "the graphics card cannot see the shared page, its program copies",
		Cause:  "the driver refused to register it (cuMemHostRegister)",
		Remedy: "none needed: a few microseconds a tick; a newer driver or RLIMIT_MEMLOCK may help",
	}, f.Primary && state.Copies)
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
	if state.Phase == gpu.GivenUp {
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
