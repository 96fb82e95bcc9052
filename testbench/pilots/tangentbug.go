package pilots

import (
	"math"
	"slices"
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
	k := int(math.Round(direction/sector)) + 4*sectors
	return t.ray[k%sectors]
}

// heading chooses the direction to move to, in the driver's frame.
func (t *tangentBug) heading(v *view, target point) float64 {
	body := v.pose.body()
	d := target.minus(body)
	straightOn := d.direction()
	if t.sees(straightOn) >= min(d.norm()-0.05, t.Reach-cell) {
		t.follows, t.best = false, math.Inf(1) // what comes next is another obstacle
		return straightOn
	}
	e := t.tangent(body, target)
	if t.follows {
		if e.free < t.reached-0.05 || v.now-t.begun > 40*time.Second {
			t.follows, t.best = false, math.Inf(1)
		}
		t.reached = min(t.reached, e.wall)
	} else {
		if e.way > t.best+t.Keep { // the distance only grows: a local minimum
			t.follows, t.reached, t.begun = true, min(d.norm(), e.wall), v.now
			t.hand = math.Copysign(1, exact.Wrap(straightOn-e.direction)) // the obstacle's side
		}
		t.best = min(t.best, e.way)
	}
	if t.follows && slices.Min(t.ray[:]) < t.Reach/2 {
		return t.along(v)
	}
	return e.direction
}

// ends are what the ring of rays says of the ways round the obstacles.
type ends struct {
	direction float64 // rad, of the tangent point over which the way is shortest
	way       float64 // m of that way
	free      float64 // m from the target to the nearest place that can be reached in sight
	wall      float64 // m from the target to the nearest point of a boundary in sight
}

// tangent looks for the ends of the obstacles' boundaries.
func (t *tangentBug) tangent(body, target point) ends {
	e := ends{way: math.Inf(1), free: math.Inf(1), wall: math.Inf(1)}
	for k, r := range t.ray {
		direction := float64(float64(k) * sector)
		rest := target.minus(body.toward(direction, r)).norm()
		if r < t.Reach-cell {
			e.wall = min(e.wall, rest)
		}
		before, after := t.ray[(k+sectors-1)%sectors], t.ray[(k+1)%sectors]
		if r < before+0.2 && r < after+0.2 && r < t.Reach-cell {
			continue // no discontinuity, and the boundary is in sight
		}
		e.free = min(e.free, rest)
		if total := r + rest; total < e.way {
			e.direction, e.way = exact.Wrap(direction), total
		}
	}
	if math.IsInf(e.way, 1) {
		e.direction = exact.Wrap(target.minus(body).direction() + math.Pi)
	}
	return e
}

// along keeps the boundary on the hand: it turns away from the nearest point of a
// boundary until the way is free.
func (t *tangentBug) along(v *view) float64 {
	const clear = 0.30 // m
	nearest := 0
	for k, r := range t.ray {
		if r < t.ray[nearest] {
			nearest = k
		}
	}
	for k := range sectors {
		direction := float64((float64(nearest) - float64(t.hand*float64(k))) * sector)
		if t.sees(direction) > clear {
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
