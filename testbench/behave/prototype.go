package behave

import (
	"fmt"
	"math"

	"fieldbrain/field"
	"fieldbrain/robot"
)

// predicting is O1: the original's own stimulus and score, by our confidence.
func predicting() entry {
	return entry{id: "O1", name: "prediction learning", scene: "the original's stimulus, from as many phases", seeds: 10, prepare: func(run *runner, n int) experiment {
		return experiment{judge: func() []Check {
			var early, late values
			for i := range n {
				h := habituate(201, start(i), field.DefaultLearn())
				early, late = append(early, of(h.trust[20])...), append(late, of(h.trust[200])...)
			}
			return []Check{check("confidence_after_20", atLeast, 0.3, early), check("confidence_after_200", atLeast, 0.8, late)}
		}}
	}}
}

// nearing is O4: throttle falls with the range ahead, and is none below 0.14 m.
func nearing() entry {
	ranges := []float32{1.0, 0.7, 0.5, 0.4, 0.3, 0.2, 0.13, 0.10}
	return entry{id: "O4", name: "obstacle response", scene: "an obstacle ahead at 1.0 to 0.1 m, noise off, 0.35 s each", seeds: 1, prepare: func(run *runner, _ int) experiment {
		speeds := make([]float64, len(ranges))
		var p experiment
		for i, r := range ranges {
			p.jobs = append(p.jobs, func() error {
				c, err := run.look("", 70, sight{robot.Front, r}) // before an escape begins
				speeds[i] = float64(c.Speed)
				return err
			})
		}
		p.judge = func() []Check {
			rise, near := 0.0, math.Inf(-1)
			for i, v := range speeds {
				if i > 0 {
					rise = max(rise, v-speeds[i-1])
				}
				if ranges[i] < 0.14 {
					near = max(near, v)
				}
			}
			spread := check("fall_from_1_m_to_0.3_m_mps", atLeast, 0.05, of(speeds[0]-speeds[4]))
			return []Check{check("largest_rise_mps", atMost, 0.005, of(rise)), check("speed_below_0.14_m_mps", atMost, 0, of(near)), spread}
		}
		p.exact = func(isa string) (string, error) {
			c, err := run.look(isa, 70, sight{robot.Front, 0.4})
			return fmt.Sprintf("%x %016x", math.Float32bits(c.Speed), c.hash), err
		}
		return p
	}}
}

// turning is O5: an obstacle to the left turns the field's heading and the car right, its
// mirror image turns them left, the car by the same angle. The arcs alone keep the car off
// what stands beside it; the heading is the field's.
func turning() entry {
	return entry{id: "O5", name: "turn", scene: "an obstacle at +30 deg and floor known free at -30 deg, and its mirror image, noise off, 1.5 s", seeds: 1, prepare: func(run *runner, _ int) experiment {
		var angles, headings [2]float64
		var p experiment
		for i, sector := range []int{robot.Left30, robot.Right30} {
			other := robot.Left30 + robot.Right30 - sector
			p.jobs = append(p.jobs, func() error {
				c, err := run.look("", 300, sight{robot.Front, 0.8}, sight{sector, 0.35}, sight{other, 1.5})
				angles[i], headings[i] = float64(c.Steering), c.heading
				return err
			})
		}
		p.judge = func() []Check {
			const least = 2 * math.Pi / 180
			return []Check{
				check("heading_obstacle_left_rad", atMost, -least, of(headings[0])),
				check("heading_obstacle_right_rad", atLeast, least, of(headings[1])),
				check("steering_obstacle_left_rad", atMost, -least, of(angles[0])),
				check("steering_obstacle_right_rad", atLeast, least, of(angles[1])),
				check("mirror_error_rad", atMost, field.BinAngle, of(math.Abs(angles[0]+angles[1]))),
			}
		}
		p.exact = func(isa string) (string, error) {
			c, err := run.look(isa, 300, sight{robot.Front, 0.8}, sight{robot.Left30, 0.35}, sight{robot.Right30, 1.5})
			return fmt.Sprintf("%x %016x", math.Float32bits(c.Steering), c.hash), err
		}
		return p
	}}
}

// repeating is O6: without noise, repeats do not differ.
func repeating() entry {
	return entry{id: "O6", name: "consistency", scene: "10 repeats of one scene, noise off, 1 s", seeds: 10, prepare: func(run *runner, n int) experiment {
		speed, steering := make([]float64, n), make([]float64, n)
		var p experiment
		for i := range n {
			p.jobs = append(p.jobs, func() error {
				c, err := run.look("", 200, sight{robot.Front, 0.9}, sight{robot.Left60, 0.5})
				speed[i], steering[i] = float64(c.Speed), float64(c.Steering)
				return err
			})
		}
		p.judge = func() []Check {
			return []Check{check("speed_variance", atMost, 0, of(variance(speed))), check("steering_variance", atMost, 0, of(variance(steering)))}
		}
		return p
	}}
}

func variance(v []float64) float64 {
	m, sum := mean(v), 0.0
	for _, x := range v {
		sum += float64((x - m) * (x - m))
	}
	return sum / float64(len(v))
}

// ramping is O7: an output that rises toward +X in HEADING turns the car left,
// and one that rises toward -X turns it right.
func ramping() entry {
	return entry{id: "O7", name: "ramp", scene: "an output that rises by bearing in HEADING, 1 s of gradient ascent", seeds: 1, prepare: func(run *runner, _ int) experiment {
		return experiment{judge: func() []Check {
			return []Check{
				check("operating_point_ramp_left_rad", atLeast, 0.1, of(run.climb(1))),
				check("operating_point_ramp_right_rad", atMost, -0.1, of(run.climb(-1))),
			}
		}}
	}}
}

// climb lets the heading's operating point climb a ramp for a second.
func (run *runner) climb(side int) (op float64) {
	a := field.HeadingAscent()
	var ramp [field.Side]int32
	for i := range ramp {
		x := field.Ahead + side*(i-field.Ahead)
		if x >= 0 && x < field.Side {
			ramp[i] = int32(x * field.One / field.Side)
		}
	}
	for range int(1 / run.Period.Seconds()) {
		op = a.Step(&ramp, op, run.Period)
	}
	return op
}

// exploringMotor is O2: the original's variance of the motors is replaced by B13.
func exploringMotor() entry {
	e := exploring()
	e.id, e.name, e.with = "O2", "exploration, by B13", e.id
	return e
}
