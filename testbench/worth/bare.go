package worth

import (
	"math"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/ablation"
	"fieldbrain/field/exact"
	"fieldbrain/testbench/noise"
)

const deg = math.Pi / 180

// A probe is a bare field that looks at made-up readings: no car, no brain. What the
// car would do is the operating point of the heading.
type probe struct {
	engine field.Engine
	in     field.Input
	ascent field.Ascent
	op     float64 // rad, what the wheels would follow
	period time.Duration
	dice   noise.Stream

	ranges [5]float64 // m, true ones at 0, +30, -30, +60, -60 deg; 0 hears nothing
	clear  bool       // without noise
	err    error
	out    *field.Output
}

// Noise of a reading: HC-SR04 at a few decimetres, and the HAT's lost echoes.
const (
	rangeShare = 0.03
	lost       = 0.05
	detour     = 0.02 // an echo that took a way twice as long
	every      = 40 * time.Millisecond
)

// newProbe builds the field of a kind; the seed decides the noise of field and
// readings.
func newProbe(o *Options, k ablation.Kind, seed uint64, scene string) (*probe, error) {
	p := field.Default()
	p.Period, p.Key = o.Period, uint32(seed)
	k.Prepare(&p)
	e, err := o.Field(p)
	if err != nil {
		return nil, err
	}
	q := &probe{engine: k.Wrap(e, &p), ascent: field.HeadingAscent(), period: o.Period, dice: noise.New(seed, "worth "+scene)}
	q.in.Quality = field.Full()
	return q, nil
}

// bearings of the beams.
func bearings() [5]float64 { return [...]float64{0, 30 * deg, -30 * deg, 60 * deg, -60 * deg} }

// listen draws one reading of every beam.
func (p *probe) listen() {
	p.in.NumBeams = 0
	for i, psi := range bearings() {
		share, gone, longer := p.dice.Normal(), p.dice.Chance(lost), p.dice.Chance(detour)
		r := p.ranges[i]
		if !p.clear {
			r *= 1 + float64(rangeShare*share)
			if longer {
				r *= 2
			}
		}
		if r <= 0 || gone && !p.clear {
			continue
		}
		p.in.Beams[p.in.NumBeams] = field.Beam{Bearing: float32(psi), Range: float32(r), HalfWidth: float32(12 * deg)}
		p.in.NumBeams++
	}
}

// run steps for some seconds and calls look after every tick, if it is not nil.
func (p *probe) run(seconds float64, look func(t float64)) {
	ticks, pause := int(seconds/p.period.Seconds()+0.5), max(int(every/p.period), 1)
	for i := range ticks {
		if p.err != nil {
			return
		}
		if i%pause == 0 {
			p.listen()
		}
		if p.out, p.err = p.engine.Step(&p.in); p.err != nil {
			return
		}
		p.in.Tick++
		p.op = p.ascent.Step(&p.out.Marginals[field.Heading].X, p.op, p.period)
		if look != nil {
			look(float64(i+1) * p.period.Seconds())
		}
	}
}

// close returns what the probe measured.
func (p *probe) close(numbers ...float64) ([]float64, error) {
	if err := p.engine.Close(); err != nil && p.err == nil {
		p.err = err
	}
	return numbers, p.err
}

// until notes the first instant at which something holds; NaN before.
func until(at *float64, t float64, holds bool) {
	if math.IsNaN(*at) && holds {
		*at = t
	}
}

// side is a heading as far to one side that the car goes there.
const side = 10 * deg

const length = 20.0 // s of choosing

// choosing: something ahead, as much room on the left as on the right.
func choosing(o *Options, k ablation.Kind, seed uint64) ([]float64, error) {
	p, err := newProbe(o, k, seed, "choosing")
	if err != nil {
		return nil, err
	}
	p.ranges = [...]float64{0.6, 1.2, 1.2, 2, 2}
	decided, flips, way, was, last, none := length, 0.0, 0.0, 0, 0.0, 0.0
	p.run(length, func(t float64) {
		if math.Abs(p.op) > side {
			decided = min(decided, t)
		}
		if p.out.Marginals[field.Heading].Total == 0 {
			none += p.period.Seconds()
		}
		at := 0
		if p.op > side {
			at = 1
		} else if p.op < -side {
			at = -1
		}
		if at != 0 && was != 0 && at != was {
			flips++
		}
		if at != 0 {
			was = at
		}
		if t > 2 {
			way += math.Abs(p.op - last)
		}
		last = p.op
	})
	return p.close(decided, flips*60/length, way/deg/(length-2), none/length)
}

// preferring: the same with more room on the right.
func preferring(o *Options, k ablation.Kind, seed uint64) ([]float64, error) {
	p, err := newProbe(o, k, seed, "preferring")
	if err != nil {
		return nil, err
	}
	p.ranges = [...]float64{0.6, 0.8, 1.2, 1.2, 2}
	right, ticks := 0.0, 0.0
	p.run(10, func(t float64) {
		if t > 2 {
			ticks++
			if p.op < -side {
				right++
			}
		}
	})
	return p.close(right / ticks)
}

// yielding: the side that was chosen closes, and the other one is open.
func yielding(o *Options, k ablation.Kind, seed uint64) ([]float64, error) {
	p, err := newProbe(o, k, seed, "yielding")
	if err != nil {
		return nil, err
	}
	p.ranges = [...]float64{0.45, 1.2, 0.5, 1.5, 0.5}
	p.run(3, nil)
	p.ranges = [...]float64{0.45, 0.45, 1.2, 0.4, 1.5}
	turned := math.NaN()
	p.run(15, func(t float64) { until(&turned, t, p.op < -side) })
	if math.IsNaN(turned) {
		turned = 15
	}
	return p.close(turned)
}

// startling: on a free way something appears ahead and to the right.
func startling(o *Options, k ablation.Kind, seed uint64) ([]float64, error) {
	p, err := newProbe(o, k, seed, "startling")
	if err != nil {
		return nil, err
	}
	p.ranges = [...]float64{2.5, 2.5, 2.5, 2.5, 2.5}
	p.run(2, nil)
	p.ranges = [...]float64{0.6, 2.5, 0.6, 2.5, 2.5}
	turned := math.NaN()
	p.run(5, func(t float64) { until(&turned, t, p.op > side) })
	if math.IsNaN(turned) {
		turned = 5
	}
	return p.close(turned)
}

// deceiving: on a free way one single echo ahead that is not there, and none again.
func deceiving(o *Options, k ablation.Kind, seed uint64) ([]float64, error) {
	p, err := newProbe(o, k, seed, "deceiving")
	if err != nil {
		return nil, err
	}
	p.ranges = [...]float64{2.5, 2.5, 2.5, 2.5, 2.5}
	p.run(2, nil)
	at := p.dice.Between(0.25, 0.6)
	p.ranges[0], p.ranges[1] = at, at
	swerve := 0.0
	look := func(float64) { swerve = max(swerve, math.Abs(p.op)/deg) }
	p.run(every.Seconds(), look)
	p.ranges = [...]float64{2.5, 2.5, 2.5, 2.5, 2.5}
	p.run(3, look)
	return p.close(swerve)
}

// blinding: what stands ahead to the left was seen, then all beams fall silent while
// the car drives on.
func blinding(o *Options, k ablation.Kind, seed uint64) ([]float64, error) {
	p, err := newProbe(o, k, seed, "blinding")
	if err != nil {
		return nil, err
	}
	p.ranges = [...]float64{0.8, 0.7, 2, 1.5, 2}
	p.run(2, nil)
	p.ranges = [5]float64{}
	p.in.Forward = float32(0.2 * p.period.Seconds())
	held, ticks := 0.0, 0.0
	p.run(1.5, func(float64) {
		ticks++
		if p.op < -side/2 {
			held++
		}
	})
	return p.close(held / ticks)
}

// hiding: a goal is seen for a second, with a noise of 3 deg, then out of sight while
// the car drives arcs, with an odometry that is wrong by 5 %.
func hiding(o *Options, k ablation.Kind, seed uint64) ([]float64, error) {
	p, err := newProbe(o, k, seed, "hiding")
	if err != nil {
		return nil, err
	}
	x, y := 0.0, 0.0
	psi, r := p.dice.Between(-50*deg, 50*deg), p.dice.Between(0.8, 1.8)
	x, y = float64(r*exact.Cos(psi)), float64(r*exact.Sin(psi))
	for range 25 {
		seen := psi + float64(3*deg*p.dice.Normal())
		p.in.NumTerms = 0
		p.in.Add(field.Term{
			Channel: field.TargetSeen, A: 6, Sigma: [3]float32{2, 2, 2},
			Centre: [3]float32{float32(field.BearingBin(seen)), float32(field.RangeBin(r)), field.Side / 2},
		})
		p.run(every.Seconds(), nil)
	}
	p.in.NumTerms = 0
	var wrong [3]float64
	for i, span := range [...]float64{2, 8, 20} { // so that they end 2, 10 and 30 s after it was seen
		for begun := 0.0; begun < span; begun += 0.5 {
			speed, yaw := p.dice.Between(0, 0.05), p.dice.Between(-0.5, 0.5)
			p.in.Forward, p.in.Turn = float32(1.05*speed*p.period.Seconds()), float32(0.95*yaw*p.period.Seconds())
			p.run(0.5, nil)
			turn, way := yaw*0.5, speed*0.5
			x -= way
			x, y = float64(x*exact.Cos(turn))+float64(y*exact.Sin(turn)), float64(y*exact.Cos(turn))-float64(x*exact.Sin(turn))
		}
		wrong[i] = 180 // it is forgotten: any direction is as good
		if p.out != nil {
			if at, mass := field.Centroid(&p.out.Marginals[field.GoalMem].X); mass > 1 {
				wrong[i] = math.Abs(exact.Wrap(field.Bearing(at)-exact.Atan2(y, x))) / deg
			}
		}
	}
	return p.close(wrong[:]...)
}

// bare are the questions without a car.
func bare() []question {
	const seeds = 20
	all, both := deciders(), append(deciders(), ablation.Forget)
	return []question{
		{"choosing", "bare field; something 0.6 m ahead, both sides alike, noisy beams for 20 s", seeds, all, []measure{
			{"decided_s", false, "until it goes to a side, 20 s where it does not"},
			{"flips_per_min", false, "how often it changes the side"},
			{"wobble_dps", false, "movement of the heading, from 2 s on"},
			{"undecided_share", false, "time without any decision"},
		}, choosing},
		{"preferring", "bare field; the same with more room on the right", seeds, all, []measure{
			{"right_share", true, "time for which it goes to the right, from 2 s on"},
		}, preferring},
		{"yielding", "bare field; the chosen side closes, the other opens", seeds, all, []measure{
			{"turned_s", false, "until it goes to the other side, 15 s where it does not"},
		}, yielding},
		{"startling", "bare field; something appears 0.6 m ahead on a free way", seeds, all, []measure{
			{"turned_s", false, "until it turns away, 5 s where it does not"},
		}, startling},
		{"deceiving", "bare field; one echo of 40 ms that is not there", seeds, all, []measure{
			{"swerve_deg", false, "how far the heading swerves"},
		}, deceiving},
		{"blinding", "bare field; what stood ahead is not heard any more, the car drives on", seeds, both, []measure{
			{"avoids_share", true, "time for which it still keeps away, of 1.5 s"},
		}, blinding},
		{"hiding", "bare field; a goal out of sight while the car drives arcs", seeds, keepers(), []measure{
			{"wrong_2s_deg", false, "error of the remembered bearing after 2 s, 180 where it is forgotten"},
			{"wrong_10s_deg", false, "after 10 s"},
			{"wrong_30s_deg", false, "after 30 s"},
		}, hiding},
	}
}
