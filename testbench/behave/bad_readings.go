package behave

import (
	"errors"
	"fmt"
	"math"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/robot"
)

// A spoiled body replaces what all sensors say in every seventh state: by the
// same impossible value, or by nothing.
type spoiled struct {
	robot.Body
	n       int
	value   float32
	nothing bool
}

// Sense implements robot.Body.
func (s *spoiled) Sense(st *robot.State) {
	s.Body.Sense(st)
	if s.n++; s.n%7 != 0 {
		return
	}
	for _, r := range sensed(st) {
		if s.nothing {
			r.OK = false
		} else if r.OK {
			r.Value, r.At = s.value, st.Now
		}
	}
}

// sensed lists every reading of a state that this car has.
func sensed(st *robot.State) []*robot.Reading {
	list := []*robot.Reading{&st.Battery, &st.Target.Bearing, &st.Target.Elevation, &st.Target.Size, &st.Target.Confidence}
	for i := range st.Range {
		list = append(list, &st.Range[i])
	}
	for i := range st.Floor {
		list = append(list, &st.Floor[i])
	}
	return list
}

// impossible are the values of S3.
var impossible = [...]float32{
	float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), -3, 1e9,
}

// A log is every command of a drive, the field's hash and the bad readings
// counted.
type log struct {
	commands []robot.Command
	hash     uint64
	bad      uint64
}

// spoil drives to the goal for 12 s with spoiled states.
func (run *runner) spoil(seed uint64, value float32, nothing bool) (g log, err error) {
	r, err := run.ride("goal", seed, func(b robot.Body) robot.Body { return &spoiled{Body: b, value: value, nothing: nothing} })
	if err != nil {
		return g, err
	}
	defer func() { err = errors.Join(err, r.mind.Close()) }()
	r.after = func(_ time.Duration, t *brain.Trace) {
		c := t.Command
		c.SensedAt = 0 // when the oldest new reading was ready: spoiled instants are
		g.commands = append(g.commands, c)
	}
	r.rig.AdvanceTo(12 * time.Second)
	if !r.armed {
		return g, fmt.Errorf("behave: S3, seed %d: the car was never armed", seed)
	}
	g.hash, g.bad = field.Hash(r.mind.Engine), r.mind.Brain.Remote().Status().Safety.Stats.BadReadings
	return g, nil
}

// differing counts the commands of two drives that differ, and one more when
// their fields do.
func (g *log) differing(other *log) float64 {
	n := math.Abs(float64(len(g.commands) - len(other.commands)))
	for i := range min(len(g.commands), len(other.commands)) {
		n += yes(g.commands[i] != other.commands[i])
	}
	return n + yes(g.hash != other.hash)
}

// refusing is S3: a frame of impossible values is worth as much as one without
// readings, and the reflexes count it.
func refusing() entry {
	return entry{id: "S3", name: "impossible frames", scene: "the way to the beacon; every seventh state is all NaN, +Inf, -Inf, -3 or 1e9, beside one without readings", seeds: 5, prepare: func(run *runner, n int) experiment {
		differ, counted := make(values, n*len(impossible)), make(values, n*len(impossible))
		var p experiment
		for i := range n {
			p.jobs = append(p.jobs, func() error {
				want, err := run.spoil(uint64(i+1), 0, true)
				if err != nil {
					return err
				}
				for k, value := range impossible {
					got, err := run.spoil(uint64(i+1), value, false)
					if err != nil {
						return err
					}
					at := i*len(impossible) + k
					differ[at], counted[at] = of(got.differing(&want))[0], of(float64(got.bad))[0]
				}
				return nil
			})
		}
		p.judge = func() []Check {
			return []Check{check("changed_commands", atMost, 0, differ), check("bad_readings_counted", atLeast, 1, counted)}
		}
		return p
	}}
}
