package pilots

import (
	"math"
	"time"

	"fieldbrain/field/exact"
)

// A tangentBug is TangentBug (Kamon, Rimon and Rivlin, TangentBug: a range-sensor-
// based navigation algorithm, International Journal of Robotics Research 17(9),
// 1998, doi 10.1177/027836499801700903). Its range sensor is a ring of rays in the
// own grid, up to Reach m, in which the body is a point. It moves to the target
// over the tangent point that gives the shortest way; where the distance to the
// target can only grow it follows the boundary, until it sees a place nearer to
// the target than any it has passed on the boundary.
//
// Without a goal its target is the nearest place it has not been to.
type tangentBug struct {
	tangentBugParams
	nav     *navigator
	ray     [sectors]float64 // m of free way, by direction in the driver's frame
	follows bool             // the boundary
	hand    float64          // side the boundary is on: 1 left, -1 right
	reached float64          // m, nearest to the target while following
	best    float64          // m, shortest way over a tangent point so far
	begun   time.Duration    // of following
	aim     point            // the target that best and reached belong to
	next    time.Duration
	wish    wish
}

// tangentBugParams are the numbers of a tangentBug.
type tangentBugParams struct {
	Reach  float64 // m
	Margin float64 // m between body and obstacle
	Keep   float64 // m of way that a new detour must save
	Gain   float64 // rad of steering per rad of direction
	Brake  float64 // m of free arc from which it drives at full speed
	Forget float64 // s
	Trust  float64 // m that it drives onto ground not seen
}

func (p *tangentBugParams) knobs() []knob {
	return []knob{
		{"reach_m", &p.Reach, 0.4, 2},
		{"margin_m", &p.Margin, -0.01, 0.08},
		{"keep_m", &p.Keep, 0.02, 0.5},
		{"gain", &p.Gain, 0.6, 3},
		{"brake_m", &p.Brake, 0.1, 0.6},
		{"forget_s", &p.Forget, 0.2, 4},
		{"trust_m", &p.Trust, 0.1, 1.5},
	}
}

func (p *tangentBugParams) seat(v *view) driver {
	v.keepGrid(p.Forget)
	return &tangentBug{tangentBugParams: *p, nav: newNavigator(v.grid, p.Margin), hand: 1}
}

func (t *tangentBug) drive(v *view) wish {
	t.nav.watch(v)
	if v.now < t.next {
		return t.wish
	}
	t.next = v.now + decideEvery
	target := v.goal.at
	if !v.goal.known {
		t.nav.plan(v)
		target = t.nav.target
	}
	v.grid.measure(v.grid.around(v.pose.point, t.Reach+0.3))
	if target.minus(t.aim).norm() > 0.5 {
		t.follows, t.best = false, math.Inf(1)
	}
	t.aim = target
	t.scan(v)
	t.wish = t.steer(v, t.heading(v, target))
	return t.wish
}

// scan measures the ring of rays in the space of the body's middle.
func (t *tangentBug) scan(v *view) {
	const step = cell * 0.75
	from := v.pose.body()
	for k := range t.ray {
		c, s := exact.Cos(float64(float64(k)*sector)), exact.Sin(float64(float64(k)*sector))
		d := 0.0
		for d < t.Reach {
			p := point{from.x + float64((d+step)*c), from.y + float64((d+step)*s)}
			if gap := v.grid.gap(p); gap < t.Margin && (d > 0.1 || gap < 0) {
				break
			}
			d += step
		}
		t.ray[k] = d
	}
}

// sees returns the free way in a direction.
func (t *tangentBug) sees(direction float64) float64 {
	k := int(math.Round(direction/sector)) + 2*sectors
	return t.ray[k%sectors]
}

// heading chooses the direction to move to, in the driver's frame.
func (t *tangentBug) heading(v *view, target point) float64 {
	body := v.pose.body()
	d := target.minus(body)
	straightOn := d.direction()
	if t.sees(straightOn) >= min(d.norm()-0.05, t.Reach-cell) {
		t.follows, t.best = false, min(t.best, d.norm())
		return straightOn
	}
	end, way, nearest := t.tangent(body, target)
	if t.follows {
		t.reached = min(t.reached, d.norm())
		if nearest < t.reached-0.05 || v.now-t.begun > 40*time.Second {
			t.follows, t.best = false, math.Inf(1)
		}
	} else {
		if way > t.best+t.Keep { // the distance only grows: a local minimum
			t.follows, t.reached, t.begun = true, d.norm(), v.now
			t.hand = math.Copysign(1, exact.Wrap(straightOn-end)) // the obstacle's side
		}
		t.best = min(t.best, way)
	}
	if t.follows {
		return t.along(v, straightOn)
	}
	return end
}

// tangent returns the direction of the end of an obstacle's boundary over which
// the way to the target is shortest, that way's length, and how near to the
// target any visible place is.
func (t *tangentBug) tangent(body, target point) (end, way, nearest float64) {
	way, nearest = math.Inf(1), math.Inf(1)
	for k, r := range t.ray {
		direction := float64(float64(k) * sector)
		p := body.toward(direction, r)
		rest := target.minus(p).norm()
		nearest = min(nearest, rest)
		before, after := t.ray[(k+sectors-1)%sectors], t.ray[(k+1)%sectors]
		if r < before+0.2 && r < after+0.2 && r < t.Reach-cell {
			continue // no discontinuity, and the boundary is in sight
		}
		if total := r + rest; total < way {
			end, way = exact.Wrap(direction), total
		}
	}
	if math.IsInf(way, 1) {
		end = exact.Wrap(target.minus(body).direction() + math.Pi)
	}
	return end, way, nearest
}

// along keeps the boundary on the hand: it turns from the direction of the
// nearest obstacle until the way is free.
func (t *tangentBug) along(v *view, toward float64) float64 {
	nearest, at := math.Inf(1), toward
	for k, r := range t.ray {
		direction := float64(float64(k) * sector)
		if off := exact.Wrap(direction - v.heading); off*t.hand < -2.3 || math.Abs(off) > 2.6 {
			continue
		}
		if r < nearest {
			nearest, at = r, direction
		}
	}
	for k := range sectors / 2 {
		direction := at - float64(t.hand*float64(float64(k)*sector))
		if t.sees(direction) > 0.30 {
			return exact.Wrap(direction)
		}
	}
	return exact.Wrap(v.heading + math.Pi)
}

// steer turns to a direction, as fast as the arc is free.
func (t *tangentBug) steer(v *view, direction float64) wish {
	off := exact.Wrap(direction - v.heading)
	angle := min(max(float64(t.Gain*off), -v.lock), v.lock)
	open := v.open(v.curvature(angle), 0.6, 0, t.Trust)
	if open < 0.05 {
		return wish{trapped: true, steering: math.Copysign(v.lock, off)}
	}
	return wish{speed: v.cruise * min(max(open/t.Brake, 0.25), 1), steering: angle}
}
