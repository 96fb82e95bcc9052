package vector_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/hat"
	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/world"
)

// member returns a world of a family, without the bus's faults.
func member(t *testing.T, name string, seed uint64) *scenarios.Scenario {
	t.Helper()
	sc, err := family.Make(name, family.Train, seed)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// place returns a scenario as a site.
func place(t *testing.T, sc *scenarios.Scenario, seed uint64) vector.Site {
	t.Helper()
	w, start, err := sc.Build(seed)
	if err != nil {
		t.Fatal(err)
	}
	return vector.Site{World: w, Car: sc.Car, Start: start}
}

// A moment is what the bench's car did in one step, and what held its pins.
type moment struct {
	action vector.Action
	truth  vector.Truth
	gap    float64
	met    int
	way    float64
}

// action returns what the pins of the HAT say.
func action(out *hat.Outputs) vector.Action {
	a := vector.Action{Left: out.Duty[13], Right: out.Duty[12], Pulse: out.Pulse[2].Seconds()}
	if out.Left {
		a.Left = -a.Left
	}
	if !out.Right {
		a.Right = -a.Right
	}
	return a
}

// see notes the step that a car has just done.
func see(c *plant.Car, out *hat.Outputs) moment {
	return moment{action(out), vector.Truth{
		Pose: c.Pose, Speed: c.Speed, Steering: c.Steering, Yaw: c.Yaw, Volts: c.Volts, Amps: c.Amps, Contact: c.Contact,
	}, c.Gap, c.Contacts, c.Odometer}
}

// TestBenchCar holds a vector car to the car of testbench.Run, step by step, in
// every family: the same pins, the same drive, bit for bit.
func TestBenchCar(t *testing.T) {
	const steps = 10_000
	tier.Native(t, "equal hashes carry its result over")
	seeds := uint64(tier.Count(t, "seeds", 1, 2, 6))
	for _, name := range family.Names() {
		longest := 0
		for seed := range seeds {
			sc := member(t, name, seed+1)
			fleet, err := vector.New(vector.Options{Cars: 1, Sites: []vector.Site{place(t, sc, seed)}, Profile: sc.Profile, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			track := make([]moment, 0, steps)
			sc.Stop = ""
			_, err = testbench.Run(sc, seed, func(s testbench.Vehicle) (func(time.Duration), error) {
				s.Body.(*testbench.Body).Truth(func(c *plant.Car, _ *world.World) {
					follow := c.OnStep
					c.OnStep = func(c *plant.Car, out *hat.Outputs) {
						track = append(track, see(c, out))
						follow(c, out)
					}
				})
				return testbench.Reactive(s)
			}, testbench.Options{Length: steps * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			if len(track) < steps/20 {
				t.Fatalf("%s/%d: the bench drove %d steps only", name, seed+1, len(track))
			}
			if at := compare(fleet, track); at != "" {
				t.Errorf("%s/%d: %s", name, seed+1, at)
			}
			longest = max(longest, len(track))
			if last := track[len(track)-1]; last.way < 0.05 && len(track) == steps {
				t.Logf("%s/%d: the bench's car hardly drove: %.3f m", name, seed+1, last.way)
			}
		}
		if longest < steps {
			t.Errorf("%s: no drive of %d steps, the longest has %d", name, steps, longest)
		}
	}
}

// compare drives the fleet's only car under the same pins and says where it
// differs first.
func compare(f *vector.Fleet, track []moment) string {
	for i, m := range track {
		f.Act(0, m.action)
		f.Step(1)
		have, did := f.Truth(0), f.Episode(0)
		have.Heard = m.truth.Heard
		blocked := m.truth.Contact && m.truth.Speed == 0 && m.gap == 0 // what a blocked car of the plant says instead
		if have != m.truth || !blocked && f.Gap(0) != m.gap || did.Contacts != m.met || did.Odometer != m.way {
			return fmt.Sprintf("step %d: the fleet has %+v gap %v %+v, the bench %+v", i+1, have, f.Gap(0), did, m)
		}
	}
	return ""
}

// TestWildCar holds a car that drives at random, touches everything and never lets
// go, and its sensors, to testbench/plant.
func TestWildCar(t *testing.T) {
	seeds, steps := uint64(tier.Count(t, "seeds", 1, 3, 10)), tier.Count(t, "steps", 4000, 10_000, 10_000)
	for _, isa := range vector.ISAs() {
		for _, name := range family.Names() {
			for seed := range seeds {
				if at := wild(t, member(t, name, seed+1), isa, seed, steps); at != "" {
					t.Errorf("%s: %s/%d: %s", isa, name, seed+1, at)
				}
			}
		}
	}
}

// TestShortLegs: a mover whose step takes it past several corners of its path walks in a
// fleet as in the plant's world.
func TestShortLegs(t *testing.T) {
	for _, isa := range vector.ISAs() {
		sc := member(t, "movers", 1)
		x, y := sc.World.Size[0]-sc.Start.X, sc.World.Size[1]-sc.Start.Y // across the room
		walk := scenarios.Mover{Radius: 0.05, Speed: 2}
		for i := range 1000 {
			at := world.Unit(float64(i) * 2 * math.Pi / 1000).Scale(0.2)
			walk.Path = append(walk.Path, [2]float64{x + at.X, y + at.Y})
		}
		sc.World.Discs, sc.World.Movers = nil, []scenarios.Mover{walk}
		if at := wild(t, sc, isa, 1, 4000); at != "" {
			t.Errorf("%s: %s", isa, at)
		}
	}
}

// wild says where a wild drive of a fleet's car differs from the plant's.
func wild(t *testing.T, sc *scenarios.Scenario, isa string, seed uint64, steps int) string {
	t.Helper()
	sc.Car.DropOut, sc.Car.Multipath, sc.Car.Specular = 0.05, 0.1, 0.9
	fleet, err := vector.New(vector.Options{Cars: 1, Sites: []vector.Site{place(t, sc, seed)}, Profile: sc.Profile, Seed: seed, ISA: isa})
	if err != nil {
		t.Fatal(err)
	}
	twin := place(t, sc, seed)
	car, err := plant.New(twin.Car, twin.World, twin.Start, sc.Profile, seed)
	if err != nil {
		t.Fatal(err)
	}
	dice := noise.New(seed, "wild")
	var out hat.Outputs
	for i := 1; i <= steps; i++ {
		if i%250 == 1 {
			out = hat.Outputs{Left: dice.Chance(0.3)}
			out.Right = !out.Left != dice.Chance(0.1)
			out.Duty[13], out.Duty[12] = dice.Between(0.3, 1), dice.Between(0.3, 1)
			out.Pulse[2] = time.Duration(dice.Between(1100, 1900)) * time.Microsecond
			if dice.Chance(0.1) {
				out.Pulse[2] = 0
			}
			fleet.Act(0, action(&out))
		}
		car.Advance(time.Duration(i)*plant.Tick, &out, 0)
		fleet.Step(1)
		want := see(car, &out)
		have, did := fleet.Truth(0), fleet.Episode(0)
		have.Heard = want.truth.Heard
		if have != want.truth || did.Contacts != want.met || did.Odometer != want.way {
			return fmt.Sprintf("step %d: the fleet has %+v %+v, the plant %+v", i, have, did, want)
		}
		if differ := senses(fleet, car, i); differ != "" {
			return fmt.Sprintf("step %d: %s", i, differ)
		}
	}
	if car.Contacts == 0 && len(twin.World.Walls) > 0 {
		t.Logf("%s: a wild car never touched anything", sc.Name)
	}
	return ""
}

// senses compares the samples of a step.
func senses(f *vector.Fleet, car *plant.Car, step int) string {
	have := f.Read(0)
	if step%vector.PingSteps == 0 {
		for i := range car.Sectors() {
			d, ok := car.Range(i, 0)
			if !ok {
				d = -1
			}
			if have.Range[i] != d || f.Truth(0).Heard[i] != car.Heard[i] {
				return fmt.Sprintf("sonar %d measures %v of %v, the plant's %v of %v", i, have.Range[i], f.Truth(0).Heard[i], d, car.Heard[i])
			}
		}
	}
	if step%vector.LookSteps == 0 {
		for i := range robot.NumFloor {
			if d := float64(car.Analog(i, 0)); have.Floor[i] != d {
				return fmt.Sprintf("floor sensor %d counts %v, the plant's %v", i, have.Floor[i], d)
			}
		}
	}
	return ""
}
