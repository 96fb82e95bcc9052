package service

import (
	"cmp"
	"fmt"
	"time"

	"fieldbrain/brain/quality"
	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
)

// thermalEvery is how many looks of the watch lie between two at the temperature:
// one second, within which the watch must see a throttled machine.
const thermalEvery = int(time.Second / lookEvery)

// noteQuality tells the brain of temperature and power mode, and keeps visible
// that the rung is not the best one.
func (s *Service) noteQuality() {
	q := s.quality.Get()
	status := s.car.Brain.Remote().Status()
	choice := status.Quality
	if s.looks%thermalEvery == 0 {
		s.surround(&q)
	}
	s.looks++
	if q.Since.IsZero() || choice.Changes != q.Changes {
		q.Since = time.Now()
	}
	q.Wanted, q.Changes = wanted(&status), choice.Changes
	s.quality.TrySet(&q) // a reader in the way gets the next one
	s.conditions.Put(lowered(q, choice))
}

// surround reads temperature, power mode, card and process, once a second, and tells the
// brain what the governor makes of them.
func (s *Service) surround(q *daemon.Quality) {
	w := s.thermometer.Read()
	q.SetThermal(w)
	s.usage.Read()
	q.Share, q.Card = s.usage.Share, s.cardShare.Read(s.cardProcess(), time.Now())
	var g daemon.Gauges
	g.SetMachine(&s.usage)
	s.gauges.TrySet(&g) // a reader in the way gets the next ones
	if s.car.GPU != nil {
		state := s.car.GPU.Supervisor.State()
		addDriver(&g, &state)
	}
	q.Gauges = g.Line()
	around := w.Surroundings()
	around.Slowed, around.Tight = s.usage.Slowed || g.Slowed(), g.Tight()
	s.car.Brain.Remote().Surround(around)
}

// lowered is the condition of a rung below the best one wanted, and whether it
// holds. A rung that the user asked for is no degraded state, unless even its
// ticks take too long.
func lowered(q daemon.Quality, c quality.Choice) (loop.Condition, bool) {
	ladder := quality.Ladder()
	d := loop.Condition{
		Name:  "quality",
		Value: fmt.Sprintf("reduced quality: %s instead of %s", ladder[c.Rung].Name, ladder[c.Best].Name),
		Cause: c.Why.String(),
	}
	switch c.Why {
	case quality.BecauseHot:
		warmth := q.Thermal()
		warmth.Mode = "" // it is not why
		d.Cause = fmt.Sprintf("%s: %s", c.Why, warmth)
		d.Remedy = "cool the machine; it climbs back by itself, one rung every 10 s"
	case quality.BecauseSaving:
		d.Cause = fmt.Sprintf("%s: power mode %s", c.Why, q.Mode)
		d.Remedy = "choose another power mode (nvpmodel -m, /sys/firmware/acpi/platform_profile); it climbs back by itself"
	case quality.BecauseSlowed:
		d.Cause = fmt.Sprintf("%s: a core throttled itself, the card's driver holds it back, or it is busy at less than half its clock: %s", c.Why, cmp.Or(q.Gauges, "it tells nothing"))
		d.Remedy = "cool the machine, or give it power (a Jetson's supply, nvpmodel, jetson_clocks); it climbs back by itself"
	case quality.BecauseTight:
		d.Cause = fmt.Sprintf("%s: %s", c.Why, q.Gauges)
		d.Remedy = "end what else uses the card's memory (nvidia-smi, on a Jetson tegrastats), or write engine.gpu_storage = \"fp16\"; it climbs back by itself"
	case quality.BecauseAsked:
		d.Remedy = "none needed: it climbs by itself, one rung every 10 s or more"
	default:
		d.Remedy = "it climbs back by itself, one rung every 10 s or more; if it stays so, another engine, a longer loop.period, or less load on the machine"
	}
	if c.Over {
		d.Value = fmt.Sprintf("ticks take too long even at quality %s", ladder[c.Rung].Name)
		d.Remedy = "another engine, a longer loop.period or engine.budget, or less load on the machine"
		if q.Wanted != quality.Auto {
			d.Cause, d.Remedy = "engine.quality fixes that rung", "write engine.quality = \"auto\" (now: fieldbrain set engine.quality auto), or: "+d.Remedy
		}
	}
	return d, c.Over || c.Rung > c.Best
}
