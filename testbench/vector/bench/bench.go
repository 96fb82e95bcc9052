package bench

import (
	"fmt"
	"sync"
	"time"

	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/world"
)

// Hold is how many steps an action holds, one call: a tick of the brain.
const Hold = 5

// A Row is one engine with so many cars.
type Row struct {
	ISA     string  `json:"isa"`
	Cars    int     `json:"cars"`
	Sensors bool    `json:"sensors"`
	Rate    float64 `json:"steps_per_s"`
	Gain    float64 `json:"gain"` // over the same car in C, one per call; 0 where the build has none
}

// A Report is one run. Rates are those of the best piece of its rounds, in steps per second.
type Report struct {
	Rows     []Row   `json:"rows"`
	CartPole float64 `json:"cartpole_steps_per_s"`
	Blind    float64 `json:"one_car_steps_per_s"`         // plain C, one car per call
	Seeing   float64 `json:"one_car_sensors_steps_per_s"` // likewise, with its sensors
	Two      float64 `json:"two_cores"`                   // the best engine on two threads over one, 4096 cars with sensors
	// Knee is the most cars of the best engine before a step costs 20 % more than its least;
	// 0 when it never does.
	Knee     int       `json:"knee_cars"`
	Rise     float64   `json:"rise"` // the most that a step of it costs over one of fewer cars
	Floors   []Floor   `json:"floors,omitempty"`
	Tasks    []TaskRow `json:"tasks,omitempty"`        // environments on the card
	Failed   string    `json:"tasks_failed,omitempty"` // why there are none of them
	Card     string    `json:"card,omitempty"`         // the graphics card of the rows "cuda"
	Software bool      `json:"software,omitempty"`     // it is the software driver, whose times mean nothing
}

// Options choose the rows.
type Options struct {
	Rounds   int                   // of some 10 ms, for every row
	Floor    bool                  // count the instructions, which takes seconds
	Cars     []int                 // numbers of cars
	Progress func(done, total int) // may be nil
}

// Sizes are the numbers of cars that a run takes by itself.
func Sizes() []int { return []int{1, 16, 256, 1024, 4096, 16384, 65536} }

// room is where all cars drive: four walls and eight discs on a plain floor.
func room() vector.Site {
	w := &world.World{Walls: world.Room(world.Vec{}, world.Vec{X: 4, Y: 3}), Floor: world.Floor{Background: 1000}}
	for i := range 8 {
		centre := world.Vec{X: 0.5 + float64(0.4*float64(i)), Y: 0.6 + float64(1.8*float64(i%2))}
		w.Discs = append(w.Discs, world.Disc{Centre: centre, Radius: 0.08})
	}
	return vector.Site{World: w, Car: plant.Default(), Start: plant.Pose{At: world.Vec{X: 2, Y: 1.5}}}
}

// begin puts a car back at its start, with its direction and its action.
func begin(f *vector.Fleet, car int, seed uint64) {
	start := room().Start.At
	f.Reset(car, 0, plant.Pose{At: start, Heading: float64(float64(car%628)*0.01) - 3.14}, seed)
	f.Act(car, vector.Action{Left: 0.6, Right: 0.75, Pulse: 1500e-6 + float64(float64(car%7)*20e-6)})
}

// fleet returns a fleet of one engine, every car on its way.
func fleet(isa string, cars int, sensors bool) (*vector.Fleet, error) {
	f, err := vector.New(vector.Options{Cars: cars, Sites: []vector.Site{room()}, Profile: plant.P0, Blind: !sensors, ISA: isa})
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	for i := range cars {
		begin(f, i, uint64(i))
	}
	return f, nil
}

// warmUpSteps is how many steps cars drive before they are timed: then some stand beside
// walls, and their sonars ping at different steps.
const warmUpSteps = 3000

// phase is the call after which a car begins, as good as drawn (Knuth 1973, section 6.4).
func phase(car int) int { return int(uint32(car)*2654435769>>16) % (vector.PingSteps / Hold) }

// warmUp lets a new fleet drive until its cars are as they will be. They begin at
// different calls, so that in every call as many sonars ping as in another.
func warmUp(f *vector.Fleet) {
	for call := range warmUpSteps / Hold {
		f.Step(Hold)
		for i := range f.Cars() {
			if f.Episode(i).Contacts > 0 || phase(i) == call {
				begin(f, i, uint64(i))
			}
		}
	}
}

// renew lets cars that have touched something begin anew.
func renew(f *vector.Fleet, salt int) {
	for i := range f.Cars() {
		if f.Episode(i).Contacts > 0 {
			begin(f, i, uint64(salt+i))
		}
	}
}

// warmFleet returns a fleet of one engine that the fastest has driven.
func warmFleet(isa string, cars int, sensors bool) (*vector.Fleet, error) {
	fast, err := fleet(vector.ISAs()[0], cars, sensors)
	if err != nil {
		return nil, err
	}
	warmUp(fast)
	f, err := fleet(isa, cars, sensors)
	if err != nil {
		return nil, err
	}
	var s vector.Snapshot
	fast.Save(&s)
	return f, f.Restore(&s)
}

// slice is how long a round times one row.
const slice = 10 * time.Millisecond

// piece is how many steps are timed at once: a millisecond or few, which other work on
// the machine leaves alone now and then.
const piece = 100_000

// A driver steps a fleet: so many calls of Hold steps, and anew, outside the time, with
// the cars that have touched something.
type driver struct {
	least int // calls before cars begin anew
	calls func(n int) error
	renew func(salt int) error
}

// within is the driver of a fleet that steps in its own memory.
func within(f *vector.Fleet, step func()) driver {
	return driver{
		calls: func(n int) error {
			for range n {
				step()
			}
			return nil
		},
		renew: func(salt int) error {
			renew(f, salt)
			return nil
		},
	}
}

// rate lets a fleet drive for a slice and returns its steps per second, those of its
// best piece. Cars that have touched something begin anew after 20 calls at most, or those
// that the driver says.
func rate(f *vector.Fleet, d driver) (best float64, err error) {
	calls := max(1, d.least, min(20, piece/(Hold*f.Cars())))
	for spent, salt := time.Duration(0), 0; spent < slice; {
		steps, took := 0, time.Duration(0)
		for steps < piece {
			begun := time.Now()
			if err := d.calls(calls); err != nil {
				return 0, err
			}
			took += time.Since(begun)
			steps += calls * Hold * f.Cars()
			if err := d.renew(salt); err != nil {
				return 0, err
			}
			salt++
		}
		spent += took
		best = max(best, float64(steps)/took.Seconds())
	}
	return best, nil
}

// best returns the best rate of some rounds.
func best(rounds int, f *vector.Fleet, d driver) (top float64, err error) {
	for range rounds {
		one, err := rate(f, d)
		if err != nil {
			return 0, err
		}
		top = max(top, one)
	}
	return top, nil
}

// timed returns the steps per second of a call that takes so many.
func timed(steps int, call func() float64) float64 {
	begun := time.Now()
	call()
	return float64(steps) / time.Since(begun).Seconds()
}

// Run measures.
func Run(o Options) (*Report, error) {
	r, fastest := &Report{}, vector.ISAs()[0]
	total := len(vector.ISAs()) * 2 * len(o.Cars)
	for range 10 * o.Rounds {
		if peers {
			r.CartPole = max(r.CartPole, timed(100_000, func() float64 { return cartpole(1000, 100) }))
			r.Blind = max(r.Blind, timed(20_000, func() float64 { return oneCar(500, vector.PingSteps, false) }))
			r.Seeing = max(r.Seeing, timed(20_000, func() float64 { return oneCar(500, vector.PingSteps, true) }))
		}
	}
	for _, isa := range vector.ISAs() {
		for _, sensors := range []bool{false, true} {
			for _, cars := range o.Cars {
				f, err := warmFleet(isa, cars, sensors)
				if err != nil {
					return nil, err
				}
				row := Row{ISA: isa, Cars: cars, Sensors: sensors}
				if row.Rate, err = best(o.Rounds, f, within(f, func() { f.Step(Hold) })); err != nil {
					return nil, err
				}
				row.Gain = r.gain(row)
				r.Rows = append(r.Rows, row)
				if o.Progress != nil {
					o.Progress(len(r.Rows), total)
				}
			}
		}
	}
	r.Knee, r.Rise = r.knee(fastest)
	if o.Floor {
		if err := r.floors(o.Rounds); err != nil {
			return nil, err
		}
	}
	return r, r.scale(fastest, o.Rounds)
}

// gain returns how much faster a row is than one car per call.
func (r *Report) gain(row Row) float64 {
	one := r.Blind
	if row.Sensors {
		one = r.Seeing
	}
	if one == 0 {
		return 0
	}
	return row.Rate / one
}

// knee looks for the cars of an engine beyond which a step with sensors costs more, and
// for the most that it costs over one of fewer cars.
func (r *Report) knee(isa string) (cars int, rise float64) {
	top, last := 0.0, 0
	for _, row := range r.Rows {
		if row.ISA != isa || !row.Sensors {
			continue
		}
		rise = max(rise, top/row.Rate)
		if row.Rate < top/1.2 && cars == 0 {
			cars = last
		}
		top, last = max(top, row.Rate), row.Cars
	}
	return cars, rise
}

// scale measures what a second thread brings.
func (r *Report) scale(isa string, rounds int) error {
	f, err := warmFleet(isa, 4096, true)
	if err != nil {
		return err
	}
	one, two := 0.0, 0.0
	for range rounds {
		a, err := rate(f, within(f, func() { f.Step(Hold) }))
		if err != nil {
			return err
		}
		b, err := rate(f, within(f, func() {
			var both sync.WaitGroup
			for part := range 2 {
				both.Go(func() { f.StepPart(part, 2, Hold) })
			}
			both.Wait()
		}))
		if err != nil {
			return err
		}
		one, two = max(one, a), max(two, b)
	}
	r.Two = two / one
	return nil
}
