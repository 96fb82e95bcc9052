package walls

import (
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

const deg = math.Pi / 180

// A Compass tells how the car stands to the walls around it. The zero Compass has heard none.
//
// It keeps the newest echo of every direction. For a direction of the walls each echo
// says how far one of them is; of two echoes of one wall both say the same, where the
// direction is right:
//
//	D = r cos(max(0, |b - n| - cone)) + n p
//
// r the range heard at p along b, n the wall's normal: a cone hears what is nearest in it.
// Nothing of it is saved: five beams tell it anew within a tenth of a second.
type Compass struct {
	echoes  [sectors]echoed
	way     float64 // m driven
	forward float64 // rad from the odometry's frame to the walls', within a right angle
	sure    bool
}

// An echoed is one echo, and for each direction of the walls what it says.
type echoed struct {
	heard bool
	bear  float64       // rad in the odometry's frame
	r     float64       // m
	way   float64       // m driven when it was heard
	far   [bins]float64 // m from the odometry's origin to the wall
	wall  [bins]int8    // which wall: its quarter
}

const (
	sectors    = 24              // of bearing
	bins       = 30              // of a right angle
	bin        = 90 * deg / bins // rad
	lasts      = 0.6             // m driven, after which an echo says nothing any more
	near       = 12 * deg        // between two echoes: nearer says little
	apart      = 62 * deg        // farther is seldom one wall
	misses     = 0.025           // of the range, by which two echoes of one wall differ at most
	heardLeast = 5               // directions heard, at least: 75 deg
	pairs      = 3.0             // pairs that agree, at least
	surely     = 1.5             // times what any other direction has
	beside     = 4               // bins that are another direction
	sector     = 2 * math.Pi / sectors
	reach      = 4 // sectors in which the second echo of a pair is
)

// Hear takes an echo: the axle's pose then, the beam's bearing, its range and half its
// cone, and how far the face is ahead of the axle. Silence tells nothing.
func (c *Compass) Hear(at ground.Pose, b *ground.Beam) {
	if b.Beyond {
		return
	}
	h := float64(at.Heading)
	lead, r, cone := float64(b.Lead), float64(b.Range), float64(b.HalfWidth)
	x, y := float64(at.X)+float64(lead*exact.Cos(h)), float64(at.Y)+float64(lead*exact.Sin(h))
	e := &c.echoes[sectorOf(h+float64(b.Bearing))]
	*e = echoed{heard: true, bear: h + float64(b.Bearing), r: r, way: c.way}
	for k := range e.far {
		first := middle(k)
		q := math.Floor((e.bear-first)/(90*deg) + 0.5)
		normal := first + float64(q*90*deg)
		off := max(0, math.Abs(e.bear-normal)-cone)
		e.far[k] = float64(r*exact.Cos(off)) + float64(x*exact.Cos(normal)) + float64(y*exact.Sin(normal))
		e.wall[k] = int8(int(q) & 3)
	}
	c.judge()
}

// sectorOf is the sector of a bearing.
func sectorOf(bear float64) int {
	return ((int(math.Floor(bear/sector)) % sectors) + sectors) % sectors
}

// middle is the direction in the middle of a bin.
func middle(k int) float64 { return float64((float64(k) + 0.5) * bin) }

// live reports whether an echo still counts.
func (c *Compass) live(e *echoed) bool { return e.heard && c.way-e.way <= lasts }

// judge finds the direction for which most pairs of echoes agree.
func (c *Compass) judge() {
	var agree [bins]float64
	heard := 0
	for i := range c.echoes {
		a := &c.echoes[i]
		if !c.live(a) {
			continue
		}
		heard++
		for d := 1; d <= reach; d++ {
			if b := &c.echoes[(i+d)%sectors]; c.live(b) {
				a.compare(b, &agree)
			}
		}
	}
	c.sure = false
	if heard >= heardLeast {
		c.choose(&agree)
	}
}

// compare adds for each direction how well two echoes agree, 0 to 1.
func (e *echoed) compare(o *echoed, agree *[bins]float64) {
	between := math.Abs(exact.Wrap(e.bear - o.bear))
	if between < near || between > apart {
		return
	}
	most := float64(0.5 * (e.r + o.r) * misses)
	for k := range agree {
		if e.wall[k] != o.wall[k] {
			continue
		}
		miss := (e.far[k] - o.far[k]) / most
		agree[k] += max(0, 1-float64(miss*miss))
	}
}

// choose takes the direction with the most agreement, when no other has as much.
func (c *Compass) choose(agree *[bins]float64) {
	at := func(k int) float64 { return agree[(k+bins)%bins] }
	sum := func(k int) float64 { return at(k-1) + at(k) + at(k+1) }
	best, other := 0, 0.0
	for k := range agree {
		if sum(k) > sum(best) {
			best = k
		}
	}
	for d := beside; d <= bins-beside; d++ {
		other = max(other, sum(best+d))
	}
	if c.sure = sum(best) >= pairs && sum(best) >= float64(surely*other); !c.sure {
		return
	}
	all, off := 0.0, 0.0
	for d := -2; d <= 2; d++ {
		all += at(best + d)
		off += float64(float64(d) * at(best+d))
	}
	c.forward = middle(best) + float64(off/all*bin)
}

// Update takes one tick: the way of the rear axle in m, negative backwards.
func (c *Compass) Update(way float64) { c.way += math.Abs(way) }

// Off returns how a car of that heading, in rad in the odometry's frame, heads from the
// nearest of the walls' directions, and whether they are known.
func (c *Compass) Off(heading float64) (off float64, sure bool) {
	if !c.sure {
		return 0, false
	}
	return exact.WrapQuarter(heading - c.forward), true
}

// Forget forgets what was heard: the car may stand elsewhere.
func (c *Compass) Forget() { *c = Compass{} }
