package picarx_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

func TestErrorTexts(t *testing.T) {
	registers := map[byte]string{
		0x20: "pan servo", 0x21: "tilt servo", 0x22: "steering servo", 0x2c: "right motor",
		0x13: "battery", 0x17: "ADC channel A0", 0x43: "prescaler of timer 3", 0x47: "period of timer 3",
	}
	for register, want := range registers {
		e := &picarx.BusError{Op: "write", Register: register, Err: errNack}
		if !strings.Contains(e.Error(), want) {
			t.Errorf("%q does not name the %s", e, want)
		}
	}
	for c := range picarx.NumCauses {
		e := &picarx.BusError{Op: "probe", Cause: c, Err: errNack}
		if i := strings.Index(e.Error(), c.String()); i < 0 || len(e.Error()) < i+60 {
			t.Errorf("%q does not name %v and a remedy", e, c)
		}
	}
	p := picarx.Default()
	p.Board = picarx.BoardV5
	if err := p.Validate(); err == nil || !strings.Contains(err.Error(), `"v5" is not driven`) {
		t.Errorf("a V5: %v", err)
	}
}

func TestLineErrorsAreCounted(t *testing.T) {
	r := newRig(t, nil)
	r.trig.err = errors.New("device or resource busy")
	r.ready()
	if s := r.car.Stats(); s.LineErrors == 0 || !strings.Contains(s.LastError.Error(), "GPIO") {
		t.Errorf("%d line errors, %v", s.LineErrors, s.LastError)
	}
	if r.sense().Range[robot.Front].OK {
		t.Error("a range from a sonar whose trigger does not move")
	}
}

func TestResponsesOverflow(t *testing.T) {
	r := newRig(t, nil)
	r.ready()
	swing := float32(0)
	r.brain = func(now time.Duration) (robot.Command, bool) {
		if swing += 0.03; swing > 0.8 {
			swing = 0
		}
		return robot.Command{At: now, SensedAt: now, Speed: 0.3, Steering: swing - 0.4, Enable: true}, true
	}
	r.run(6 * time.Second) // nobody drains
	buf := make([]picarx.Response, 4096)
	if n, dropped := r.car.Responses(buf), r.car.Stats().Dropped; n != 1024 || dropped == 0 {
		t.Errorf("%d samples kept, %d dropped, want 1024 and the rest counted", n, dropped)
	}
}
