package service

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/quality"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
	"fieldbrain/testbench/tier"
)

// TestHeldBackCardIsTold: a card that is busy at a third of its clock takes the governor one
// rung down, the condition says why with the card's numbers, and the rung comes back once
// the card runs as it may.
func TestHeldBackCardIsTold(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	card := func(clock string) fstest.MapFS {
		return fstest.MapFS{
			"sys/class/devfreq/17000000.gpu/cur_freq": {Data: []byte(clock + "\n")},
			"sys/class/devfreq/17000000.gpu/max_freq": {Data: []byte("1020000000\n")},
			"sys/devices/platform/gpu.0/load":         {Data: []byte("990\n")},
		}
	}
	r := cartest.NewRide(t, "room", 7, nil)
	s := &Service{
		settings: config.Default(), car: &car.Car{Mind: r.Mind},
		thermometer: daemon.Thermometer{Root: fstest.MapFS{}},
		usage:       daemon.Usage{Root: card("1020000000")},
		conditions:  loop.NewConditions(time.Now, nil),
	}
	var held []loop.Condition
	var choice quality.Choice
	n := 0
	r.After = func(time.Duration, *brain.Trace) {
		switch n++; n {
		case 3 * 200:
			if list := s.conditions.List(); len(list) != 0 {
				t.Errorf("a card at its clock: %+v", list)
			}
			s.usage.Root = card("306000000")
		case 8 * 200:
			held, choice = s.conditions.List(), r.Mind.Brain.Remote().Status().Quality
			s.usage.Root = card("1020000000")
		}
		if n%20 == 0 { // lookEvery
			s.noteQuality()
		}
	}
	r.Rig.AdvanceTo(22 * time.Second)
	if choice.Rung != 1 || choice.Why != quality.BecauseSlowed {
		t.Errorf("held back: %+v", choice)
	}
	if len(held) != 1 || !strings.Contains(held[0].Value, "balanced instead of full") || !strings.Contains(held[0].Cause, "clock 306 MHz, load 99 %") {
		t.Errorf("held back: %+v", held)
	}
	if c := r.Mind.Brain.Remote().Status().Quality; c.Rung != 0 || len(s.conditions.List()) != 0 {
		t.Errorf("in the end %+v, %+v", c, s.conditions.List())
	}
}
