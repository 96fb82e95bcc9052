package train

import (
	"math"
	"slices"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/gauge"
	"fieldbrain/testbench/hat"
	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/policy"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/tune"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/world"
)

// A trace is what happened in the bench.
type trace struct {
	pins  []vector.Action             // by step of a millisecond
	seen  map[time.Duration][]float64 // what a policy saw, by tick
	wants map[time.Duration]robot.Command
}

// A tap hears the commands that a body gets.
type tap struct {
	robot.Body
	act func(c robot.Command)
}

func (t *tap) Act(c robot.Command) error {
	t.act(c)
	return t.Body.Act(c)
}

// wanderer is a policy that steers away from what is near.
func wanderer(t *testing.T, profile plant.Profile) *policy.Policy {
	t.Helper()
	const hidden = 4
	w, dice := policy.Novice(profile, hidden), noise.New(5, "wanderer")
	for i := range w {
		w[i] += 0.2 * dice.Normal()
	}
	row := hidden * (policy.Inputs(profile) + hidden)
	w[row+3], w[row+4], w[row+1] = -3, 3, 0.3 // left and right at 30 deg, the side
	p, err := policy.New(profile, hidden, w)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// bench lets a policy drive a scenario in the bench and traces it.
func bench(t *testing.T, sc *scenarios.Scenario, seed uint64, p *policy.Policy, length time.Duration) *trace {
	t.Helper()
	tr := &trace{seen: map[time.Duration][]float64{}, wants: map[time.Duration]robot.Command{}}
	_, err := testbench.Run(sc, seed, func(s testbench.Vehicle) (func(time.Duration), error) {
		s.Body.(*testbench.Body).Truth(func(c *plant.Car, _ *world.World) {
			follow := c.OnStep
			c.OnStep = func(c *plant.Car, out *hat.Outputs) {
				tr.pins = append(tr.pins, pinsOf(out))
				follow(c, out)
			}
		})
		var now time.Duration
		body := s.Body
		s.Body = &tap{body, func(c robot.Command) { tr.wants[now] = c }}
		drive, err := p.Pilot()(s)
		eye, state := policy.NewEye(p.Profile().Sectors(), sc.Brain.Cruise, float64(s.Params.Limits.Steering)), new(robot.State)
		return func(at time.Duration) {
			now = at
			body.Sense(state)
			x := make([]float64, eye.Size())
			eye.Encode(x, state, at)
			tr.seen[at] = x
			drive(at)
		}, err
	}, testbench.Options{Period: Period, Length: length})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// pinsOf returns what the pins of the HAT say.
func pinsOf(out *hat.Outputs) vector.Action {
	a := vector.Action{Left: out.Duty[13], Right: out.Duty[12], Pulse: out.Pulse[2].Seconds()}
	if out.Left {
		a.Left = -a.Left
	}
	if !out.Right {
		a.Right = -a.Right
	}
	return a
}

// replay lets a car of a fleet drive under the bench's pins and returns what its eye
// saw, tick by tick, and what its own driver would have put on the pins.
func replay(t *testing.T, sc *scenarios.Scenario, seed uint64, p *policy.Policy, tr *trace) (seen map[time.Duration][]float64, pins map[time.Duration]vector.Action) {
	t.Helper()
	w, start, err := sc.Build(seed)
	if err != nil {
		t.Fatal(err)
	}
	a := &arena{scenario: sc, site: vector.Site{World: w, Car: sc.Car, Start: start}, cells: 1, columns: 1, ground: gauge.NewGround(w, start.At, sc.Car.BodyRadius)}
	a.seat = testbench.Vehicle{Period: Period, Scenario: sc, Seed: seed, Params: testbench.Calibrated(sc)}
	f, err := vector.New(vector.Options{Cars: 1, Sites: []vector.Site{a.site}, Profile: sc.Profile, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	c, err := newCar(0, p, a)
	if err != nil {
		t.Fatal(err)
	}
	eye := policy.NewEye(p.Profile().Sectors(), sc.Brain.Cruise, float64(a.seat.Params.Limits.Steering))
	seen, pins = map[time.Duration][]float64{}, map[time.Duration]vector.Action{}
	age := lead(Period)
	f.Step(age)
	for i, action := range tr.pins {
		f.Act(0, action)
		f.Step(1)
		age++
		now := time.Duration(i+1) * plant.Tick
		if now%Period != 0 {
			continue
		}
		c.sense(f, sc.Profile.Sectors(), age, now, Period)
		x := make([]float64, eye.Size())
		eye.Encode(x, &c.state, now)
		seen[now] = x
		if want, is := tr.wants[now]; is {
			own := c.ideal.Step(now, want)
			pins[now] = vector.Action{Left: own.Left, Right: own.Right, Pulse: own.Pulse}
		}
	}
	return seen, pins
}

// TestOneEye: on one trajectory a car of the fleet and the car of the bench see the
// same. The beams that the bench itself samples are equal bit for bit at every tick;
// the front's pings, which the driver times, and what the body was told, which the bus
// delays, are equal but for that.
func TestOneEye(t *testing.T) {
	seeds := uint64(tier.Count(t, "seeds", 1, 3, 6))
	near, moved := 0, 0
	for seed := range seeds {
		sc, err := family.Make("room", family.Train, 2001+seed)
		if err != nil {
			t.Fatal(err)
		}
		p := wanderer(t, sc.Profile)
		tr := bench(t, sc, seed, p, 20*time.Second)
		seen, pins := replay(t, sc, seed, p, tr)
		front, told, ticks := 0, 0, 0
		for now := time.Second; now <= 20*time.Second-Period; now += Period {
			a, b := tr.seen[now], seen[now]
			if a == nil || b == nil {
				t.Fatalf("seed %d: nobody looked at %v", seed, now)
			}
			ticks++
			for i := 3; i < 7; i++ { // the beams at 30 and 60 deg
				if a[i] != b[i] {
					t.Fatalf("seed %d, %v: beam %d is %v in the bench and %v in the fleet", seed, now, i-2, a[i], b[i])
				}
			}
			if slices.Max(a[3:7]) > 0.5 {
				near++
			}
			if math.Abs(a[2]-b[2]) < 0.06 {
				front++
			}
			if math.Abs(a[8]-b[8]) < 0.05 && math.Abs(a[9]-b[9]) < 0.05 {
				told++
			}
			if tr.pins[now/plant.Tick].Left != 0 {
				moved++
			}
		}
		if front < ticks*9/10 || told < ticks*95/100 {
			t.Errorf("seed %d: of %d ticks the front agrees in %d, what the body was told in %d", seed, ticks, front, told)
		}
		if n := agree(tr, pins); n < 0.9 {
			t.Errorf("seed %d: the pins follow the commands as in the bench in %.2f of the ticks", seed, n)
		}
	}
	if near < 20 || moved < 500*int(seeds) {
		t.Errorf("it was near something in %d ticks and drove in %d: too little to compare", near, moved)
	}
}

// agree returns the share of ticks at whose end the bench's pins are what an Ideal put
// out for the same commands.
func agree(tr *trace, pins map[time.Duration]vector.Action) float64 {
	same, all := 0, 0
	for now, own := range pins {
		i := int((now+Period)/plant.Tick) - 2 // the last step before the next tick
		if now < time.Second || i >= len(tr.pins) {
			continue
		}
		all++
		b := tr.pins[i]
		if math.Abs(own.Left-b.Left) < 0.01 && math.Abs(own.Right-b.Right) < 0.01 && math.Abs(own.Pulse-b.Pulse) < 10e-6 {
			same++
		}
	}
	return float64(same) / float64(max(all, 1))
}

// TestOneJudge: the same policy costs in the fleet what it costs in the bench, worlds
// and noise apart in which one millisecond leads another way.
func TestOneJudge(t *testing.T) {
	const seconds = 40
	worlds := tier.Count(t, "worlds", 6, 16, 32)
	o := Default()
	p := wanderer(t, o.Profile)
	var arenas []*arena
	bench := 0.0
	for i := range worlds {
		a, err := open(o.Family, 3001+uint64(i), Period, seconds)
		if err != nil {
			t.Fatal(err)
		}
		arenas = append(arenas, a)
		m, err := oracle.Survey(a.scenario, 1)
		if err != nil {
			t.Fatal(err)
		}
		r, err := testbench.Run(a.scenario, 1, p.Pilot(), testbench.Options{Length: seconds * time.Second, Map: m})
		if err != nil {
			t.Fatal(err)
		}
		bench += tune.Cost(r, seconds) / float64(worlds)
	}
	r := race{arenas: arenas, seconds: seconds, noise: 1}
	if err := r.line([]*policy.Policy{p}); err != nil {
		t.Fatal(err)
	}
	if err := r.run(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	fleet := r.costs(1)[0]
	t.Logf("%d worlds: the bench's mean cost is %.3f, the fleet's %.3f", worlds, bench, fleet)
	if math.Abs(bench-fleet) > 1/math.Sqrt(float64(worlds)) {
		t.Errorf("the bench says %.3f, the fleet %.3f", bench, fleet)
	}
}
