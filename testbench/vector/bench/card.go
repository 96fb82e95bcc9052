package bench

import (
	"encoding/json"
	"errors"
	"fmt"

	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/world"
)

// CUDA is the name of the rows of a graphics card.
const CUDA = "cuda"

// An Engine is a fleet in another memory than its own, as testbench/vector/card has it.
type Engine interface {
	Step(n int) error // starts n steps
	Wait() error      // returns when they are taken
	Fetch() error     // brings the cars into the fleet
	Send() error      // and back
	Close() error
}

// CardSizes are the numbers of cars that a run on a card takes by itself.
func CardSizes() []int { return append(Sizes(), 1<<18) }

// RunCard measures the rows of a card on which open puts a fleet, after it has shown that
// cars drive there as on the processor. Their gain is left to whoever has timed the car in
// plain C.
func RunCard(o Options, open func(*vector.Fleet) (Engine, error)) (*Report, error) {
	if err := equal(open); err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	r := new(Report)
	for _, sensors := range []bool{false, true} {
		for _, cars := range o.Cars {
			row := Row{ISA: CUDA, Cars: cars, Sensors: sensors}
			var err error
			if row.Rate, err = onCard(o.Rounds, cars, sensors, open); err != nil {
				return nil, fmt.Errorf("bench: %d cars: %w", cars, err)
			}
			r.Rows = append(r.Rows, row)
			if o.Progress != nil {
				o.Progress(len(r.Rows), 2*len(o.Cars))
			}
		}
	}
	return r, nil
}

// How many cars show that a card is right, in how many turns.
const shownCars, shownTurns = 150, 60

// shown are places with everything that a car can meet: walls and discs that swallow
// sound, movers, a line, a table's edge.
func shown() []vector.Site {
	plain, crossed, high := room(), room(), room()
	soft := &world.Surface{Specular: 0.7, Lost: 0.3, Within: 2}
	crossed.World.Walls[1].Surface, crossed.World.Discs[2].Surface = soft, soft
	crossed.World.Floor.Tape = 200
	crossed.World.Floor.Lines = []world.Line{{Points: []world.Vec{{X: 0.5, Y: 1.5}, {X: 3.5, Y: 1.6}}, Width: 0.019}}
	for i := range 2 {
		y := 1.2 + float64(0.6*float64(i))
		crossed.World.Movers = append(
			crossed.World.Movers,
			world.Mover{Path: []world.Vec{{X: 0.4, Y: y}, {X: 3.6, Y: y}}, Radius: 0.1, Speed: 0.3},
		)
	}
	high.World.Discs = nil
	high.World.Floor.Table = []world.Vec{{X: 0.5, Y: 0.5}, {X: 3.5, Y: 0.5}, {X: 3.5, Y: 2.5}, {X: 0.5, Y: 2.5}}
	return []vector.Site{plain, crossed, high}
}

// equal holds cars on a card to those of pure Go, by the hash of all that they are: with
// five sonars, under changing actions, reset now and then, some of them in touch.
func equal(open func(*vector.Fleet) (Engine, error)) (err error) {
	options := vector.Options{Cars: shownCars, Sites: shown(), Profile: plant.P1, Seed: 5, ISA: vector.Go}
	ours, err := vector.New(options)
	if err != nil {
		return err
	}
	theirs, err := vector.New(options)
	if err != nil {
		return err
	}
	e, err := open(ours)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	steps := 0
	for turn := range shownTurns {
		for _, f := range []*vector.Fleet{ours, theirs} {
			direct(f, turn)
		}
		n := 1 + turn%45
		if err := errors.Join(e.Send(), e.Step(n), e.Fetch()); err != nil {
			return err
		}
		theirs.Step(n)
		steps += n
		if have, want := ours.Hash(), theirs.Hash(); have != want {
			return fmt.Errorf("after %d steps %d cars have the hash %#x on the card and %#x in pure Go: do not use this card", steps, shownCars, have, want)
		}
	}
	return nil
}

// direct gives the cars of a fleet the actions of a turn, and lets some begin anew.
func direct(f *vector.Fleet, turn int) {
	for car := range f.Cars() {
		f.Act(car, vector.Action{
			Left: 1 - float64(float64((car+turn)%9)*0.15), Right: 1 - float64(float64((car+3*turn)%7)*0.2),
			Pulse: 1200e-6 + float64(float64((car*37+turn*11)%60)*1e-5),
		})
	}
	for car := turn % 5; turn%12 == 11 && car < f.Cars(); car += 5 {
		at := (car + turn) % 3
		f.Reset(car, at, plant.Pose{At: room().Start.At, Heading: float64(float64(car%62)*0.1) - 3}, uint64(car+turn))
	}
}

// onCard times one row.
func onCard(rounds, cars int, sensors bool, open func(*vector.Fleet) (Engine, error)) (top float64, err error) {
	f, err := tiled(cars, sensors)
	if err != nil {
		return 0, err
	}
	e, err := open(f)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	return best(rounds, f, driver{
		least: 20, // to fetch the cars takes longer than many calls
		calls: func(n int) error {
			for range n {
				if err := e.Step(Hold); err != nil {
					return err
				}
			}
			return e.Wait()
		},
		renew: func(salt int) error {
			if err := e.Fetch(); err != nil {
				return err
			}
			renew(f, salt)
			return e.Send()
		},
	})
}

// tile is how many cars of a large fleet differ: without the engines in C++ to warm up more
// would take minutes.
const tile = 4096

// tiled returns a warm fleet that repeats its first cars.
func tiled(cars int, sensors bool) (*vector.Fleet, error) {
	isa := vector.ISAs()[0]
	first, err := warmFleet(isa, min(cars, tile), sensors)
	if err != nil || cars <= tile {
		return first, err
	}
	f, err := fleet(isa, cars, sensors)
	if err != nil {
		return nil, err
	}
	from, to := first.Memory(), f.Memory()
	for at := 0; at < len(to.Fields); {
		at += copy(to.Fields[at:], from.Fields)
	}
	for at := 0; at < len(to.Keys); {
		at += copy(to.Keys[at:], from.Keys)
	}
	return f, nil
}

// Add takes the rows of a card's report, with their gain.
func (r *Report) Add(card *Report) {
	for _, row := range card.Rows {
		row.Gain = r.gain(row)
		r.Rows = append(r.Rows, row)
	}
	r.Card, r.Software = card.Card, card.Software
}

// Decode reads a report that was written as JSON.
func Decode(text []byte) (*Report, error) {
	r := new(Report)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("bench: a report of another version: %w; build fieldbrain and fieldbrain-gpu anew", err)
	}
	return r, nil
}
