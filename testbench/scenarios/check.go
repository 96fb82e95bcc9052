package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"fieldbrain/testbench/hat"
)

// A checker collects complaints about the values of a decoded file.
type checker struct{ found []*Error }

func (c *checker) complain(key, format string, args ...any) {
	c.found = append(c.found, &Error{Key: key, Reason: fmt.Sprintf(format, args...)})
}

// within complains about a number outside its limits; NaN is outside.
func (c *checker) within(key string, x, low, high float64) {
	if !(x >= low && x <= high) {
		c.complain(key, "%v is outside %v..%v", x, low, high)
	}
}

// place complains about a point too far away to be meant.
func (c *checker) place(key string, p [2]float64) {
	c.within(key, p[0], -50, 50)
	c.within(key, p[1], -50, 50)
}

// check returns every complaint about the scenario's values.
func (s *Scenario) check() []*Error {
	c := &checker{}
	c.within("duration_s", s.Duration, 0.1, 3600)
	c.within("runs", float64(s.Runs), 1, 1000)
	if s.Profile.Sectors() == nil {
		c.complain("profile", "unknown profile %q; known are P0 and P1", string(s.Profile))
	}
	switch {
	case s.Stop != "" && s.Stop != "goal" && s.Stop != "exit":
		c.complain("stop", "unknown end %q; known are goal and exit", s.Stop)
	case s.Stop == "goal" && s.World.Goal == nil:
		c.complain("stop", "a run cannot end at a goal without [world.goal]")
	case s.Stop == "exit" && s.Measure.Region == nil:
		c.complain("stop", "a run cannot end at an exit without [measure.region]")
	}
	c.place("start", [2]float64{s.Start.X, s.Start.Y})
	c.within("start.heading_deg", s.Start.Heading, -360, 360)
	c.within("start.back", s.Start.Back, -10, 10)
	c.within("start.spread_x", s.Start.SpreadX, 0, 10)
	c.within("start.spread_y", s.Start.SpreadY, 0, 10)
	c.within("start.spread_heading_deg", s.Start.SpreadHeading, 0, 180)
	if s.Start.OnLine && s.World.Floor.Oval == nil && len(s.World.Floor.Lines) == 0 {
		c.complain("start.on_line", "there is no line to start on")
	}
	c.within("hat.clock_hz", float64(s.Hat.Clock), 1000, 1_000_000)
	c.within("hat.overhead_us", s.Hat.Overhead, 0, 10_000)
	c.within("hat.boot_ms", s.Hat.Boot, 0, 10_000)
	c.within("brain.cruise_mps", s.Brain.Cruise, 0, 0.35)
	if err := s.Car.Validate(); err != nil {
		c.complain("car", "%s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	s.World.check(c)
	s.checkMeasures(c)
	s.checkFaults(c)
	if s.Brain.Goal && s.World.Goal == nil {
		c.complain("brain.goal", "there is no [world.goal] to seek")
	}
	return c.found
}

func (w *World) check(c *checker) {
	c.within("world.size", w.Size[0], 0.5, 50)
	c.within("world.size", w.Size[1], 0.5, 50)
	for i, wall := range w.Walls {
		key := fmt.Sprintf("world.wall.%d", i)
		c.place(key+".from", wall.From)
		c.place(key+".to", wall.To)
		if wall.From == wall.To {
			c.complain(key+".to", "the wall has no length")
		}
	}
	for i, b := range w.Boxes {
		key := fmt.Sprintf("world.box.%d", i)
		c.place(key+".at", b.At)
		c.within(key+".size", b.Size[0], 0.01, 10)
		c.within(key+".size", b.Size[1], 0.01, 10)
		c.within(key+".angle_deg", b.Angle, -360, 360)
	}
	for i, d := range w.Discs {
		key := fmt.Sprintf("world.disc.%d", i)
		c.place(key+".at", d.At)
		c.within(key+".radius", d.Radius, 0.005, 5)
		c.within(key+".spread", d.Spread, 0, 5)
	}
	for i, m := range w.Movers {
		key := fmt.Sprintf("world.mover.%d", i)
		if len(m.Path) < 2 {
			c.complain(key+".path", "a path needs at least 2 points, not %d", len(m.Path))
		}
		for j, p := range m.Path {
			c.place(key+".path", p)
			if p == m.Path[(j+1)%len(m.Path)] {
				c.complain(key+".path", "two points in a row are equal")
			}
		}
		c.within(key+".radius", m.Radius, 0.005, 1)
		c.within(key+".speed", m.Speed, 0, 2)
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
		c.place("world.goal.at", g.At)
		c.within("world.goal.radius", g.Radius, 0.05, 2)
	}
}

func (f *Floor) check(c *checker) {
	c.within("world.floor.background", f.Background, 0, 4095)
	c.within("world.floor.tape", f.Tape, 0, 4095)
	c.within("world.floor.void", f.Void, 0, 4095)
	for i, l := range f.Lines {
		key := fmt.Sprintf("world.floor.line.%d", i)
		if len(l.Points) < 2 {
			c.complain(key+".points", "a line needs at least 2 points, not %d", len(l.Points))
		}
		for _, p := range l.Points {
			c.place(key+".points", p)
		}
		c.within(key+".width", l.Width, 0.001, 1)
	}
	if o := f.Oval; o != nil {
		c.place("world.floor.oval.at", o.At)
		c.within("world.floor.oval.straight", o.Straight, 0, 20)
		c.within("world.floor.oval.radius_min", o.RadiusMin, 0.05, 10)
		c.within("world.floor.oval.radius_max", o.RadiusMax, o.RadiusMin, 10)
		c.within("world.floor.oval.width", o.Width, 0.001, 1)
	}
	if n := len(f.Table); n == 1 || n == 2 {
		c.complain("world.floor.table", "a table needs at least 3 corners, not %d", n)
	}
	for _, p := range f.Table {
		c.place("world.floor.table", p)
	}
}

// checkMeasures looks at where metrics are taken and which are limited.
func (s *Scenario) checkMeasures(c *checker) {
	if l := s.Measure.Lateral; l != nil && !(l.From < l.To) {
		c.complain("measure.lateral.to", "%v is not beyond from = %v", l.To, l.From)
	}
	if r := s.Measure.Region; r != nil && !(r.Min[0] < r.Max[0] && r.Min[1] < r.Max[1]) {
		c.complain("measure.region.max", "%v is not beyond min = %v", r.Max, r.Min)
	}
	for i, l := range s.Limits {
		key := fmt.Sprintf("limit.%d", i)
		if !slices.Contains(Metrics(), l.Metric) {
			c.complain(key+".metric", "unknown metric %q; known are %s", l.Metric, strings.Join(Metrics(), ", "))
		}
		if l.Min == nil && l.Max == nil {
			c.complain(key, "a limit needs min or max")
		}
		for _, bound := range []*float64{l.Min, l.Max} {
			if bound != nil {
				c.within(key, *bound, -1e6, 1e6)
			}
		}
		if l.Over != "" && l.Over != "mean" && l.Over != "each" {
			c.complain(key+".over", "unknown way %q; known are mean and each", l.Over)
		}
		c.within(key+".share", l.Share, 0, 1)
		if l.Share != 0 && l.Over == "mean" {
			c.complain(key+".share", "a mean is one value; a share needs each")
		}
	}
}

func (s *Scenario) checkFaults(c *checker) {
	for i, f := range s.Faults {
		key := fmt.Sprintf("fault.%d", i)
		c.within(key+".from_s", f.From, 0, 3600)
		c.within(key+".until_s", f.Until, 0, 3600)
		if f.Until != 0 && f.Until <= f.From {
			c.complain(key+".until_s", "%v is not after from_s = %v", f.Until, f.From)
		}
		c.within(key+".probability", f.Probability, 0, 1)
		c.within(key+".count", float64(f.Count), 0, 1e6)
		c.within(key+".which", float64(f.Which), 0, 8)
		c.within(key+".value", f.Value, 0, 4095)
		if f.Kind == hat.Battery {
			c.within(key+".value", f.Value, 1, 9)
		}
		if f.Kind == hat.BitShift {
			c.within(key+".value", f.Value, 0, 15)
		}
	}
}
