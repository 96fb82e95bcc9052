package brain

import (
	"math"

	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

// nearing tells of one sector whether what it hears comes towards the car by itself: its
// range shrinks by more than the car's own way and turn explain, and ends where floor was
// known free: the next stretch of a wall that the cone slides along was not. The excess is
// summed as Page's test for a change does (Page 1954, doi:10.1093/biomet/41.1-2.100), so
// that no single reading and no drift counts.
type nearing struct {
	gone  float32 // m by which the range shrank in excess, since it last did not
	pace  float32 // m/s of it, smoothed
	came  float32 // s for which it still counts as come over floor known free
	times uint8   // readings in a row that came
	left  float32 // s for which who came still counts as about
}

// What a turn explains is the way along a wall that the cone slides: its range times the
// turn towards it, nearingSlide times where the wall lies aslant. A range that jumps is of
// another thing.
const (
	nearingSlide = 2.0
	nearingNoise = 0.10 // m/s that are none
	nearingSure  = 0.05 // m in excess from which it comes
	nearingLeast = 0.10 // m/s below which it has stopped
	nearingCame  = 0.4  // s that an echo from floor known free counts
	nearingTimes = 2    // readings that come and make somebody: a chair leg comes in one
	nearingHere  = 0.10 // m within which somebody who came stays about
	nearingAbout = 1.5  // s for which who was heard to come is about, heard or not
	nearingJump  = 0.15 // m from one reading to the next
	nearingTime  = 0.2  // s over which the pace is smoothed
	nearingBody  = 0.05 // m at which it has met the car
	nearingStop  = 0.5  // s to the meeting in which the car stands
	nearingEase  = 0.5  // s more in which it goes as fast as ever
)

// hear takes a new reading by which the range fell, in m, after a gap in s; own is the
// closing speed in m/s that the car itself explains.
func (n *nearing) hear(fell, gap, own float32) {
	if fell > nearingJump || fell < -nearingJump {
		n.gone, n.pace, n.times = 0, 0, 0
		return
	}
	excess := fell/gap - own
	n.pace += float32(min(gap/nearingTime, 1) * (excess - n.pace))
	n.gone = min(max(n.gone+float32((excess-nearingNoise)*gap), 0), 2*nearingSure)
	if n.times++; n.gone < nearingSure || n.pace < nearingLeast {
		n.times = 0
	}
	n.times = min(n.times, nearingTimes)
}

// explained is the closing speed in m/s that the car's own motion explains, for a sector
// and its range in m.
func (s *senses) explained(i int, r float32, cone float64) float32 {
	psi := float64(robot.SectorBearing(i))
	slide := math.Abs(s.yaw)
	if psi != 0 {
		slide = math.Max(0, s.yaw*math.Copysign(1, psi))
	}
	straight := math.Max(s.speed, 0) * exact.Cos(math.Max(math.Abs(psi)-cone, 0))
	return float32(straight) + float32(float32(nearingSlide*r)*float32(slide))
}

// watch notes whether the sector that the ground was told of last ended on floor known free,
// and who is about: what came in two readings, and as long as it is right before the car.
func (s *senses) watch(sector int, came bool, dt float32) {
	for i := range s.near {
		n := &s.near[i]
		n.came, n.left = max(n.came-dt, 0), max(n.left-dt, 0)
		here := n.left > 0 && s.ranges[i] != silent && s.ranges[i] < nearingHere
		if here || n.times >= nearingTimes && s.comes(i) {
			n.left = nearingAbout
		}
	}
	if came {
		s.near[sector].came = nearingCame
	}
}

// still is what is left of it where nothing is heard: who came is about.
func (n *nearing) still() nearing { return nearing{left: n.left} }

// comes reports whether what a sector hears comes towards the car.
func (s *senses) comes(i int) bool {
	n := &s.near[i]
	return n.came > 0 && n.gone >= nearingSure && n.pace >= nearingLeast && s.valid(i) && s.ranges[i] != silent
}

// yields is the share of the cruise speed at which the car goes on where something comes
// towards it: none where they would meet before it has stopped. Whoever stands is met at
// no speed of its own.
func (s *senses) yields() float64 {
	share := 1.0
	for i := range s.near {
		if !s.comes(i) {
			continue
		}
		closing := float64(s.near[i].pace) + float64(math.Max(s.speed, 0)*exact.Cos(float64(robot.SectorBearing(i))))
		share = math.Min(share, exact.Clip((float64(s.ranges[i]-nearingBody)/closing-nearingStop)/nearingEase, 0, 1))
	}
	return share
}
