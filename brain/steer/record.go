package steer

import (
	"fmt"
	"math"

	"fieldbrain/brain/ground"
)

// A Record holds what a law carries from tick to tick: numbers of fixed size. A
// search under way is not in it: Copy ends it, so that both the law and whoever
// resumes from the record begin it anew.
type Record struct {
	Chosen  float64 // rad, steering of the last choice
	Steady  float64 // rad, steering ahead without its jumps
	Nose    float64 // m free straight ahead
	Astray  float64 // s for which the car went another way than the task's
	Shut    float64 // s for which no way forward was found
	Since   float64 // m driven since the last manoeuvre
	Stage   uint8
	Move    int8    // of the stroke
	Bars    uint8   // the set of those that got nowhere
	Left    float64 // m of the stroke to go
	Slow    float64 // s without getting on
	Out     float64 // rad, steering while it leaves
	Recoils bool    // the stroke leads away from a contact
	Dared   bool    // the stroke goes over blind ground, too
	Vain    int32   // searches in a row that found nothing
	Side    float64 // rad in the world, where the field leant to
	Leans   bool    // it did
	From    float64 // rad in the world, where the nose pointed when it began
	Again   int32   // exits in a row that led nowhere
	Forces  bool    // the stroke goes whatever the ground says
	Forced  int8    // the last that did
	Count   uint64  // manoeuvres since the start

	Heard, Lost [2]float64 // m, of the sides: what was heard last, how far a loss still counts

	Places   int32 // of the trail
	Place    [trailMost]ground.Pose
	Steering [trailMost]float32 // rad
}

// Save copies the law into r and ends a search under way.
func (l *Law) Save(r *Record) {
	l.search.cancel()
	t := &l.turn
	*r = Record{
		Chosen: l.chosen.steering, Steady: l.steady, Nose: l.nose, Astray: l.astray, Shut: l.shut,
		Since: l.since, Stage: uint8(t.stage), Move: int8(t.move), Bars: uint8(t.bars),
		Left: t.left, Slow: t.slow, Out: t.out, Recoils: t.recoils, Dared: t.dared, Vain: int32(t.vain),
		Side: t.side, Leans: t.leans, From: t.from, Again: int32(t.again), Count: t.count,
		Places: int32(l.trail.n),
		Forces: t.forces, Forced: int8(t.forced),
	}
	r.Place, r.Steering = l.trail.place, l.trail.steering
	for i, o := range l.losses {
		r.Heard[i], r.Lost[i] = o.heard, o.left
	}
}

// Resume takes over what Save wrote; Check says what it must be. Where the clock did not go
// on, Forget follows.
func (l *Law) Resume(r *Record) {
	l.search.cancel()
	l.chosen, l.steady, l.nose = arc{steering: r.Chosen}, r.Steady, r.Nose
	l.astray, l.shut, l.since = r.Astray, r.Shut, r.Since
	l.turn = turn{
		stage: stage(r.Stage), move: move(r.Move), bars: moveSet(r.Bars),
		left: r.Left, slow: r.Slow, out: r.Out, recoils: r.Recoils, dared: r.Dared, vain: int(r.Vain),
		side: r.Side, leans: r.Leans, from: r.From, again: int(r.Again), count: r.Count,
		forces: r.Forces, forced: move(r.Forced),
	}
	l.trail = trail{place: r.Place, steering: r.Steering, n: int(r.Places)}
	for i := range l.losses {
		l.losses[i] = loss{heard: r.Heard[i], left: r.Lost[i]}
	}
}

// Check returns why no law can have made this record, or nil.
func (r *Record) Check() error {
	known := func(m int8) bool { return m >= int8(none) && m <= int8(retrace) }
	if r.Stage > uint8(round) || !known(r.Move) || r.Bars > uint8(anyMove) || !known(r.Forced) {
		return fmt.Errorf("steer: stage %d, moves %d, %b and %d: unknown", r.Stage, r.Move, r.Bars, r.Forced)
	}
	if r.Vain < 0 || r.Again < 0 {
		return fmt.Errorf("steer: %d searches and %d exits in vain, must be 0 or more", r.Vain, r.Again)
	}
	if r.Places < 0 || r.Places > trailMost {
		return fmt.Errorf("steer: a trail of %d places, must be within 0..%d", r.Places, trailMost)
	}
	for _, n := range [...]struct {
		name            string
		value, low, top float64
	}{
		{"Chosen", r.Chosen, -Lock, Lock},
		{"Steady", r.Steady, -1, 1},
		{"Nose", r.Nose, 0, far},
		{"Astray", r.Astray, 0, long},
		{"Shut", r.Shut, 0, long},
		{"Since", r.Since, 0, math.MaxFloat64},
		{"Left", r.Left, -long, long},
		{"Slow", r.Slow, 0, long},
		{"Out", r.Out, -Lock, Lock},
		{"Side", r.Side, -4, 4},
		{"From", r.From, -far, far},
		{"Heard[0]", r.Heard[0], 0, far},
		{"Heard[1]", r.Heard[1], 0, far},
		{"Lost[0]", r.Lost[0], 0, lostWay},
		{"Lost[1]", r.Lost[1], 0, lostWay},
	} {
		if !(n.value >= n.low && n.value <= n.top) { // NaN fails
			return fmt.Errorf("steer: %s is %v, must be within %v..%v", n.name, n.value, n.low, n.top)
		}
	}
	return r.checkTrail()
}

// A record's times end at long seconds, its lengths at far metres.
const long, far = 1e6, 1e6

// checkTrail returns why no law can have driven along the places, or nil.
func (r *Record) checkTrail() error {
	for i, p := range r.Place {
		sum := max(math.Abs(float64(p.X)), math.Abs(float64(p.Y)), math.Abs(float64(p.Heading)), math.Abs(float64(r.Steering[i])))
		if !(sum <= far) {
			return fmt.Errorf("steer: place %d of the trail is %+v with %v rad, must be within %v", i, p, r.Steering[i], far)
		}
	}
	return nil
}
