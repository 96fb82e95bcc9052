package pilots

import (
	"math"
	"time"

	"fieldbrain/field/exact"
)

// A histogram is VFH+ (Ulrich and Borenstein, VFH+: reliable obstacle avoidance
// for fast mobile robots, ICRA 1998, doi 10.1109/ROBOT.1998.677362) on the own
// grid: obstacles within Window m, each enlarged by the body, fill sectors of 5
// degrees; hysteresis makes them blocked or open; sectors that the turning
// circles cannot reach are masked; among the candidates in the openings it takes
// the cheapest,
//
//	Target |c - target| + Now |c - heading| + Last |c - last|.
//
// Without a goal it heads for the nearest place that it has not been to.
type histogram struct {
	histogramParams
	nav     *navigator
	blocked [sectors]bool
	weight  [sectors]float64
	last    float64 // rad in the driver's frame, direction chosen last
	next    time.Duration
	wish    wish
}

// histogramParams are the numbers of a histogram. High and Low are the
// hysteresis' thresholds.
type histogramParams struct {
	Window float64 // m
	Safe   float64 // m added to the body
	High   float64
	Low    float64 // of High
	Target float64
	Now    float64
	Last   float64
	Gain   float64 // rad of steering per rad of direction
	Forget float64 // s
	Trust  float64 // m that it drives onto ground not seen
}

func (p *histogramParams) knobs() []knob {
	return []knob{
		{"window_m", &p.Window, 0.4, 1.6},
		{"safe_m", &p.Safe, 0, 0.08},
		{"high", &p.High, 0.02, 0.5},
		{"low", &p.Low, 0.3, 1},
		{"target", &p.Target, 1, 8},
		{"now", &p.Now, 0, 4},
		{"last", &p.Last, 0, 4},
		{"gain", &p.Gain, 0.6, 3},
		{"forget_s", &p.Forget, 0.2, 4},
		{"trust_m", &p.Trust, 0.1, 1.5},
	}
}

func (p *histogramParams) seat(v *view) driver {
	v.keepGrid(p.Forget)
	return &histogram{histogramParams: *p, nav: newNavigator(v.grid, 0.02)}
}

const (
	sectors = 72
	sector  = 2 * math.Pi / sectors // rad
	wide    = 16                    // sectors from which an opening is wide
)

func (h *histogram) drive(v *view) wish {
	h.nav.watch(v)
	if v.now < h.next {
		return h.wish
	}
	h.next = v.now + decideEvery
	target := v.goal.at
	if !v.goal.known {
		h.nav.plan(v)
		target = h.nav.target
	} else {
		v.grid.measure(v.grid.around(v.pose.point, h.Window))
	}
	h.fill(v)
	h.mask(v)
	h.wish = h.choose(v, v.pose.bearing(target))
	return h.wish
}

// fill makes the primary and the binary polar histogram, in the car's frame.
func (h *histogram) fill(v *view) {
	h.weight = [sectors]float64{}
	body := v.pose.body()
	b := v.grid.around(body, h.Window)
	for y := b.y0; y <= b.y1; y++ {
		for x := b.x0; x <= b.x1; x++ {
			i := y*side + x
			odds := v.grid.odds[i]
			if odds < solid {
				continue
			}
			d := v.grid.middle(i).minus(body)
			far := d.norm()
			if far > h.Window || far < 0.01 {
				continue
			}
			c := min(float64(odds)/most, 1)
			m := float64(float64(c*c) * (1 - float64(far*far)/float64(h.Window*h.Window)))
			h.spread(exact.Wrap(d.direction()-v.heading), far, m)
		}
	}
	for k, w := range h.weight {
		if h.blocked[k] {
			h.blocked[k] = w > float64(h.High*h.Low)
		} else {
			h.blocked[k] = w > h.High
		}
	}
}

// spread adds an obstacle's weight to the sectors that the enlarged cell covers.
func (h *histogram) spread(direction, far, m float64) {
	half := math.Pi / 2
	if r := bodyRadius + h.Safe; r < far {
		half = exact.Atan2(r, math.Sqrt(float64(far*far)-float64(r*r)))
	}
	from := int(math.Ceil((direction - half) / sector))
	to := int(math.Floor((direction + half) / sector))
	for k := from; k <= to; k++ {
		i := (k%sectors + sectors) % sectors
		h.weight[i] = max(h.weight[i], m)
	}
}

// mask blocks the directions on a side whose turning circle meets an obstacle
// that lies nearer ahead than they do (the paper's limit angles).
func (h *histogram) mask(v *view) {
	left, right := math.Pi/2, -math.Pi/2
	for _, turn := range [2]float64{1, -1} {
		k := v.curvature(turn * v.lock)
		open, _ := v.grid.sweep(v.pose, k, float64(math.Pi/2)/math.Abs(k), 0)
		limit := float64(open * math.Abs(k)) // rad that it can turn on the circle
		if turn > 0 {
			left = limit
		} else {
			right = -limit
		}
	}
	const least = 10 * math.Pi / 180
	for k := range h.blocked {
		if c := exact.Wrap(float64(float64(k) * sector)); c > max(left, least)*1.5 || c < min(right, -least)*1.5 {
			h.blocked[k] = true
		}
	}
}

// choose takes the cheapest candidate; without any the car backs out.
func (h *histogram) choose(v *view, target float64) wish {
	best, cost := math.NaN(), math.Inf(1)
	try := func(c float64) {
		c = exact.Wrap(c)
		price := float64(h.Target*math.Abs(exact.Wrap(c-target))) + float64(h.Now*math.Abs(c)) +
			float64(h.Last*math.Abs(exact.Wrap(c-(h.last-v.heading))))
		if price < cost {
			best, cost = c, price
		}
	}
	h.openings(func(from, to int) {
		low, high := float64(float64(from)*sector), float64(float64(to)*sector)
		if to-from < wide {
			try((low + high) / 2)
			return
		}
		edge := float64(float64(wide) / 2 * sector)
		try(low + edge)
		try(high - edge)
		for turn := -1; turn <= 1; turn++ { // the target, when it lies within
			if t := target + float64(float64(turn)*2*math.Pi); t > low+edge && t < high-edge {
				try(t)
			}
		}
	})
	if math.IsNaN(best) {
		return wish{trapped: true, steering: math.Copysign(v.lock, target)}
	}
	h.last = exact.Wrap(v.heading + best)
	angle := min(max(float64(h.Gain*best), -v.lock), v.lock)
	k := int(math.Round(best/sector)) + sectors
	dense := h.weight[k%sectors]
	speed := v.cruise * min(max(1-dense/h.High, 0.3), 1) * (1 - float64(0.4*math.Abs(angle)/v.lock))
	open := v.open(v.curvature(angle), 0.4, 0, h.Trust)
	return wish{speed: speed * min(max(open/0.3, 0.2), 1), steering: angle}
}

// openings calls see with the ends of every row of open sectors. A row may run
// over the end of the circle.
func (h *histogram) openings(see func(from, to int)) {
	first := -1
	for k, b := range h.blocked {
		if b {
			first = k
			break
		}
	}
	if first < 0 {
		see(-sectors/2, sectors/2)
		return
	}
	from := -1
	for k := first + 1; k <= first+sectors; k++ {
		switch open := !h.blocked[k%sectors]; {
		case open && from < 0:
			from = k
		case !open && from >= 0:
			see(from-sectors, k-1-sectors)
			from = -1
		}
	}
}
