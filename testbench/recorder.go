package testbench

import (
	"math"
	"sync/atomic"
	"time"

	"fieldbrain/robot"
	"fieldbrain/testbench/gauge"
	"fieldbrain/testbench/hat"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

const (
	cell        = 0.25                  // m, side of a coverage cell
	lookPeriod  = 10 * time.Millisecond // how often the slower measures look
	trailPeriod = 50 * time.Millisecond
	stuckTime   = 10 * time.Second // without stuckWay of progress: stuck
	stuckWay    = 0.15             // m
	slow        = 0.01             // m/s, below it the car stands
	stopTime    = 300 * time.Millisecond
	idleTime    = 500 * time.Millisecond
	idleFree    = 0.5 // m of free way ahead: standing there is idle
	maxEvents   = 512
)

// A recorder measures a run while it happens. Its step runs under the board's
// lock; commands come from the brain's goroutine and have a lock of their own.
type recorder struct {
	rig   *Rig
	ticks uint64 // the tick actor's, virtual time only

	enabled atomic.Bool // the newest command lets the motors run
	resting atomic.Bool // the pilot stands because people told it to
	way     commands

	look    time.Duration // next slow look
	hash    uint64        // of the trajectory
	cells   []bool        // visited, row by row
	columns int
	entered int // cells visited
	minGap  float64
	impacts impactRecord
	waste   wasteRecord
	joules  float64 // out of the pack

	anchor     world.Vec // where the car last made progress
	anchorAt   time.Duration
	stuck      int
	still      time.Duration // since when it stands; 0 while it moves
	moved      bool          // it has moved since the last stop
	stops      int
	idle       time.Duration // since when it stands with free way ahead
	idleStops  int
	idling     bool
	goalAt     time.Duration
	goalWay    float64 // m driven until then
	goalLine   float64 // m, straight from the start
	exitAt     time.Duration
	exitWay    float64
	lateral    spread
	line       spread
	lost       time.Duration // since when no sensor sees the line
	longLost   time.Duration
	onLine     float64 // m driven with a sensor over the line
	lineWay    float64 // m on the odometer at the last look at the line
	fellAt     time.Duration
	unwarned   bool // it fell before any sensor saw the edge
	fall       *FallRecord
	brinks     []brink // places where a floor sensor was past the edge
	edge       edgeRecord
	halt       haltRecord
	resets     uint64
	nextFault  int
	trail      []Point
	nextTrail  time.Duration
	events     []Event
	lowestVolt float64

	notes   noteRecord
	account account // for the rows of the track
}

// A spread collects a signed or unsigned error.
type spread struct {
	n            int
	squares, max float64
}

func (s *spread) add(e float64) {
	s.n++
	s.squares += float64(e * e)
	s.max = max(s.max, math.Abs(e))
}

func (s *spread) rms() float64 {
	if s.n == 0 {
		return 0
	}
	return math.Sqrt(s.squares / float64(s.n))
}

func (m *recorder) init(r *Rig) {
	w := r.world
	m.rig = r
	m.columns = max(1, int(math.Ceil(float64((w.Max.X-w.Min.X)/cell)-1e-9)))
	rows := max(1, int(math.Ceil(float64((w.Max.Y-w.Min.Y)/cell)-1e-9)))
	m.cells = make([]bool, m.columns*rows)
	m.minGap, m.lowestVolt = r.car.Gap, r.car.Volts
	m.hash = 0xCBF29CE484222325
	m.look, m.nextTrail = r.start, r.start
	m.anchor, m.anchorAt = r.car.At, r.start
	m.goalAt, m.exitAt, m.fellAt = never, never, never
	m.impacts.init()
	m.waste.circling = gauge.NewCircling(gauge.NewGround(w, r.car.Body().Centre, r.Scenario.Car.BodyRadius))
	m.halt.begun = never
	if faults := r.Scenario.HatFaults(); len(faults) > 0 { // in the order of their beginnings
		m.halt.begun = r.start + faults[0].From
	}
	_, m.goalLine = r.car.Bearing()
	length := r.Scenario.Length()
	m.trail = make([]Point, 0, int(length/trailPeriod)+2)
	m.events = make([]Event, 0, maxEvents)
	m.brinks = make([]brink, 0, maxMet+robot.NumFloor)
}

// step looks at the car after each step of the plant.
func (m *recorder) step(c *plant.Car, out *hat.Outputs) {
	m.minGap = min(m.minGap, c.Gap)
	m.lowestVolt = min(m.lowestVolt, c.Volts)
	m.joules += float64(c.Volts * float64(c.Amps*plant.Tick.Seconds()))
	if m.impacts.step(c) {
		m.event(c, Contact)
	}
	if len(m.rig.world.Floor.Table) > 0 {
		m.watchEdge(c, out)
	}
	m.watchHalt(c, out)
	if c.Now < m.look {
		return
	}
	m.look += lookPeriod
	m.hash = fold(fold(fold(m.hash, c.At.X), c.At.Y), c.Heading)
	m.visit(c.Body().Centre)
	m.watchWorld(c)
	rests := m.watchRest(c)
	if !rests {
		m.watchProgress(c)
	}
	m.watchStops(c)
	m.watchPlaces(c)
	if !rests {
		m.watchWaste(c)
	}
	m.watchFaults(c)
	m.account.step(c, m.rig.start)
	if c.Now >= m.nextTrail && len(m.trail) < cap(m.trail) {
		m.nextTrail += trailPeriod
		m.trail = append(m.trail, Point{c.Now - m.rig.start, c.Pose, c.Speed})
	}
}

// fold mixes the bits of x into a hash (FNV-1a over 64-bit words).
func fold(h uint64, x float64) uint64 {
	h = (h ^ math.Float64bits(x)) * 0x100000001B3
	return h ^ h>>29
}

func (m *recorder) visit(p world.Vec) {
	low := m.rig.world.Min
	x, y := int(math.Floor((p.X-low.X)/cell)), int(math.Floor((p.Y-low.Y)/cell))
	if x < 0 || x >= m.columns || y < 0 || y >= len(m.cells)/m.columns {
		return
	}
	if i := y*m.columns + x; !m.cells[i] {
		m.cells[i] = true
		m.entered++
	}
}

// watchProgress counts a stuck event for every stuckTime without stuckWay of
// progress while the motors may run.
func (m *recorder) watchProgress(c *plant.Car) {
	if !m.enabled.Load() || c.At.Sub(m.anchor).Norm() > stuckWay {
		m.anchor, m.anchorAt = c.At, c.Now
		return
	}
	if c.Now-m.anchorAt >= stuckTime {
		m.stuck++
		m.event(c, Stuck)
		m.anchorAt = c.Now
	}
}

// watchStops counts stops: the car moved and then stood for stopTime. A stop of
// idleTime with a free way ahead is idle as well.
func (m *recorder) watchStops(c *plant.Car) {
	if math.Abs(c.Speed) > slow {
		m.still, m.idle, m.moved, m.idling = 0, 0, true, false
		return
	}
	if m.still == 0 {
		m.still = c.Now
	}
	if m.moved && c.Now-m.still >= stopTime {
		m.moved = false
		m.stops++
		m.event(c, Stop)
	}
	switch {
	case !m.enabled.Load() || c.Hear(0) < idleFree:
		m.idle = 0
	case m.idle == 0:
		m.idle = c.Now
	case !m.idling && c.Now-m.idle >= idleTime:
		m.idling = true
		m.idleStops++
	}
}

// watchPlaces looks at goal, exit, corridor and line.
func (m *recorder) watchPlaces(c *plant.Car) {
	body := c.Body().Centre
	sc := m.rig.Scenario
	if g := sc.World.Goal; g != nil && m.goalAt == never {
		if m.rig.world.Arrived(body, g.Radius) {
			m.goalAt, m.goalWay = c.Now, c.Odometer
			m.event(c, Goal)
		}
	}
	if r := sc.Measure.Region; r != nil && m.exitAt == never && r.Left(body) {
		m.exitAt, m.exitWay = c.Now, c.Odometer
		m.event(c, Exit)
	}
	if l := sc.Measure.Lateral; l != nil && body.X >= l.From && body.X <= l.To {
		m.lateral.add(body.Y - l.Y)
	}
	if len(m.rig.world.Floor.Lines) > 0 {
		m.watchLine(c)
	}
}

// watchLine measures the middle sensor's distance from the line, and how long
// none of the three sees it.
func (m *recorder) watchLine(c *plant.Car) {
	floor := &m.rig.world.Floor
	m.line.add(floor.LineDistance(c.FloorPlace(robot.FloorMiddle)))
	way := c.Odometer - m.lineWay
	m.lineWay = c.Odometer
	half := floor.Lines[0].Width / 2
	for sensor := range robot.NumFloor {
		if floor.LineDistance(c.FloorPlace(sensor)) <= half {
			m.lost, m.notes.met = 0, true
			m.onLine += way
			return
		}
	}
	if m.lost == 0 {
		m.lost = c.Now
	}
	lost := c.Now - m.lost + lookPeriod
	if m.longLost = max(m.longLost, lost); m.notes.met {
		m.notes.lost = max(m.notes.lost, lost)
	}
}

// watchFaults marks faults as their windows open, and the driver's resets.
func (m *recorder) watchFaults(c *plant.Car) {
	faults := m.rig.Scenario.Faults
	for m.nextFault < len(faults) && c.Now-m.rig.start >= time.Duration(faults[m.nextFault].From*float64(time.Second)) {
		m.nextFault++
		m.event(c, Fault)
	}
	if n := m.rig.Board.ResetPulses(); n != m.resets {
		if m.resets > 0 { // the first pulse is the bring-up
			m.event(c, Reset)
		}
		m.resets = n
	}
}

// event notes something for the picture. The list is bounded: a run with more
// is no picture any more.
func (m *recorder) event(c *plant.Car, k EventKind) {
	if len(m.events) < cap(m.events) {
		m.events = append(m.events, Event{Kind: k, At: c.Now - m.rig.start, Place: c.Body().Centre})
	}
}
