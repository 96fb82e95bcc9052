package brain

import (
	"errors"
	"fmt"
	"math"
	"time"

	"fieldbrain/brain/ground"
	"fieldbrain/brain/line"
	"fieldbrain/brain/stall"
	"fieldbrain/brain/steer"
	"fieldbrain/field"
	"fieldbrain/robot"
)

// StateVersion is the version of State's layout. It changes with every change
// of a field's meaning, order or number.
const StateVersion = 26

// A State holds everything that a brain carries from one tick to the next besides
// its field: plain numbers of fixed size, in the order in which a file has them. The
// reflexes are not in it: whatever was saved, a brain begins disarmed, without a
// latch, and judges its sensors afresh. Numbers that a tick computes before it
// reads them are not in it either.
//
// Instants are ages, in nanoseconds before the last tick, or Never.
type State struct {
	Tick uint64 // ticks so far; keys noise and random choices

	Speed    float64 // m/s, dead reckoning
	Steering float64 // rad, where the steering has got to

	RangeAge [robot.NumSectors]int64   // of the newest range used
	Range    [robot.NumSectors]float32 // that range, m
	Closing  [robot.NumSectors]float32 // m/s
	Gone     [robot.NumSectors]float32 // m in excess of what the car did
	Nearing  [robot.NumSectors]float32 // m/s of it
	Came     [robot.NumSectors]float32 // s for which it counts as come over floor known free
	Coming   [robot.NumSectors]uint8   // readings in a row that came
	About    [robot.NumSectors]float32 // s for which who came counts as about
	FloorAge [robot.NumFloor]int64     // of the newest floor reading used
	FrameAge int64                     // of the last frame of the senses
	ToldAge  int64                     // of the newest reading in it

	Heading    float64 // rad, operating point
	Throttle   float64 // -1..1, operating point
	Gaze       float64 // rad, operating point
	GazeRange  float64 // bins, operating point
	Confidence float64 // 0..1, of the heading
	Desired    float64 // m/s
	Front      float64 // how blocked the way ahead is
	Wanted     float64 // m/s, after the slew limit
	Slew       float64 // m/s per second, of Wanted
	Wheels     float64 // rad, wanted steering within its rate

	LineOffset float64 // -1..1
	LineLost   float64 // s
	LineFound  bool
	LineGap    float64 // m
	LineMet    float64 // m
	LineLeft   bool
	Course     line.Course
	Crossing   line.Crossing
	Detour     line.Detour
	Corner     line.Corner

	GoalBearing float32           // rad
	GoalMemory  [field.Side]int32 // output of GOAL_MEM over bearing, Q15

	Law    steer.Record
	Guided Guided

	StallDriven                                  float64                   // m since the last comparison
	StallWas                                     float32                   // m, range then
	StallBeside                                  [robot.NumSectors]float32 // m, the other beams' then
	StallAge                                     int64                     // of the range
	StallVain                                    int64                     // ways
	StallTurned, ProbeLeft, ProbeMost, StallMute float64                   // rad; s, share, s
	ProbeFirst                                   float32                   // m
	StallLost                                    float64                   // m on them
	StallBegun, StallFrom                        ground.Pose               // of the way, of the first in vain
	StallHeld                                    float64                   // m in vain on a line
	Rest                                         stall.Rest
	TouchLeft                                    float64 // s
	Stuck                                        bool
	Stalls                                       uint64 // since the field was fresh

	AtGoal, Backing, AtEdge bool    // events of which the library has been told
	Free                    float64 // s since an escape ended, 0 while none is waited for
	Judged, Escapes         uint64  // stalls and escapes of which it has been told

	Place    Place
	Surveyed Surveyed
	Explored Explored
}

// Save copies into s what the brain carries on to its next tick, and ends what is under
// way: a plan, a way, a search for an exit. Whoever repeats the drive hears of it. The
// owner calls it between two ticks; it does not allocate.
func (b *Brain) Save(s *State) {
	b.coming.act(Call{Do: CallSave})
	now := b.trace.Now
	*s = State{
		Tick: b.tick, Speed: b.senses.speed, Steering: b.senses.steering,
		Range: b.senses.ranges, Closing: b.senses.close,
		FrameAge: age(b.senses.framed, now), ToldAge: age(b.senses.told, now),
		Heading: b.points.heading, Throttle: b.points.throttle, Gaze: b.points.gaze, GazeRange: b.points.far,
		Confidence: b.points.confidence, Desired: b.points.desired,
		Front: b.ahead.front, Wanted: b.limiter.speed, Slew: b.limiter.slew, Wheels: b.wheels.angle,
		GoalBearing: b.goal.bearing, GoalMemory: b.out.Marginals[field.GoalMem].X,
	}
	for i, at := range b.senses.seen {
		s.RangeAge[i] = age(at, now)
		n := &b.senses.near[i]
		s.Gone[i], s.Nearing[i], s.Came[i], s.Coming[i], s.About[i] = n.gone, n.pace, n.came, n.times, n.left
	}
	for i, at := range b.senses.floor {
		s.FloorAge[i] = age(at, now)
	}
	s.putLine(&b.line)
	b.law.Save(&s.Law)
	b.guide.save(&s.Guided)
	s.putStall(&b.stall, now)
	o := &b.outcomes
	s.AtGoal, s.Backing, s.AtEdge, s.Free, s.Judged, s.Escapes = o.at, o.backing, o.edge, o.free, o.stalls, o.escapes
	s.Place = Place{X: b.odometry.x, Y: b.odometry.y, Turn: b.odometry.turn}
	b.terrain.save(&s.Surveyed, now)
	b.explorer.save(&s.Explored, b.out, now)
}

// Restore goes on from a saved state. at is the instant of the saved tick on the
// body's clock, where the clock went on; 0 where it did not: then no reading
// counts as seen and no closing speed is made of a range of long ago. The owner
// calls it between two ticks. A state that no brain can have is refused and
// changes nothing.
func (b *Brain) Restore(s *State, at time.Duration) error {
	if err := s.Check(); err != nil {
		return err
	}
	b.tick, b.trace = s.Tick, Trace{Now: at}
	b.senses = senses{
		speed: s.Speed, steering: s.Steering, ranges: s.Range, close: s.Closing,
		framed: instant(s.FrameAge, at), told: instant(s.ToldAge, at),
	}
	for i, a := range s.RangeAge {
		b.senses.seen[i] = instant(a, at)
		b.senses.near[i] = nearing{gone: s.Gone[i], pace: s.Nearing[i], came: s.Came[i], times: s.Coming[i], left: s.About[i]}
		if at == 0 {
			b.senses.near[i] = nearing{}
		}
	}
	for i, a := range s.FloorAge {
		b.senses.floor[i] = instant(a, at)
	}
	p := &b.points
	p.heading, p.throttle, p.gaze, p.confidence, p.desired = s.Heading, s.Throttle, s.Gaze, s.Confidence, s.Desired
	p.far, b.ahead.front = s.GazeRange, s.Front
	b.limiter, b.wheels = limiter{speed: s.Wanted, slew: s.Slew}, wheels{angle: s.Wheels}
	tape := s.line()
	b.line.Resume(&tape)
	b.goal = goal{bearing: s.GoalBearing}
	b.out = restingOutput()
	b.out.Marginals[field.GoalMem].X = s.GoalMemory
	if b.law.Resume(&s.Law); at == 0 {
		b.law.Forget()
		b.line.Forget()
	}
	b.guide.restore(&s.Guided, at)
	b.progress.begin()
	vain := s.stall(at)
	b.stall.Resume(&vain)
	b.outcomes = outcomes{at: s.AtGoal, backing: s.Backing, edge: s.AtEdge, free: s.Free, stalls: s.Judged, escapes: s.Escapes}
	b.odometry = odometry{x: s.Place.X, y: s.Place.Y, turn: s.Place.Turn}
	b.terrain.restore(&s.Surveyed, at)
	b.explorer.restore(&s.Explored, b.out, at)
	return nil
}

// checkRanges returns which range no brain can have seen, or nil.
func (s *State) checkRanges() error {
	const far = 1e4
	within := func(v, low, high float32) bool { return v >= low && v <= high } // NaN fails
	for i := range s.Range {
		if !within(s.Range[i], 0, far) || !within(s.Closing[i], -math.MaxFloat32, math.MaxFloat32) {
			return fmt.Errorf("brain: restore: range %d is %v m and closes with %v m/s", i, s.Range[i], s.Closing[i])
		}
		if !within(s.Gone[i], 0, far) || !within(s.Nearing[i], -far, far) ||
			!within(s.Came[i], 0, far) || s.Coming[i] > nearingTimes || !within(s.About[i], 0, nearingAbout) {
			return fmt.Errorf("brain: restore: range %d shrank by %v m in excess, with %v m/s in %d readings, and counts for %v and %v s", i, s.Gone[i], s.Nearing[i], s.Coming[i], s.Came[i], s.About[i])
		}
	}
	return nil
}

// Check returns why no brain can have this state, or nil.
func (s *State) Check() error {
	const turn, long, far = 2 * math.Pi, 1e6, 1e4 // rad, s, m
	for _, n := range [...]struct {
		name      string
		value     float64
		low, high float64
	}{
		{"Speed", s.Speed, -fastest, fastest},
		{"Steering", s.Steering, -turn, turn},
		{"Heading", s.Heading, -turn, turn},
		{"Throttle", s.Throttle, -2, 2},
		{"Gaze", s.Gaze, -turn, turn},
		{"Confidence", s.Confidence, 0, 1},
		{"Desired", s.Desired, 0, fastest},
		{"Front", s.Front, 0, far},
		{"GazeRange", s.GazeRange, 0, field.Side},
		{"Wanted", s.Wanted, -fastest, fastest},
		{"Slew", s.Slew, -far, far},
		{"Wheels", s.Wheels, -turn, turn},
		{"GoalBearing", float64(s.GoalBearing), -turn, turn},
		{"Free", s.Free, 0, long},
	} {
		if !(n.value >= n.low && n.value <= n.high) { // NaN fails
			return fmt.Errorf("brain: restore: %s is %v, must be within %v..%v", n.name, n.value, n.low, n.high)
		}
	}
	tape, vain := s.line(), s.stall(0)
	return errors.Join(
		s.checkRanges(), s.Place.check(), s.Surveyed.check(), s.Explored.check(), s.Law.Check(),
		s.Guided.check(), restore(vain.Check()), restore(tape.Check()),
	)
}

// restore says of a part's complaint where it comes from.
func restore(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("brain: restore: %w", err)
}
