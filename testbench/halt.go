package testbench

import (
	"math"
	"time"

	"fieldbrain/testbench/hat"
	"fieldbrain/testbench/plant"
)

// A haltRecord measures the consequences of a scenario's first fault: when the
// motors were last driven, when the car stood, and how far it drove again.
// A car stands when it has been slow for stopTime, so that the pause between
// two directions is no halt; nor does a car halt that has not driven yet.
type haltRecord struct {
	begun   time.Duration // instant of the first fault; never when there is none
	moved   bool          // the car has driven, before or since
	driven  time.Duration // newest instant at which a motor turned its wheel
	slow    time.Duration // since when the car is slow; 0 while it drives
	stood   bool          // it has stood since the fault began
	at      time.Duration // instant it began to stand
	stopped time.Duration // instant the motors were last driven before that
	again   float64       // m driven since, rolling to the last standstill left out
	way     float64       // m on the odometer at the newest step since
}

// watchHalt follows every step of the plant once the first fault has begun.
func (m *recorder) watchHalt(c *plant.Car, out *hat.Outputs) {
	h := &m.halt
	h.moved = h.moved || math.Abs(c.Speed) > slow
	if c.Now < h.begun || !h.moved {
		return
	}
	if h.stood {
		if math.Abs(c.Speed) > slow {
			h.again += c.Odometer - h.way
		}
		h.way = c.Odometer
		return
	}
	dead := c.Params().DeadBand
	if out.Duty[leftMotor] > dead || out.Duty[rightMotor] > dead {
		h.driven = c.Now
	}
	switch {
	case math.Abs(c.Speed) > slow:
		h.slow = 0
	case h.slow == 0:
		h.slow = c.Now
	case c.Now-h.slow >= stopTime:
		h.stood, h.at, h.stopped, h.way = true, h.slow, h.driven, c.Odometer
	}
}

// fill copies the measures of a run with a fault. The halt stays absent when
// the car never stood; the way driven again is then none. A car that never drove
// has neither: what it did not do shows nothing.
func (h *haltRecord) fill(r *Result, now time.Duration) {
	if now < h.begun || !h.moved {
		return
	}
	if h.stood {
		halt := (h.at - h.begun).Seconds()
		cut := max(0, (h.stopped - h.begun).Seconds()) // 0: nobody drove when it began
		r.Halt, r.Cut = &halt, &cut
	}
	again := h.again
	r.Resumed = &again
}
