package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"fieldbrain/robot/picarx"
	"fieldbrain/strict"
)

// A checker collects complaints about the values of a decoded file.
type checker struct {
	lines strict.Lines
	found strict.Complaints
}

func (c *checker) complain(key, remedy, format string, args ...any) {
	c.found = append(c.found, strict.Complaint{Key: key, Reason: fmt.Sprintf(format, args...), Remedy: remedy})
}

// within complains about a number outside its limits; NaN is outside. A key
// that the file does not have at all is missing.
func (c *checker) within(key string, x, low, high float64) {
	if x >= low && x <= high {
		return
	}
	reason := fmt.Sprintf("%v is out of range", x)
	if _, there := c.lines[key]; !there {
		reason = "is missing"
	}
	c.complain(key, fmt.Sprintf("choose %v .. %v", low, high), "%s", reason)
}

// place complains about a point too far away to be meant.
func (c *checker) place(key string, p [2]float64) {
	c.within(key, p[0], -50, 50)
	c.within(key, p[1], -50, 50)
}

// needed is place for a point without which nothing can stand: a file that leaves
// it out would put it at 0, 0.
func (c *checker) needed(key string, p [2]float64) {
	if _, there := c.lines[key]; !there && c.lines != nil {
		c.complain(key, "write it like "+key[strings.LastIndexByte(key, '.')+1:]+" = [1.0, 2.0]", "is missing")
		return
	}
	c.place(key, p)
}

// few complains about a list that no run could bear.
func (c *checker) few(key string, n, most int) {
	if n > most {
		c.complain(key, fmt.Sprintf("leave %d at most", most), "has %d entries", n)
	}
}

// check returns every complaint about the scenario's values.
func (s *Scenario) check() strict.Complaints {
	c := &checker{lines: s.lines}
	c.within("duration_s", s.Duration, 0.1, 3600)
	c.within("runs", float64(s.Runs), 1, 1000)
	switch {
	case s.Stop == "goal" && s.World.Goal == nil:
		c.complain("stop", "add [world.goal], or leave stop empty", "a run cannot end at a goal without [world.goal]")
	case s.Stop == "exit" && s.Measure.Region == nil:
		c.complain("stop", "add [measure.region], or leave stop empty", "a run cannot end at an exit without [measure.region]")
	}
	s.Start.check(c)
	if s.Start.OnLine && s.World.Floor.Oval == nil && len(s.World.Floor.Lines) == 0 {
		c.complain("start.on_line", "add [world.floor.oval] or [[world.floor.line]]", "there is no line to start on")
	}
	s.Hat.check(c)
	c.within("brain.cruise", s.Brain.Cruise, 0.05, 0.35)
	s.checkCar(c)
	s.World.check(c)
	s.checkGoal(c)
	s.checkMeasures(c)
	s.checkFaults(c)
	if s.Brain.Goal && s.World.Goal == nil {
		c.complain("brain.goal", "add [world.goal], or leave the key out", "there is no [world.goal] to seek")
	}
	return c.found
}

// check refuses a bus on which the driver could not make a stop in time: its four zeros
// come after the transaction under way.
func (h *Hat) check(c *checker) {
	before := len(c.found)
	c.within("hat.clock_hz", float64(h.Clock), 10_000, 1_000_000)
	c.within("hat.overhead_us", h.Overhead, 0, 10_000)
	c.within("hat.boot_ms", h.Boot, 0, 10_000)
	const write = 2 + 4*9 // bits on the wire: start, stop, address and three bytes
	wait := float64(picarx.Default().StopWait.Milliseconds())
	if stop := 5 * (write*1e3/float64(h.Clock) + h.Overhead/1e3); len(c.found) == before && stop > wait {
		c.complain(c.either("hat.overhead_us", "hat.clock_hz"), "choose less overhead_us or more clock_hz",
			"a stop takes up to %.3g ms on this bus, and the driver waits %v ms for one", stop, wait)
	}
}

// either returns the first of some keys that the file has.
func (c *checker) either(keys ...string) string {
	for _, key := range keys {
		if _, there := c.lines[key]; there {
			return key
		}
	}
	return keys[0]
}

func (s *Start) check(c *checker) {
	c.within("start.x", s.X, -50, 50)
	c.within("start.y", s.Y, -50, 50)
	c.within("start.heading_deg", s.Heading, -360, 360)
	c.within("start.back", s.Back, -10, 10)
	c.within("start.spread_x", s.SpreadX, 0, 10)
	c.within("start.spread_y", s.SpreadY, 0, 10)
	c.within("start.spread_heading_deg", s.SpreadHeading, 0, 180)
}

func (w *World) check(c *checker) {
	c.within("world.size", w.Size[0], 0.5, 50)
	c.within("world.size", w.Size[1], 0.5, 50)
	c.few("world.wall", len(w.Walls), 1000)
	c.few("world.box", len(w.Boxes), 250)
	c.few("world.disc", len(w.Discs), 1000)
	c.few("world.mover", len(w.Movers), 50)
	for i, wall := range w.Walls {
		key, before := fmt.Sprintf("world.wall.%d", i), len(c.found)
		c.needed(key+".from", wall.From)
		c.needed(key+".to", wall.To)
		if wall.From == wall.To && len(c.found) == before {
			c.complain(key+".to", "choose another end", "the wall has no length")
		}
		wall.Surface.check(c, key)
	}
	for i, b := range w.Boxes {
		key := fmt.Sprintf("world.box.%d", i)
		c.needed(key+".at", b.At)
		c.within(key+".size", b.Size[0], 0.01, 10)
		c.within(key+".size", b.Size[1], 0.01, 10)
		c.within(key+".angle_deg", b.Angle, -360, 360)
		b.Surface.check(c, key)
	}
	for i, d := range w.Discs {
		key := fmt.Sprintf("world.disc.%d", i)
		c.needed(key+".at", d.At)
		c.within(key+".radius", d.Radius, 0.005, 5)
		c.within(key+".spread", d.Spread, 0, 5)
		d.Surface.check(c, key)
	}
	for i := range w.Movers {
		w.Movers[i].check(c, fmt.Sprintf("world.mover.%d", i))
	}
	if sc := w.Scatter; sc.Count != 0 {
		c.within("world.scatter.count", float64(sc.Count), 1, 50)
		c.within("world.scatter.radius_min", sc.RadiusMin, 0.005, 1)
		c.within("world.scatter.radius_max", sc.RadiusMax, sc.RadiusMin, 1)
		c.within("world.scatter.gap", sc.Gap, 0, 2)
		c.within("world.scatter.clear", sc.Clear, 0, 5)
	}
	w.Floor.check(c)
	if g := w.Goal; g != nil {
		c.needed("world.goal.at", g.At)
		c.within("world.goal.radius", g.Radius, 0.05, 2)
	}
}

func (m *Mover) check(c *checker, key string) {
	c.few(key+".path", len(m.Path), 1000)
	if len(m.Path) < 2 {
		c.complain(key+".path", "write it like path = [[1, 1], [2, 1]]", "has %d points, a path needs 2", len(m.Path))
	}
	for j, p := range m.Path {
		c.place(key+".path", p)
		if p == m.Path[(j+1)%len(m.Path)] {
			c.complain(key+".path", "remove one of them; the path closes by itself", "two points in a row are equal")
		}
	}
	m.checkLength(c, key+".path")
	c.within(key+".radius", m.Radius, 0.005, 1)
	c.within(key+".speed", m.Speed, 0, 2)
	m.Surface.check(c, key)
}

func (s *Surface) check(c *checker, key string) {
	c.within(key+".lost", s.Lost, 0, 1)
	c.within(key+".within", s.Within, 0, 10)
	c.within(key+".specular_deg", s.Specular, 0, 90)
}

func (f *Floor) check(c *checker) {
	c.within("world.floor.background", f.Background, 0, 4095)
	c.within("world.floor.tape", f.Tape, 0, 4095)
	c.within("world.floor.void", f.Void, 0, 4095)
	c.few("world.floor.line", len(f.Lines), 100)
	c.few("world.floor.table", len(f.Table), 1000)
	for i, l := range f.Lines {
		key := fmt.Sprintf("world.floor.line.%d", i)
		c.few(key+".points", len(l.Points), 1000)
		if len(l.Points) < 2 {
			c.complain(key+".points", "write it like points = [[1, 1], [2, 1]]", "has %d points, a line needs 2", len(l.Points))
		}
		for j, p := range l.Points {
			c.place(key+".points", p)
			if j > 0 && p == l.Points[j-1] {
				c.complain(key+".points", "remove one of them", "two points in a row are equal")
			}
		}
		c.within(key+".width", l.Width, 0.001, 1)
	}
	if o := f.Oval; o != nil {
		c.needed("world.floor.oval.at", o.At)
		c.within("world.floor.oval.straight", o.Straight, 0, 20)
		c.within("world.floor.oval.radius_min", o.RadiusMin, 0.05, 10)
		c.within("world.floor.oval.radius_max", o.RadiusMax, o.RadiusMin, 10)
		c.within("world.floor.oval.width", o.Width, 0.001, 1)
	}
	if n := len(f.Table); n == 1 || n == 2 {
		c.complain("world.floor.table", "add corners, or remove the key for a floor everywhere", "has %d corners, a table needs 3", n)
	}
	for _, p := range f.Table {
		c.place("world.floor.table", p)
	}
	f.checkTable(c)
}

// far bounds where a metric is taken, in m: a region may go past every world.
const far = 100

// checkMeasures looks at where metrics are taken.
func (s *Scenario) checkMeasures(c *checker) {
	if l := s.Measure.Lateral; l != nil {
		c.within("measure.lateral.y", l.Y, -far, far)
		c.within("measure.lateral.from", l.From, -far, far)
		c.within("measure.lateral.to", l.To, -far, far)
		if !(l.From < l.To) {
			c.complain("measure.lateral.to", "choose more than from", "%v is not beyond from = %v", l.To, l.From)
		}
	}
	if r := s.Measure.Region; r != nil {
		for i := range r.Min {
			c.within("measure.region.min", r.Min[i], -far, far)
			c.within("measure.region.max", r.Max[i], -far, far)
		}
		if !(r.Min[0] < r.Max[0] && r.Min[1] < r.Max[1]) {
			c.complain("measure.region.max", "choose more than min for both", "%v is not beyond min = %v", r.Max, r.Min)
		}
	}
	s.checkLimits(c)
}

// checkLimits looks at what must hold.
func (s *Scenario) checkLimits(c *checker) {
	c.few("limit", len(s.Limits), 100)
	for i, l := range s.Limits {
		key := fmt.Sprintf("limit.%d", i)
		if l.Min == nil && l.Max == nil {
			c.complain(key, "add min = or max =", "a limit needs a bound")
		}
		for _, bound := range []*float64{l.Min, l.Max} {
			if bound != nil {
				c.within(key, *bound, -1e6, 1e6)
			}
		}
		if l.Min != nil && l.Max != nil && *l.Min > *l.Max {
			c.complain(key+".max", "choose min or more", "%v is below min = %v: no drive passes", *l.Max, *l.Min)
		}
		if k := slices.IndexFunc(s.Limits[:i], l.same); k >= 0 {
			c.complain(key, "remove one of them", "bounds %s as limit.%d does", l.Metric, k)
		}
		c.within(key+".share", l.Share, 0, 1)
		if l.Share != 0 && l.Over == "mean" {
			c.complain(key+".share", "remove it, or write over = \"each\"", "a mean is one value; a share needs each")
		}
	}
}
