package vector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"

	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// An Action is what holds a car's pins: it lasts until the next.
type Action struct {
	Left, Right float64 // duty of the motors, -1 .. 1, negative backwards
	Pulse       float64 // s, high time of the steering servo's pulse, 500e-6 .. 2500e-6; 0 is none
}

// A Reading is what a car's sensors say.
type Reading struct {
	Range [MaxSonars]float64 // m, in the order of the profile's sectors; -1 for no echo
	Floor [numFloor]float64  // counts, left to right
}

// A Truth is what a car does.
type Truth struct {
	plant.Pose
	Speed, Steering, Yaw float64            // m/s, rad, rad/s
	Volts, Amps          float64            // V, A
	Contact              bool               // whether it touches something
	Heard                [MaxSonars]float64 // m, what each sonar's newest ping met, before noise; +Inf for nothing
}

// An Episode is what a car has done since its reset.
type Episode struct {
	Steps    int
	Contacts int     // how often it began to touch something
	Odometer float64 // m driven, both ways
}

func (f *Fleet) at(car, field int) *float64 {
	if car >= f.cars {
		panic(fmt.Sprintf("vector: car %d of %d", car, f.cars))
	}
	return &f.fields[(car/Lanes*numFields+field)*Lanes+car%Lanes]
}

// Act gives a car its next action. Duties beyond 1 and what is not a number count as
// 1 and 0.
func (f *Fleet) Act(car int, a Action) {
	clip := func(v, most float64) float64 {
		if v != v {
			return 0
		}
		return min(max(v, -most), most)
	}
	*f.at(car, actLeft), *f.at(car, actRight) = clip(a.Left, 1), clip(a.Right, 1)
	*f.at(car, actPulse) = max(0, clip(a.Pulse, 2500e-6))
}

// Read returns a car's newest readings.
func (f *Fleet) Read(car int) (r Reading) {
	for i := range r.Range {
		r.Range[i] = *f.at(car, ranges+i)
	}
	for i := range r.Floor {
		r.Floor[i] = *f.at(car, counts+i)
	}
	return r
}

// Truth returns what a car does now.
func (f *Fleet) Truth(car int) Truth {
	t := Truth{
		Pose:  plant.Pose{At: world.Vec{X: *f.at(car, posX), Y: *f.at(car, posY)}, Heading: *f.at(car, heading)},
		Speed: *f.at(car, speed), Steering: *f.at(car, steering), Yaw: *f.at(car, yaw),
		Volts: *f.at(car, volts), Amps: *f.at(car, amps), Contact: *f.at(car, contact) != 0,
	}
	for i := range t.Heard {
		t.Heard[i] = *f.at(car, heard+i)
	}
	return t
}

// Episode returns what a car has done since its reset.
func (f *Fleet) Episode(car int) Episode {
	return Episode{Steps: int(*f.at(car, age)), Contacts: int(*f.at(car, contacts)), Odometer: *f.at(car, odometer)}
}

// Gap returns how far a car's body is from the nearest surface in m, negative inside.
// It changes nothing that a step sees.
func (f *Fleet) Gap(car int) float64 {
	c := f.lane(car)
	f.walk(c.site, c.feet, int(c.get(age)-c.get(walked)))
	c.set(walked, c.get(age))
	body := f.body(&c)
	return f.distance(c.site, c.feet, body.Centre) - body.Radius
}

// Site returns the number of a car's site.
func (f *Fleet) Site(car int) int { return int(*f.at(car, site)) }

// A Snapshot holds all cars of a fleet, each at its own moment.
type Snapshot struct {
	fields, feet []float64
	keys         []uint64
}

// Save copies the cars into s, whose memory it uses again.
func (f *Fleet) Save(s *Snapshot) {
	s.fields = append(s.fields[:0], f.fields...)
	s.feet = append(s.feet[:0], f.feet...)
	s.keys = append(s.keys[:0], f.keys...)
}

// Restore puts the cars back as a Save of a fleet of the same options left them.
func (f *Fleet) Restore(s *Snapshot) error {
	if len(s.fields) != len(f.fields) || len(s.feet) != len(f.feet) || len(s.keys) != len(f.keys) {
		return errors.New("vector: this snapshot is of a fleet of other options")
	}
	copy(f.fields, s.fields)
	copy(f.feet, s.feet)
	copy(f.keys, s.keys)
	f.Changed()
	return nil
}

// Clone returns a snapshot of its own.
func (s *Snapshot) Clone() *Snapshot {
	return &Snapshot{slices.Clone(s.fields), slices.Clone(s.feet), slices.Clone(s.keys)}
}

// Hash returns a hash of everything that the cars are: equal on every engine.
func (f *Fleet) Hash() uint64 {
	h := fnv.New64a()
	var word [8]byte
	for car := range f.cars {
		for field := range numFields {
			v := *f.at(car, field)
			if field == walked { // how far the movers were followed is no part of the car
				continue
			}
			if v == 0 {
				v = 0 // one zero
			}
			binary.LittleEndian.PutUint64(word[:], math.Float64bits(v))
			_, _ = h.Write(word[:])
		}
	}
	return h.Sum64()
}
