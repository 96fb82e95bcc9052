package policy

import (
	"fmt"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench"
)

// Decide is how often a policy decides: with every ping of its beams.
const Decide = 40 * time.Millisecond

// A Driver is a policy at a wheel, in the bench and in a fleet alike: from what the
// body senses to the command for it, the reflexes in between.
type Driver struct {
	policy   *Policy
	eye      *Eye
	reflexes *safety.Reflexes
	armed    bool
	next     time.Duration // of the next decision
	cruise   float64       // m/s
	lock     float64       // rad

	x, mirrored    []float64
	memory, beyond []float64 // the mirror's is beyond
	scratch        []float64
	speed          float32 // m/s, what it wants
	steering       float32 // rad
}

// NewDriver puts a policy into a seat, of which it takes the period, the scenario's
// profile, cruise speed and cliffs, and the car's limits. It refuses a car with other
// sensors than the policy's.
func NewDriver(p *Policy, s testbench.Vehicle) (*Driver, error) {
	if s.Scenario.Profile != p.profile {
		return nil, fmt.Errorf("policy: it drives by the sensors of %s, and the car of %s has those of %s: train one with --profile %s", p.profile, s.Scenario.Name, s.Scenario.Profile, s.Scenario.Profile)
	}
	reflexes, err := s.Reflexes()
	if err != nil {
		return nil, err
	}
	d := &Driver{policy: p, reflexes: reflexes, cruise: s.Scenario.Brain.Cruise, lock: float64(s.Params.Limits.Steering)}
	d.eye = NewEye(p.sectors, d.cruise, d.lock)
	d.x, d.mirrored = make([]float64, d.eye.Size()), make([]float64, d.eye.Size())
	d.memory, d.beyond, d.scratch = make([]float64, p.hidden), make([]float64, p.hidden), make([]float64, p.hidden)
	return d, nil
}

// Tick returns the command for the body that sensed s, at now.
func (d *Driver) Tick(s *robot.State, now time.Duration) robot.Command {
	if now >= d.next {
		d.next += Decide
		if d.next <= now { // it was away for longer
			d.next = now + Decide
		}
		d.decide(s, now)
	}
	command, _ := d.reflexes.Apply(s, robot.Command{
		At: now, SensedAt: s.Now, Enable: true, Speed: d.speed, Steering: d.steering,
	})
	d.armed = d.armed || d.reflexes.Arm() == nil
	return command
}

// decide asks the network.
func (d *Driver) decide(s *robot.State, now time.Duration) {
	d.eye.Encode(d.x, s, now)
	d.eye.Mirror(d.mirrored, d.x)
	turn, drive := d.policy.think(d.x, d.memory, d.scratch)
	against, along := d.policy.think(d.mirrored, d.beyond, d.scratch)
	turn, drive = (turn-against)/2, (drive+along)/2
	d.steering = float32(d.lock * min(max(turn, -1), 1))
	d.speed = float32(d.cruise * min(max(drive, -Back), 1))
}

// Seen returns what the driver saw when it decided last. It is the driver's own.
func (d *Driver) Seen() []float64 { return d.x }

// Pilot returns the policy as a pilot of the bench.
func (p *Policy) Pilot() testbench.Pilot {
	return func(s testbench.Vehicle) (func(now time.Duration), error) {
		d, err := NewDriver(p, s)
		if err != nil {
			return nil, err
		}
		state := new(robot.State)
		return func(now time.Duration) {
			s.Body.Sense(state)
			_ = s.Body.Act(d.Tick(state, now)) // the reflexes let nothing pass that is not finite
		}, nil
	}
}
