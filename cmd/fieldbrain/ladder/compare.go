package ladder

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"fieldbrain/brain"
	"fieldbrain/brain/quality"
	"fieldbrain/daemon/config"
	"fieldbrain/field"
	"fieldbrain/robot"
	"fieldbrain/verdict"
)

const (
	round     = 8         // ticks after which every period begins anew
	untimed   = round     // first ticks of a turn: the caches are the other rungs'
	turnTicks = 4 * round // of one rung
	lookField = 4         // turns between two looks at the whole field
)

// A contender is one rung or start that takes its turns, with its sums so far.
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

	spatial bool // a channel of three axes was not the same everywhere
}

// Compare replays a drive on every rung, in turns A B C .. C B A, on full quality a
// second time, to see how far equal work differs, and from every start.
func Compare(settings config.Config, tape *Tape, show func(done, total int, text string)) (*Report, error) {
	var all []*contender
	closeAll := func() (err error) {
		for _, c := range all {
			err = errors.Join(err, c.Close())
		}
		return err
	}
	variants, chosen := contenders(settings)
	for _, variant := range variants {
		r, err := tape.again(variant)
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
	report, err := conclude(all, chosen, size)
	if err != nil {
		return nil, errors.Join(err, closeAll())
	}
	report.Ticks = turns * turnTicks
	return report, closeAll()
}

// contenders returns the configuration of every rung, full quality once more, and those of
// the starts.
func contenders(settings config.Config) (all []config.Config, chosen []start) {
	settings.Engine.Planes, settings.Engine.Halves = field.Side, false
	ladder := quality.Ladder()
	for _, rung := range append(ladder[:], ladder[0]) {
		settings.Engine.Quality = rung.Name
		all = append(all, settings)
	}
	chosen = starts(settings.Engine)
	for _, s := range chosen {
		all = append(all, s.over(settings))
	}
	return all, chosen
}

// An outcome is the decision of one tick.
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
		status := c.Brain.Remote().Status()
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
		middle := verdict.Median(ms)
		c.places[place] = append(c.places[place], middle)
		mean += middle / round
	}
	c.turns = append(c.turns, mean)
	return nil
}

// compare enters the loss of a tick.
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
	full, table := all[0], field.PiCarX()
	for ch := range field.Channels {
		full.Engine.Read(field.Section(ch), full.u)
		for _, v := range full.u {
			size += float64(v) * float64(v)
		}
		if table[ch].Mask == field.XYZ {
			first := full.u[0]
			full.spatial = full.spatial || slices.ContainsFunc(full.u, func(v float32) bool { return v != first })
		}
		for _, c := range all[1:] {
			c.Engine.Read(field.Section(ch), c.u)
			for i, v := range c.u {
				d := float64(v - full.u[i])
				c.off += d * d
			}
		}
	}
	return size
}

// conclude puts the rows together.
func conclude(all []*contender, chosen []start, size float64) (r *Report, err error) {
	full, again := all[0], all[quality.NumRungs]
	r = &Report{Engine: full.Engine.Name()}
	if r.Control, err = verdict.Pairs(full.turns, again.turns); err != nil {
		return nil, fmt.Errorf("ladder: full quality against itself: %w", err)
	}
	above := again // full quality comes first in every turn, its double takes its turn as the rungs do
	for i, rung := range quality.Ladder() {
		c := all[i]
		row := c.row(rung, size)
		if row.SpeedUp, err = verdict.Pairs(full.turns, c.turns); err != nil {
			return nil, fmt.Errorf("ladder: %s: %w", rung.Name, err)
		}
		r.Rungs = append(r.Rungs, row)
		if i == 0 {
			continue
		}
		ratio, err := verdict.Pairs(above.turns, c.turns)
		if err != nil {
			return nil, fmt.Errorf("ladder: %s: %w", rung.Name, err)
		}
		name := fmt.Sprintf("%s faster than %s", rung.Name, quality.Ladder()[i-1].Name)
		r.Claims = append(r.Claims, verdict.Claim{Name: name, Direction: verdict.AtLeast, Limit: 1}.Judge(ratio))
		above = c
	}
	return r, r.compareStarts(chosen, full, again, all[quality.NumRungs+1:], size)
}

// row returns the contender's result; size is the squared size of full quality's
// fields.
func (c *contender) row(rung quality.Rung, size float64) Row {
	q, judged := rung.Field, float64(c.judged)
	row := Row{
		Name: rung.Name, Update: fmt.Sprintf("%d/%d/%d", q.Perception, q.Traces, q.Associative),
		Busy:     verdict.Median(c.turns),
		Memory:   memory(c) / 1e6,
		Field:    math.Sqrt(c.off / size),
		Steering: math.Sqrt(c.steer/judged) * 180 / math.Pi,
		Throttle: math.Sqrt(c.speed/judged) / float64(brain.Default().Top),
		Gaze:     math.Sqrt(c.pan/judged) * 180 / math.Pi,
		Peak:     float64(c.peaks) / judged,
	}
	for place := range round {
		row.Worst = max(row.Worst, verdict.Median(c.places[place]))
	}
	row.Deviation = max(row.Steering/allowedSteering, row.Throttle/allowedThrottle)
	return row
}
