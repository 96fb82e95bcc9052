package steer

import (
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

// A Situation tells the law how one tick stands.
type Situation struct {
	Ground *ground.Grid
	Pose   ground.Pose // of the rear axle
	Speed  float64     // m/s, dead reckoning
	Wheels float64     // rad, where the steering has got to
	Dt     float64     // s since the last tick

	Heading    float64 // rad, where the field wants to go, relative to the nose
	Confidence float64 // 0..1, how much of a heading there is
	Aim        float64 // rad, where the task draws, relative to the nose, all round
	AimWeight  float64 // 0..1, how much it draws
	GoalRange  float64 // m to the goal as the crow flies; 0 where none draws
	Back       float64 // m to go back on the way the car came before it turns round on a table
	RecallSide float64 // side to which the field recalls to go: +1 left, -1 right, 0 neither

	Echoes  [Beams]Echo // what the beams hear
	Sides   bool        // beams look to the sides, too
	Driving bool        // the reflexes let the car move
	Held    bool        // a reflex refuses forward motion
	Stuck   bool        // the car touches something

	// Carried reports whether a place some metres ahead of the rear axle and left of it
	// has been under the car; nil where the floor is everywhere. Backwards the reflexes
	// let the car go over such floor only.
	Carried func(ahead, left float32) bool
	// FloorEdges are the lines at which that floor ends, as far as is known: forwards no wheel
	// comes past one, but square on, where the floor bar sees it first.
	FloorEdges []FloorEdge
}

// An Order is what the law makes of it.
type Order struct {
	Speed    float64 // m/s; negative backwards. Without a manoeuvre it is a bound
	Steering float64 // rad
}

// A Body is what the law must know about the car, whichever it is; the brain makes it of its
// Params. The disc that the law keeps free is the ground's (ground.Body).
type Body struct {
	Wheelbase float64 // m
	Track     float64 // m between the rear wheels
	Lock      float64 // rad, the largest steering angle; at most Lock, the constant
	Cruise    float64 // m/s
	Lead      float64 // m from the rear axle ahead to the sonars' face
}

// A Law turns the field's heading into arcs that the ground allows.
type Law struct {
	body       Body
	numbers    Params
	chosen     arc     // forward, of this tick
	wheels     arc     // that the wheels are on
	nose       float64 // m free straight ahead
	longest    float64 // m free on the longest arc of this tick
	trail      trail
	steady     float64    // rad, steering ahead without its jumps
	astray     float64    // s for which the car went another way than the task's
	shut       float64    // s for which no way forward was found
	since      float64    // m driven since the last manoeuvre
	onTable    bool       // this tick's task insists over a floor that ends somewhere
	roams      bool       // nothing draws the car this tick
	floorEdges floorEdges // of this tick
	losses     [2]loss    // to the left and right
	turn       turn
	search     search
}

// New returns a law for a body, with numbers that Validate accepts.
func New(b Body, p Params) *Law {
	l := &Law{body: b, numbers: p}
	l.search.init(float64(l.curvature(b.Lock)), &b)
	l.search.numbers = p
	l.floorEdges.long, l.floorEdges.half = b.Wheelbase, b.Track/2
	l.search.floorEdges.long, l.search.floorEdges.half = b.Wheelbase, b.Track/2
	return l
}

// Cruise sets the speed on a free way, in m/s.
func (l *Law) Cruise(speed float64) { l.body.Cruise = speed }

// Active reports whether a manoeuvre is under way.
func (l *Law) Active() bool { return l.turn.stage != rest }

// Recoils reports whether the car backs off from a contact.
func (l *Law) Recoils() bool { return l.turn.recoils && l.turn.stage == stroke }

// Count returns how many manoeuvres began since the start.
func (l *Law) Count() uint64 { return l.turn.count }

// Side returns to which side the nose swings in a manoeuvre: +1 left, -1 right, 0
// neither or none.
func (l *Law) Side() float64 {
	if l.turn.stage == rest || l.turn.move < 0 || l.turn.move == retrace {
		return 0
	}
	return l.turn.move.gear() * float64(1-int(l.turn.move)%(moves/2))
}

// Nose returns how far the way straight ahead is free, in m.
func (l *Law) Nose() float64 { return l.nose }

const (
	silent     = 0.3 // confidence below which there is no heading
	blindly    = 0.6 // share of the floor not seen that makes the car look first
	insists    = 0.9 // aim weight that leads where the field does not go
	apart      = 30 * deg
	draws      = 0.3 // aim weight that a manoeuvre heeds
	urgent     = 0.6 // aim weight that makes the car turn round
	behind     = 80 * deg
	astrayTime = 0.5     // s
	play       = 2 * deg // by which the steering may be off the chosen arc's: it follows no ripple
	lag        = 0.25    // s by which the wheels lag the heading: its own delay, the play and the servo's
	crawl      = 0.03    // m/s, the least on a way that is open: the driver takes 0.02 for a standstill, and a field that doubts halves it
	blend      = 0.10    // m by which the arc of the wheels may be longer than the chosen one
)

// Forget begins anew but for the count: the car may stand elsewhere.
func (l *Law) Forget() { l.Resume(&Record{Count: l.turn.count}) }

// Decide turns one tick's heading into an order.
func (l *Law) Decide(s *Situation) Order {
	if !s.Driving {
		l.shut, l.astray, l.losses[0].heard, l.losses[1].heard = 0, 0, 0, 0
		if s.Carried != nil { // the reflexes go back on it
			l.trail.follow(s.Pose, s.Speed, s.Wheels)
		}
		l.turn.end()
		return Order{}
	}
	l.onTable, l.roams = l.tabled(s), s.roams()
	l.floorEdges.take(s.FloorEdges)
	l.nose = float64(s.Ground.Sweep(s.Pose, 0, horizon, false).Free)
	l.trail.follow(s.Pose, s.Speed, s.Wheels)
	l.lose(s)
	l.chosen = l.choose(s, l.wish(s))
	l.wheels = arc{steering: s.Wheels}
	l.ask(s, &l.wheels)
	if l.tabled(s) && !l.Active() && l.turnsRound(s) {
		l.turn.roundTo(s)
	} else if l.judge(s) {
		again := l.vainly(s)
		l.turn.begin(s)
		l.turn.again = again
	}
	if s.Stuck {
		l.turn.recoil(s.Speed)
	}
	if l.since += math.Abs(float64(s.Speed * s.Dt)); l.Active() {
		l.steady, l.since = s.Wheels, 0
		return l.manoeuvre(s)
	}
	l.steady += float64(beyond(l.chosen.steering-l.steady, l.slack(s)) * min(s.Dt/l.numbers.Steady, 1))
	return Order{Speed: l.ahead(), Steering: l.steady}
}

// slack is by how much the steering may be off the chosen arc's: nothing where the arc
// that the wheels are on ends sooner, or is shut before a car that stands, or where one
// beam looks ahead and the lane that it has seen is as narrow as the car.
func (l *Law) slack(s *Situation) float64 {
	stands := l.wheels.tight < least && l.chosen.tight >= least && math.Abs(s.Speed) < standing
	if !s.Sides || stands || l.wheels.free < min(l.chosen.free, l.numbers.Comfort) {
		return 0
	}
	return play
}

// wish is the steering that the heading asks for: the field's, unless the task draws
// strongly to where the field is not going at all, such as behind a repelling wall. When
// the wheels get there the nose will have turned on: the heading that is asked for is
// taken from where it will point, or the car weaves between two walls. With one beam, and
// on a table, it is taken as it is: there the way is as narrow as the car, or ends.
func (l *Law) wish(s *Situation) float64 {
	heading := s.Heading
	if s.AimWeight > insists && (l.tabled(s) || math.Abs(s.Heading-s.Aim) > apart) {
		heading = s.Aim
	}
	if s.Sides && !l.onTable {
		heading -= float64(lag * float64(s.Speed*float64(l.curvature(s.Wheels))))
	}
	return exact.Clip(heading, -l.body.Lock, l.body.Lock)
}

// judge reports whether the way ahead has been shut for long enough.
func (l *Law) judge(s *Situation) bool {
	if l.Active() {
		l.shut, l.astray = 0, 0
		return false
	}
	if l.chosen.tight < least || s.Confidence < silent || s.Held || l.gropes(s) {
		l.shut += s.Dt
	} else {
		l.shut = max(0, l.shut-float64(2*s.Dt))
	}
	if l.turnsAway(s) {
		l.astray += s.Dt
	} else {
		l.astray = 0
	}
	return l.shut > l.numbers.Shut || l.astray > astrayTime || s.Stuck
}

// gropes reports whether the arc leads over floor that nobody has seen, and no beam to
// the sides will see it in time.
func (l *Law) gropes(s *Situation) bool {
	return !s.Sides && l.chosen.way.Blind > blindly && float64(l.chosen.way.Lane) < least
}

// ahead is the speed in m/s: where a way is open, none at which the wheels stand still.
func (l *Law) ahead() float64 {
	speed := l.body.Cruise * l.pace()
	if min(l.wheels.tight, l.chosen.tight+blend) < least {
		return speed
	}
	return max(speed, min(l.body.Cruise, crawl))
}

// pace is the share of the cruise speed that both the arc of the wheels and the
// chosen one allow: less where something is close beside the car, and a creep where
// the body just fits.
func (l *Law) pace() float64 {
	w, c := &l.wheels, &l.chosen
	wide := l.numbers.pace(float64(min(w.way.Lane, c.way.Lane+blend)), min(w.free, c.free+blend))
	creep := min(l.numbers.rise(min(w.tight, c.tight+blend)), l.numbers.Creep)
	return max(float64(wide*(1-float64(wary*w.close))), creep)
}
