package main

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/field"
	"fieldbrain/field/cpu/bench"
	"fieldbrain/robot"
)

const (
	round     = 8         // ticks after which every period begins anew
	untimed   = round     // first ticks of a turn: the caches are the other rungs'
	turnTicks = 4 * round // of one rung
	lookField = 4         // turns between two looks at the whole field
)

// A contender is one rung taking its turns with what it has come to so far.
type contender struct {
	*replay
	turns  []float64        // ms per tick of each turn's timed part
	places [round][]float64 // ms of the turns' ticks, by place in the round
	u      []float32        // one channel of its field
	off    float64          // squared difference of the field, summed
	steer  float64          // squared difference, rad
	speed  float64          // m/s
	pan    float64          // rad
	peaks  int              // ticks with the peak within one bin
	judged int              // ticks compared
}

// compareRungs replays a drive on every rung, in turns A B C .. C B A, and on
// full quality a second time, to see how far equal work differs.
func compareRungs(config daemon.Config, tape *drive, show func(done, total int, text string)) (*ladderReport, error) {
	var all []*contender
	closeAll := func() (err error) {
		for _, c := range all {
			err = errors.Join(err, c.close())
		}
		return err
	}
	ladder := brain.Ladder()
	for _, rung := range append(ladder[:], ladder[0]) {
		r, err := tape.again(config, rung.Name)
		if err != nil {
			return nil, errors.Join(err, closeAll())
		}
		all = append(all, &contender{replay: r, u: make([]float32, field.Cells)})
	}
	turns, size := len(tape.nows)/turnTicks, 0.0
	bases := make([]outcome, turnTicks)
	for turn := range turns {
		order := slices.Clone(all)
		if turn%2 == 1 {
			slices.Reverse(order[1:]) // full quality first: the others are compared with it
		}
		for _, c := range order {
			if err := c.turn(bases, c == all[0]); err != nil {
				return nil, errors.Join(err, closeAll())
			}
		}
		if turn%lookField == 0 {
			size += lookAt(all)
		}
		show(turn+1, turns, fmt.Sprintf("turn %d of %d", turn+1, turns))
	}
	report := conclude(all, size)
	report.Ticks = turns * turnTicks
	return report, closeAll()
}

// An outcome is what one tick decided.
type outcome struct {
	command robot.Command
	peak    int
}

// turn plays a turn. Full quality fills the outcomes, which must be those of the
// recording, and the others are compared with them.
func (c *contender) turn(bases []outcome, full bool) error {
	var rounds [round][]float64 // ms of the timed ticks, by place in the round
	for i := range bases {
		at := c.at
		busy := c.tick()
		if i >= untimed {
			place := at % round
			rounds[place] = append(rounds[place], busy.Seconds()*1000)
		}
		status := c.brain.Remote().Status()
		now := outcome{c.command, slices.Index(status.Heading[:], slices.Max(status.Heading[:]))}
		if full {
			if now.command != c.tape.commands[at] {
				return fmt.Errorf("tick %d of the replay commands %+v, in the drive it was %+v: the replay is no replay", at, now.command, c.tape.commands[at])
			}
			bases[i] = now
		}
		c.compare(now, bases[i])
	}
	mean := 0.0 // of the places, each by its median: what interrupts one tick does not count
	for place, ms := range rounds {
		middle := bench.Median(ms)
		c.places[place] = append(c.places[place], middle)
		mean += middle / round
	}
	c.turns = append(c.turns, mean)
	return nil
}

// compare enters what a tick lost.
func (c *contender) compare(now, base outcome) {
	steer := float64(now.command.Steering - base.command.Steering)
	speed := float64(now.command.Speed - base.command.Speed)
	c.steer += steer * steer
	c.speed += speed * speed
	pan := float64(now.command.Pan - base.command.Pan)
	c.pan += pan * pan
	apart := (now.peak - base.peak + field.Side) % field.Side
	if min(apart, field.Side-apart) <= 1 {
		c.peaks++
	}
	c.judged++
}

// lookAt adds the squared differences of all fields to full quality's, and
// returns the squared size of that one.
func lookAt(all []*contender) (size float64) {
	full := all[0]
	for ch := range field.Channels {
		full.engine.Read(ch, full.u)
		for _, v := range full.u {
			size += float64(v) * float64(v)
		}
		for _, c := range all[1:] {
			c.engine.Read(ch, c.u)
			for i, v := range c.u {
				d := float64(v - full.u[i])
				c.off += d * d
			}
		}
	}
	return size
}

// conclude puts the rows together.
func conclude(all []*contender, size float64) *ladderReport {
	r := &ladderReport{Engine: all[0].engine.Name(), Control: bench.Paired(all[0].turns, all[brain.NumRungs].turns)}
	top := float64(brain.Default().Top)
	for i, rung := range brain.Ladder() {
		c, q := all[i], rung.Field
		row := rungRow{
			Name: rung.Name, Update: fmt.Sprintf("%d/%d/%d", q.Perception, q.Traces, q.Associative),
			Busy: bench.Median(c.turns), SpeedUp: bench.Paired(all[0].turns, c.turns),
			Field:    math.Sqrt(c.off / size),
			Steering: math.Sqrt(c.steer/float64(c.judged)) * 180 / math.Pi,
			Throttle: math.Sqrt(c.speed/float64(c.judged)) / top,
			Gaze:     math.Sqrt(c.pan/float64(c.judged)) * 180 / math.Pi,
			Peak:     float64(c.peaks) / float64(c.judged),
		}
		for place := range round {
			row.Worst = max(row.Worst, bench.Median(c.places[place]))
		}
		row.Deviation = max(row.Steering/allowedSteering, row.Throttle/allowedThrottle)
		r.Rungs = append(r.Rungs, row)
	}
	return r
}
