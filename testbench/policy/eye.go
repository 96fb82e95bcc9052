package policy

import (
	"time"

	"fieldbrain/robot"
)

// Inputs besides the beams. The beams' closeness stands between side and tight.
const (
	one   = iota // is 1
	side         // 1, in the mirror -1
	first        // of the beams
	extra = 5    // one, side, and behind the beams tight, speed, steering
)

// What an eye makes of a reading.
const (
	Near   = 0.40                   // m, the range at which closeness is a half
	Tight  = 0.10                   // m, likewise for the second look at the front
	Fresh  = 100 * time.Millisecond // age from which a reading fades: no ping of a working sonar
	Oldest = 250 * time.Millisecond // age at which it has faded
)

// An Eye keeps the newest usable range of every beam.
type Eye struct {
	sectors []int
	mirror  []int // for every input, where its value stands in the mirror
	value   [robot.NumSectors]float32
	at      [robot.NumSectors]time.Duration
	has     [robot.NumSectors]bool
	cruise  float64 // m/s
	lock    float64 // rad
}

// NewEye returns an eye for a profile's sectors on a car that cruises at so many m/s
// and locks its steering at so many rad.
func NewEye(sectors []int, cruise, lock float64) *Eye {
	e := &Eye{sectors: sectors, cruise: cruise, lock: lock}
	e.mirror = make([]int, len(sectors)+extra)
	for i := range e.mirror {
		e.mirror[i] = i
	}
	for i, s := range sectors {
		for k, other := range sectors {
			if robot.SectorBearing(other) == -robot.SectorBearing(s) {
				e.mirror[first+i] = first + k
			}
		}
	}
	return e
}

// Size returns how many numbers Encode writes.
func (e *Eye) Size() int { return len(e.mirror) }

// Encode takes the newest readings of a state and writes what a policy sees at now.
func (e *Eye) Encode(x []float64, s *robot.State, now time.Duration) {
	for i, sector := range e.sectors {
		if r := &s.Range[sector]; r.OK {
			e.value[sector], e.at[sector], e.has[sector] = r.Value, r.At, true
		}
		x[first+i] = e.closeness(sector, now, Near)
	}
	x[one], x[side] = 1, 1
	behind := x[first+len(e.sectors):]
	behind[0] = e.closeness(robot.Front, now, Tight)
	behind[1] = float64(s.CommandedSpeed) / e.cruise
	behind[2] = float64(s.CommandedSteering) / e.lock
}

// closeness is 1 at the sensor's face and 0 for what is far away or unknown.
func (e *Eye) closeness(sector int, now time.Duration, scale float64) float64 {
	if !e.has[sector] {
		return 0
	}
	left := float64(Oldest-(now-e.at[sector])) / float64(Oldest-Fresh)
	return float64(scale / (scale + max(float64(e.value[sector]), 0)) * min(max(left, 0), 1))
}

// Mirror writes what the car in the mirror sees.
func (e *Eye) Mirror(mirrored, x []float64) {
	for i, from := range e.mirror {
		mirrored[i] = x[from]
	}
	mirrored[side] = -x[side]
	mirrored[len(x)-1] = -x[len(x)-1]
}
