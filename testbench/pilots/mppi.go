package pilots

import (
	"math"
	"time"

	"fieldbrain/field/exact"
	"fieldbrain/testbench/noise"
)

// A pathIntegral is model predictive path integral control (Williams, Aldrich and
// Theodorou, Model predictive path integral control: from theory to parallel
// computation, Journal of Guidance, Control, and Dynamics 40(2), 2017,
// doi 10.2514/1.G001921) with a bicycle model: of samples of noisy speeds and
// steering angles over two seconds it takes the mean, weighted with
//
//	exp(-(S - min S)/Lambda)
//
// S the cost of a rollout: nearness and touch of obstacles, distance to a point
// on A*'s way, slowness, and leaving the mean.
type pathIntegral struct {
	pathIntegralParams
	nav   *navigator
	dice  noise.Stream
	next  time.Duration
	plan  [mppiSteps]control // the mean
	tries [mppiSamples][mppiSteps]control
	cost  [mppiSamples]float64
}

// A control is one step's wish.
type control struct{ speed, steering float64 }

// pathIntegralParams are the numbers of a pathIntegral.
type pathIntegralParams struct {
	Lambda float64
	Near   float64 // cost of a touching place
	Room   float64 // m of room from which nearness costs nothing
	Way    float64 // cost per m from the target, in the mean and at the end
	Turn   float64 // cost per rad off the target at the end
	Back   float64 // cost per m backwards
	Carrot float64 // m along the way
	Margin float64 // m
	Forget float64 // s
	Dark   float64 // cost per m over ground not seen
}

func (p *pathIntegralParams) knobs() []knob {
	return []knob{
		{"lambda", &p.Lambda, 0.02, 1},
		{"near", &p.Near, 0, 4},
		{"room_m", &p.Room, 0.01, 0.2},
		{"way", &p.Way, 1, 20},
		{"turn", &p.Turn, 0, 3},
		{"back", &p.Back, 0.2, 10},
		{"carrot_m", &p.Carrot, 0.3, 1},
		{"margin_m", &p.Margin, -0.01, 0.08},
		{"forget_s", &p.Forget, 0.2, 4},
		{"dark", &p.Dark, 0, 8},
	}
}

func (p *pathIntegralParams) seat(v *view) driver {
	v.keepGrid(p.Forget)
	return &pathIntegral{
		pathIntegralParams: *p, nav: newNavigator(v.grid, p.Margin), dice: noise.New(v.seed, "mppi"),
	}
}

const (
	mppiEvery   = 100 * time.Millisecond
	mppiStep    = 0.1 // s
	mppiSteps   = 20
	mppiSamples = 96
	mppiSpeed   = 0.4  // of cruise, standard deviation
	mppiAngle   = 0.35 // rad, likewise
	mppiCrash   = 100.0
	mppiThere   = 0.10 // m from the target that count as there
)

func (m *pathIntegral) drive(v *view) wish {
	m.nav.watch(v)
	m.nav.plan(v)
	if v.now >= m.next {
		m.next = v.now + mppiEvery
		v.grid.measure(v.grid.around(v.pose.point, 1.2))
		target := m.nav.carrot(v, m.Carrot)
		m.improve(v, target)
	}
	return wish{speed: m.plan[0].speed, steering: m.plan[0].steering}
}

// improve moves the plan on by a step and takes the weighted mean of samples
// around it. The first sample is the plan itself.
func (m *pathIntegral) improve(v *view, target point) {
	copy(m.plan[:], m.plan[1:])
	least := math.Inf(1)
	for i := range m.tries {
		m.draw(v, i)
		m.cost[i] = m.rollout(v, &m.tries[i], target)
		least = min(least, m.cost[i])
	}
	sum := 0.0
	var mean [mppiSteps]control
	for i := range m.tries {
		w := exact.Exp(-(m.cost[i] - least) / m.Lambda)
		sum += w
		for k := range mean {
			mean[k].speed += float64(w * m.tries[i][k].speed)
			mean[k].steering += float64(w * m.tries[i][k].steering)
		}
	}
	for k := range mean {
		m.plan[k] = control{mean[k].speed / sum, mean[k].steering / sum}
	}
}

// draw makes a sample: noise that holds for four steps, so that a sample is an
// arc rather than a tremble.
func (m *pathIntegral) draw(v *view, i int) {
	var by control
	for k := range mppiSteps {
		if i > 0 && k%4 == 0 {
			by = control{float64(mppiSpeed * v.cruise * m.dice.Normal()), float64(mppiAngle * m.dice.Normal())}
		}
		m.tries[i][k] = control{
			min(max(m.plan[k].speed+by.speed, -backSpeed*v.cruise), v.cruise),
			min(max(m.plan[k].steering+by.steering, -v.lock), v.lock),
		}
	}
}

// rollout drives the model and returns its cost.
func (m *pathIntegral) rollout(v *view, try *[mppiSteps]control, target point) float64 {
	car, cost := v.odometer, 0.0
	at := v.grid.gap(car.body())
	for k := range try {
		from := car.way
		car.step(try[k].speed, try[k].steering, mppiStep)
		gap := v.grid.gap(car.body())
		switch {
		case gap < 0.01 && gap < at:
			return cost + float64(mppiCrash*(1-float64(k)/(2*mppiSteps)))
		case gap < m.Room:
			lack := 1 - max(gap, 0)/m.Room
			cost += float64(m.Near * float64(lack*lack) / mppiSteps)
		}
		at = max(at, gap)
		way := car.way - from
		if way < 0 {
			cost -= float64(m.Back * way)
		}
		if !v.grid.known(car.place(bodyAhead+math.Copysign(bodyRadius, way), 0)) {
			cost += float64(m.Dark * math.Abs(way))
		}
		d := car.body().minus(target).norm()
		if d < mppiThere {
			return cost // the sooner the better
		}
		cost += float64(m.Way * d / mppiSteps)
	}
	d := car.body().minus(target).norm()
	return cost + float64(m.Way*d) + float64(m.Turn*math.Abs(car.pose.bearing(target)))
}
