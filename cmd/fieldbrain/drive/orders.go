package drive

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/ground"
	"fieldbrain/testbench"
)

// A Timed is what people tell the brain on its way: an order, or something by hand.
type Timed struct {
	At      time.Duration // from the start of the run
	Order   brain.Order   // none where Hand or Setting is set
	Hand    *ByHand
	Setting brain.Setting
	Words   string // all but the instant, as people wrote it
}

// ParseTimed reads an order with its instant: "5s goal 2 1", or what people do by hand:
// "5s drive 0.5 -0.2 3s" (throttle, steering, for how long), "9s good", "9s bad"; or a
// parameter that they change: "5s set brain.cruise 0.2".
func ParseTimed(text string) (Timed, error) {
	at, words, _ := strings.Cut(strings.TrimSpace(text), " ")
	words = strings.TrimSpace(words)
	d, err := time.ParseDuration(at)
	if err != nil || d < 0 {
		return Timed{}, fmt.Errorf("%q: begin with when, such as 5s goal 2 1", text)
	}
	if hand, is, err := parseByHand(words); is {
		if err != nil {
			return Timed{}, fmt.Errorf("%q: %w", text, err)
		}
		return Timed{At: d, Hand: hand, Words: words}, nil
	}
	if setting, is := strings.CutPrefix(words, "set "); is {
		s, err := brain.ParseSetting(setting, brain.Default().Top)
		if err != nil {
			return Timed{}, fmt.Errorf("%q: %w", text, err)
		}
		return Timed{At: d, Setting: s, Words: words}, nil
	}
	o, err := brain.ParseOrder(words)
	if err != nil && !strings.HasPrefix(words, "goal ") {
		err = fmt.Errorf("%w; or drive THROTTLE STEERING LENGTH, set KEY VALUE, good or bad", err)
	}
	if err != nil {
		return Timed{}, fmt.Errorf("%q: %w", text, err)
	}
	return Timed{At: d, Order: o, Words: words}, nil
}

// A script gives orders when their time has come, and notes how they end.
type script struct {
	left  []Timed
	start brain.Mission // what the scenario asked for, once it was given up
	given []brain.Mission
	at    []time.Duration // of given
	begun time.Duration   // instant of the first tick
	began bool
	wheel manualScript
}

// newScript puts orders in the order of their instants.
func newScript(orders []Timed) script {
	sorted := slices.Clone(orders)
	slices.SortStableFunc(sorted, func(a, b Timed) int { return cmp.Compare(a.At, b.At) })
	return script{left: sorted}
}

// holds reports whether people order the car to stand as soon as it could drive: then it
// need not move.
func (d *Drive) holds() bool {
	const soon = time.Second
	return slices.ContainsFunc(d.Orders, func(o Timed) bool {
		return o.At <= soon && o.Hand == nil && (o.Order.Do == brain.DoHold || o.Order.Do == brain.DoManual)
	})
}

// tick gives what is due before the tick at now. ParseTimed has checked it.
func (s *script) tick(now time.Duration, b *brain.Brain) {
	if !s.began {
		s.begun, s.began = now, true
	}
	s.note(b)
	for len(s.left) > 0 && now-s.begun >= s.left[0].At {
		if hand := s.left[0].Hand; hand != nil {
			s.wheel.begin(hand, now, b)
			s.left = s.left[1:]
			continue
		}
		if set := s.left[0].Setting; set != (brain.Setting{}) {
			if err := b.Set(set); err != nil {
				panic("drive: " + err.Error())
			}
			s.left = s.left[1:]
			continue
		}
		if err := b.Go(s.left[0].Order); err != nil {
			panic("drive: " + err.Error())
		}
		now, _ := b.Missions()
		s.given, s.at = append(s.given, now), append(s.at, s.left[0].At)
		s.note(b) // a third order at this instant would hide how the first one ended
		s.left = s.left[1:]
	}
	s.wheel.tick(now, b)
}

// note keeps how far the newest order, and the one before, have come, and whether what the
// scenario asked for was given up.
func (s *script) note(b *brain.Brain) {
	now, before := b.Missions()
	if now.Number == 0 && now.Standing == brain.GivenUp {
		s.start = now
	}
	for i := range s.given {
		switch s.given[i].Number {
		case now.Number:
			s.given[i] = now
		case before.Number:
			s.given[i] = before
		}
	}
}

// rests reports whether the car stands because people told it to, or because it has done
// what they told it. An order that was given up is no reason to stand.
func (s *script) rests(b *brain.Brain) bool {
	e, _ := b.Missions()
	return e.Order.Do == brain.DoHold || e.Order.Do == brain.DoManual || e.Number > 0 && e.Standing == brain.Reached
}

// notes says which orders were not carried out; seconds is how long the drive was. The
// result has the reasons.
func (s *script) notes(seconds float64) (list []string) {
	add := func(e *brain.Mission, at time.Duration, last bool) {
		what := fmt.Sprintf("order %v at %g s", e.Order, at.Seconds())
		switch {
		case e.Standing == brain.GivenUp && last:
			list = append(list, fmt.Sprintf("%s was given up: the car had nothing to do for the last %.1f s", what, seconds-(e.Ended-s.begun).Seconds()))
		case e.Standing == brain.GivenUp:
			list = append(list, what+" was given up")
		case e.Aimed() && e.Standing != brain.Reached:
			list = append(list, fmt.Sprintf("%s was not reached: %v", what, e.Standing))
		}
	}
	add(&s.start, 0, len(s.given) == 0)
	for i := range s.given {
		add(&s.given[i], s.at[i], i == len(s.given)-1)
	}
	return list
}

// neverGiven is how an order stands whose time had not come when the drive ended.
const neverGiven = "never given"

// result returns how the orders ended, first what the scenario asked for where it was given
// up: a car that stands says why. Last stands what a drive that ended early, because the car
// arrived or fell, left no time for. The trail says where the car truly was.
func (s *script) result(b *brain.Brain, track *testbench.Track) (list []testbench.Ordered) {
	s.note(b)
	if e := &s.start; e.Standing == brain.GivenUp {
		list = append(list, testbench.Ordered{
			Order: e.Order.String(), Standing: e.Standing.String(), Why: e.Why.String(),
			Driving: e.Driving.Seconds(), Way: e.Way,
		})
	}
	for i := range s.given {
		e := &s.given[i]
		o := testbench.Ordered{
			At: s.at[i].Seconds(), Order: e.Order.String(), Standing: e.Standing.String(), Why: e.Why.String(),
			Driving: e.Driving.Seconds(), Way: e.Way,
		}
		if e.Standing == brain.Reached && track != nil {
			o.Off, o.Told = missed(track.Trail, e, s.begun), &e.Off
		}
		list = append(list, o)
	}
	for _, t := range s.left {
		list = append(list, testbench.Ordered{At: t.At.Seconds(), Order: t.Words, Standing: neverGiven, Why: "the drive ended before"})
	}
	return list
}

// missed returns how far from an order's goal the car truly was when it believed to be
// there, in m; nil where nobody kept the trail.
func missed(trail []testbench.Point, e *brain.Mission, begun time.Duration) *float64 {
	i, _ := slices.BinarySearchFunc(trail, e.Ended-begun, func(p testbench.Point, at time.Duration) int { return cmp.Compare(p.At, at) })
	if i == len(trail) {
		return nil
	}
	from, at := trail[0].Pose, trail[i].Pose
	dx := at.At.X - from.At.X + ground.Ahead*(math.Cos(at.Heading)-math.Cos(from.Heading))
	dy := at.At.Y - from.At.Y + ground.Ahead*(math.Sin(at.Heading)-math.Sin(from.Heading))
	x, y := dx*math.Cos(from.Heading)+dy*math.Sin(from.Heading), dy*math.Cos(from.Heading)-dx*math.Sin(from.Heading)
	off := math.Hypot(x-e.Order.X, y-e.Order.Y)
	return &off
}

// describeOrders prints how the orders ended for a person.
func describeOrders(w io.Writer, list []testbench.Ordered) {
	for _, o := range list {
		fmt.Fprintf(w, "  order %s at %g s: %s", o.Order, o.At, o.Standing)
		if o.Why != "" {
			fmt.Fprintf(w, " (%s)", o.Why)
		}
		if o.Standing != neverGiven {
			fmt.Fprintf(w, " after %.1f s and %.2f m", o.Driving, o.Way)
		}
		if o.Off != nil {
			fmt.Fprintf(w, ", truly %.2f m from it, sure of its place to +-%.2f m", *o.Off, *o.Told)
		}
		fmt.Fprintln(w)
	}
}
