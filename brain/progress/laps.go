package progress

import "math"

const (
	lapSpacing = 0.25 // m between two samples of the way
	lapSamples = 256  // kept: rounds of 32 m, driven twice
	lapBeside  = 0.3  // m from a place: there again
	lapOff     = 0.5  // m from it: gone in between
	lapLeast   = 5.0  // m that a stretch of laps is long
	lapGaps    = 0.15 // of the way that need not be the same
	lapShare   = 0.6  // of a round that is driven again: the way out of a dead end is the way in, and half of a round
)

// A step is a place on the way and how the car came to it.
type step struct {
	x, y, dx, dy float64 // m
	way          float64 // m
}

// laps finds closed ways that are driven again, whatever their form.
type laps struct {
	ring    [lapSamples]step
	next    int
	count   int
	running bool
	from    float64 // m on the way: where the first round began
	begin   float64 // m on the way: where the second did
	longest float64 // m, of the rounds that end in the run
	missed  float64 // m of the run that had not been driven before
}

// watch takes the newest place and reports the disc around laps that end there.
func (l *laps) watch(s *sample) (Disc, bool) {
	p := step{x: s.x, y: s.y, way: s.way}
	if l.count > 0 {
		last := l.back(0)
		if s.way-last.way < lapSpacing {
			return Disc{}, false
		}
		p.dx, p.dy = s.x-last.x, s.y-last.y
	}
	l.ring[l.next] = p
	l.next = (l.next + 1) % lapSamples
	l.count = min(l.count+1, lapSamples)
	if !l.follow() || p.way-l.begin < float64(lapShare*l.longest) || p.way-l.from < lapLeast {
		return Disc{}, false
	}
	d := l.around()
	l.count, l.running = 0, false // the next ones are others
	return d, true
}

// back returns the step that many before the newest.
func (l *laps) back(n int) *step { return &l.ring[(l.next-1-n+2*lapSamples)%lapSamples] }

// follow reports whether the newest step goes on with a run: the car has been on this
// way before.
func (l *laps) follow() bool {
	p := l.back(0)
	if n := l.before(); n > 0 {
		was := l.back(n)
		if !l.running {
			l.running, l.from, l.begin, l.longest, l.missed = true, was.way, p.way, 0, 0
		}
		l.longest = math.Max(l.longest, p.way-was.way)
		return true
	}
	l.missed += lapSpacing
	l.running = l.running && l.missed <= lapSpacing+float64(lapGaps*(p.way-l.begin))
	return l.running
}

// before returns how many steps ago the car was last where it is, on the same line in
// either direction, and went away in between; 0 when it was not.
func (l *laps) before() int {
	here, gone := l.back(0), false
	for n := 1; n < l.count; n++ {
		p := l.back(n)
		dx, dy := p.x-here.x, p.y-here.y
		apart := float64(dx*dx) + float64(dy*dy)
		if !gone || apart > lapBeside*lapBeside {
			gone = gone || apart > lapOff*lapOff
			continue
		}
		along := float64(p.dx*here.dx) + float64(p.dy*here.dy)
		then, now := float64(p.dx*p.dx)+float64(p.dy*p.dy), float64(here.dx*here.dx)+float64(here.dy*here.dy)
		if float64(along*along) >= 0.5*float64(then*now) { // 45 deg
			return n
		}
	}
	return 0
}

// around returns the disc around the rounds.
func (l *laps) around() Disc {
	here := l.back(0)
	west, east, south, north := here.x, here.x, here.y, here.y
	for n := 1; n < l.count; n++ {
		p := l.back(n)
		if p.way < l.from {
			break
		}
		west, east = math.Min(west, p.x), math.Max(east, p.x)
		south, north = math.Min(south, p.y), math.Max(north, p.y)
	}
	return Disc{float64(0.5 * (west + east)), float64(0.5 * (south + north)), float64(0.25 * (east - west + north - south))}
}
