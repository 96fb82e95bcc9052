package brain

import (
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// A Stage is one part of a tick, timed by one clock read at its end.
type Stage uint8

// The stages of a tick in their order.
const (
	Sense     Stage = iota // copy the newest readings
	Encode                 // readings to sensory vector and stimuli
	Step                   // the field evolves
	Decode                 // marginals and gradients to a wanted command
	Reflex                 // limits and reflexes overrule it
	Act                    // hand the command to the bus owner
	NumStages              // how many there are
)

var stageNames = [NumStages]string{"sense", "encode", "step", "decode", "reflex", "act"}

// String returns the stage's name as logs and telemetry print it.
func (s Stage) String() string {
	if s < NumStages {
		return stageNames[s]
	}
	return "unknown"
}

// A Trace says what one tick did and how long each stage took. It is a plain
// value: the daemon copies it into histograms and views after the tick.
type Trace struct {
	Tick    uint64                   // counts ticks since start
	Now     time.Duration            // instant the tick was given
	Laps    [NumStages]time.Duration // duration of each stage
	Plan    time.Duration            // part of Encode: belief and planner, 0 where nobody asks for plans
	Command robot.Command            // for the body
	Causes  safety.Causes            // everything that holds against motion
	Rung    int                      // of the quality ladder, as the tick ran; 0 is the best
	Err     error                    // the engine's or the body's refusal, if any

	held  safety.Level  // failsafe level when the tick began
	mark  time.Duration // end of the last stage
	ended Stage         // stages that have ended, or end now
}

// lap ends a stage with one read of the clock.
func (t *Trace) lap(s Stage, clock robot.Clock) {
	t.ended = s + 1
	now := clock.Now()
	t.Laps[s] = now - t.mark
	t.mark = now
}

// planning returns when belief and planner begin, a negative instant when nobody asks
// for plans: then the clock is not read.
func (t *Trace) planning(on bool, clock robot.Clock) time.Duration {
	if !on {
		return -1
	}
	return clock.Now()
}

// planned ends what planning began; a tick may plan twice.
func (t *Trace) planned(began time.Duration, clock robot.Clock) {
	if began >= 0 {
		t.Plan += clock.Now() - began
	}
}

// note keeps the engine's error, or else the body's.
func (t *Trace) note(engine, body error) {
	t.Err = engine
	if engine == nil {
		t.Err = body
	}
}

// Busy returns how long the whole tick took.
func (t *Trace) Busy() time.Duration {
	var sum time.Duration
	for _, d := range t.Laps {
		sum += d
	}
	return sum
}
