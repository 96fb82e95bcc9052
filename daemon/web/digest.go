package web

import (
	"fmt"
	"math"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/quality"
	"fieldbrain/daemon"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// Bounds of what a digest tells.
const (
	stepLength  = 0.03        // m from one point of the trail to the next
	keptPoses   = 512         // ticks of which the place is known: slices come later than their tick
	quietPeriod = time.Second // between two events of a kind that would come with every tick
)

// A point of the trail: where the car believed to be, in the frame of the start.
type point struct {
	X, Y float32 // m
	Kind uint8   // pointFree, pointHeld
}

// Kinds of a point.
const (
	pointFree uint8 = iota
	pointHeld       // something kept the car from driving forward
)

// MarshalJSON writes [x, y, kind] in millimetres.
func (p point) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "[%d,%d,%d]", millimetres(p.X), millimetres(p.Y), p.Kind), nil
}

// millimetres rounds a length of at most a kilometre; what is no number is 0.
func millimetres(v float32) int {
	if f := float64(v); math.Abs(f) < 1000 {
		return int(math.Round(f * 1000))
	}
	return 0
}

// A pose is where the car believed to be at a tick, in the frame of the start.
type pose struct {
	number        uint64
	x, y, heading float64
}

// An event is a line of the journal.
type event struct {
	At   int64  `json:"at_ms"` // since 1970
	Kind string `json:"kind"`  // run, arm, level, order, wheel, rung, link, overrun, engine, judged, page
	Text string `json:"text"`
	Bad  bool   `json:"bad,omitempty"` // somebody should look
}

// A digest makes trail, journal and the worst lengths out of ticks.
type digest struct {
	clock  int64 // ns to add to a tick's instant for the time since 1970
	seen   bool
	number uint64 // of the newest tick
	was    telemetry.Tick

	worst   [telemetry.NumStreams]int64 // ns since they were taken last, -1 without
	points  []point                     // since they were taken last
	at      point                       // the newest of the trail
	begun   bool
	poses   [keptPoses]pose // of the newest ticks, by number
	events  []event
	level   story
	overrun struct {
		at      int64 // ns, the newest event
		periods uint64
		longest time.Duration
	}
}

func newDigest(telemetry.Run) digest {
	d := digest{}
	d.forget()
	return d
}

// see takes a tick; one that it has seen changes nothing.
func (d *digest) see(t *telemetry.Tick) {
	if d.seen && t.Number <= d.number {
		return
	}
	for i := range d.worst {
		if l, measured := t.Length(telemetry.Stream(i)); measured {
			d.worst[i] = max(d.worst[i], int64(l))
		}
	}
	d.walk(t)
	if d.seen {
		d.compare(t)
	} else {
		d.level.told = safety.Level(t.Level)
	}
	d.late(t)
	d.seen, d.number, d.was = true, t.Number, *t
}

// walk lengthens the trail.
func (d *digest) walk(t *telemetry.Tick) {
	d.poses[t.Number%keptPoses] = pose{t.Number, finite(t.X), finite(t.Y), finite(t.Heading)}
	p := point{X: t.X, Y: t.Y}
	if t.Is(telemetry.TickArmed) && safety.Level(t.Level) >= safety.Hold {
		p.Kind = pointHeld
	}
	far := math.Hypot(float64(p.X-d.at.X), float64(p.Y-d.at.Y)) >= stepLength
	if d.begun && !far {
		return
	}
	d.points, d.at, d.begun = append(d.points, p), p, true
}

// placeAt returns where the car was at a tick, or as near to it as is known.
func (d *digest) placeAt(number uint64) pose {
	if p := d.poses[number%keptPoses]; p.number == number {
		return p
	}
	return d.poses[d.number%keptPoses]
}

// compare tells what differs from the tick before.
func (d *digest) compare(t *telemetry.Tick) {
	if t.Is(telemetry.TickArmed) != d.was.Is(telemetry.TickArmed) {
		d.armed(t)
	}
	d.leveled(t)
	if t.Is(telemetry.TickStop) {
		d.tell(t, event{Kind: "arm", Text: "emergency stop", Bad: true})
	}
	if brain.Ask(t.Asked) == brain.AskGo {
		d.tell(t, event{Kind: "order", Text: "order: " + brain.Order{Do: brain.Do(t.Order), X: t.GoalX, Y: t.GoalY}.String()})
	}
	if brain.Ask(t.Asked) == brain.AskSet {
		d.set(t)
	}
	if t.Hand != d.was.Hand || t.Source != d.was.Source {
		d.driven(t)
	}
	d.machine(t)
	if t.Outcome != 0 && t.Outcome != d.was.Outcome {
		d.tell(t, event{Kind: "judged", Text: fmt.Sprintf("judged %+g", t.Outcome)})
	}
}

// machine tells what the car's computer does otherwise than in the tick before.
func (d *digest) machine(t *telemetry.Tick) {
	if t.Rung != d.was.Rung {
		d.tell(t, event{Kind: "rung", Text: "quality " + rungName(t.Rung), Bad: t.Rung > d.was.Rung})
	}
	if t.Link != d.was.Link {
		link := robot.Link(t.Link)
		d.tell(t, event{Kind: "link", Text: "bus " + link.String(), Bad: t.Link != 0})
	}
	if t.Is(telemetry.TickCard) != d.was.Is(telemetry.TickCard) {
		by := "the processor"
		if t.Is(telemetry.TickCard) {
			by = "the graphics card"
		}
		d.tell(t, event{Kind: "engine", Text: by + " steps the field"})
	}
	if t.Is(telemetry.TickFault) && !d.was.Is(telemetry.TickFault) {
		d.tell(t, event{Kind: "engine", Text: "the engine refused a step", Bad: true})
	}
}

// armed tells that the car may drive, or why it may not.
func (d *digest) armed(t *telemetry.Tick) {
	if t.Is(telemetry.TickArmed) {
		d.tell(t, event{Kind: "arm", Text: "armed"})
		return
	}
	tripped := safety.Causes(t.Tripped)
	d.tell(t, event{Kind: "arm", Text: "disarmed" + because(tripped), Bad: tripped != 0})
}

// set tells that people changed a parameter; the page may be anybody's.
func (d *digest) set(t *telemetry.Tick) {
	s := brain.Setting{Parameter: brain.Parameter(t.Dial), Value: float32(finite(t.Setting))}
	if s.Check(brain.MaxTop) == nil {
		d.tell(t, event{Kind: "order", Text: fmt.Sprintf("set %s = %s %s", s.Parameter.Key(), s.Text(), s.Parameter.Unit())})
	}
}

// driven tells who drives.
func (d *digest) driven(t *telemetry.Tick) {
	source := daemon.Printable(telemetry.Text(t.Source[:]))
	switch brain.Driver(t.Hand) {
	case brain.DriverPerson:
		d.tell(t, event{Kind: "wheel", Text: "driven by " + source})
	case brain.DriverLost:
		d.tell(t, event{Kind: "wheel", Text: source + " drove and is silent or gone: the car stands", Bad: true})
	case brain.DriverBrain:
		d.tell(t, event{Kind: "wheel", Text: "the brain drives"})
	}
}

// late tells of ticks that took longer than the period, once a second at most.
func (d *digest) late(t *telemetry.Tick) {
	o := &d.overrun
	if t.Skipped > 0 && t.Is(telemetry.TickWarm) {
		o.periods += uint64(t.Skipped)
		o.longest = max(o.longest, time.Duration(t.End-t.Release))
	}
	if o.periods == 0 || t.End-o.at < int64(quietPeriod) {
		return
	}
	d.tell(t, event{Kind: "overrun", Bad: true, Text: fmt.Sprintf("%s left out, a tick ended %v after its release", periods(o.periods), o.longest.Round(100*time.Microsecond))})
	o.at, o.periods, o.longest = t.End, 0, 0
}

// periods says how many.
func periods(n uint64) string {
	if n == 1 {
		return "1 period"
	}
	return fmt.Sprintf("%d periods", n)
}

// because says what causes mean, the one that stands for every disarmed car left out.
func because(c safety.Causes) string {
	if c &^= safety.Disarmed; c == 0 {
		return ""
	}
	return ": " + c.Words()
}

// rungName names a rung of the quality ladder; the page may be anybody's.
func rungName(rung uint8) string {
	if ladder := quality.Ladder(); int(rung) < len(ladder) {
		return ladder[rung].Name
	}
	return fmt.Sprintf("rung %d", rung)
}

// tell appends an event of a tick.
func (d *digest) tell(t *telemetry.Tick, e event) {
	e.At = (d.clock + t.End) / int64(time.Millisecond)
	d.events = append(d.events, e)
}

// news returns the events since it was asked last.
func (d *digest) news() []event {
	news := d.events
	d.events = nil
	return news
}

// trodden returns the points since it was asked last.
func (d *digest) trodden() []point {
	points := d.points
	d.points = nil
	return points
}

// longest returns the worst length of each stream since it was asked last, in ns, -1
// where nothing was measured.
func (d *digest) longest() [telemetry.NumStreams]int64 {
	worst := d.worst
	d.forget()
	return worst
}

func (d *digest) forget() {
	for i := range d.worst {
		d.worst[i] = -1
	}
}
