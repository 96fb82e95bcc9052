package picarx_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fieldbrain/robot/picarx"
)

const nominal = 7.4 // V

// A load is a pack and two motors, as testbench/plant has them.
type load struct {
	open       float64 // V
	resistance float64 // ohm
	amps       float64 // A of a motor at full duty
	share      float64 // of the duty above the dead band that the speed asks for at the nominal voltage
}

// volts is what the pack gives with a factor of the driver's.
func (l *load) volts(factor float64) float64 {
	const idle, deadBand = 0.3, 0.45
	duty := min(deadBand+(1-deadBand)*l.share*factor, 1)
	return l.open - l.resistance*(idle+2*l.amps*duty)
}

// known is the supply of a car that stood with a pack at the nominal voltage.
func known() (s picarx.Supply) {
	for range 3 {
		s.Read(nominal+0.25, nominal, 0, false)
	}
	return s
}

// TestSupplyFactor: the factor makes up for the voltage under load but for three
// quarters of a step, is exactly 1 around the nominal one, and has its limits.
func TestSupplyFactor(t *testing.T) {
	for _, tt := range []struct{ volts, want float64 }{
		{6.0, 1 + 7.0/32},
		{6.4, 1 + 5.0/32},
		{6.6, 1 + 4.0/32},
		{7.0, 1 + 2.0/32},
		{7.25, 1},
		{7.4, 1},
		{7.55, 1},
		{7.8, 1 - 1.0/32},
		{8.15, 1 - 3.0/32},
		{8.4, 1 - 4.0/32},
		{8.7, 1 - 5.0/32},
	} {
		s := known()
		got := 0.0
		for now := time.Duration(0); now < 30*time.Second; now += time.Second {
			s.Read(tt.volts, nominal, now, true)
			got = s.Factor(now, time.Second, false)
		}
		if got != tt.want || math.Abs(got*tt.volts/nominal-1) > 0.027 {
			t.Errorf("%v V: factor %v, want %v", tt.volts, got, tt.want)
		}
	}
	low, high := known(), known()
	for now := time.Duration(0); now < 30*time.Second; now += time.Second {
		low.Read(6.1, 9, now, true)
		high.Read(8.7, 5, now, true)
		if l, h := low.Factor(now, time.Second, true), high.Factor(now, time.Second, true); l > 1.3125 || h < 0.8125 {
			t.Fatalf("factors %v and %v exceed their limits", l, h)
		}
	}
	if l, h := low.Factor(30*time.Second, time.Second, true), high.Factor(30*time.Second, time.Second, true); l != 1.3125 || h != 0.8125 {
		t.Errorf("factors %v and %v, want the limits", l, h)
	}
}

// TestSupplyAtRest: a pack at rest gives more than it will give when the car drives,
// and the factor is right from the first metre; while no motor turns it need not slew.
func TestSupplyAtRest(t *testing.T) {
	var s picarx.Supply
	for now := time.Duration(0); now < 60*ms; now += 20 * ms {
		s.Read(6.65, nominal, now, false)
	}
	if got, want := s.Factor(60*ms, time.Second, true), 1+5.0/32; got != want {
		t.Errorf("factor %v at rest, want %v", got, want)
	}
}

// TestSupplyNeutral: where the voltage is not known the duty is left alone.
func TestSupplyNeutral(t *testing.T) {
	full := func(s *picarx.Supply) {
		for now := time.Duration(0); now < 10*time.Second; now += time.Second {
			s.Read(8.4, nominal, now, true)
			s.Factor(now, time.Second, true)
		}
	}
	read := func(driven bool, volts ...float64) func(*picarx.Supply) {
		return func(s *picarx.Supply) {
			for i, v := range volts {
				s.Read(v, nominal, time.Duration(i)*time.Second, driven)
			}
		}
	}
	for _, tt := range []struct {
		name, why string
		from      picarx.Supply
		before    func(*picarx.Supply)
		at        time.Duration
		want      float64
	}{
		{"nothing", "no reading yet", picarx.Supply{}, read(true), time.Second, 1},
		{"two", "the median takes three", picarx.Supply{}, read(false, 8.4, 8.4), 2 * time.Second, 1},
		{"fresh", "four periods without a reading are a pause", known(), full, 13 * time.Second, 1 - 3.0/32},
		{"stale", "after five nothing is known", known(), full, 15 * time.Second, 1},
		{"glitch", "one reading of three tells nothing", known(), read(true, 7.4, 7.4, 7.4, 6.1, 7.4, 7.4), 6 * time.Second, 1},
		{"driven", "whether there is a pack shows at rest", picarx.Supply{}, read(true, 6.2, 6.2, 6.2, 6.2), 4 * time.Second, 1},
		{"cable", "a computer's USB plug is no pack", picarx.Supply{}, read(false, 5.1, 5.2, 5.1, 5.0, 5.2, 5.1), 6 * time.Second, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := tt.from
			tt.before(&s)
			if got := s.Factor(tt.at, time.Second, true); got != tt.want {
				t.Errorf("factor %v, want %v: %s", got, tt.want, tt.why)
			}
		})
	}
}

// TestSupplySlews: whatever the battery says, while a motor turns the factor moves by
// a 32nd in a second, within its limits.
func TestSupplySlews(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := known()
		now, before := time.Duration(0), 1.0
		for range 200 {
			dt := time.Duration(rapid.IntRange(1, 1500).Draw(t, "dt")) * ms
			now += dt
			if rapid.Bool().Draw(t, "read") {
				s.Read(rapid.Float64Range(5, 8.7).Draw(t, "volts"), nominal, now, rapid.Bool().Draw(t, "driven"))
			}
			f := s.Factor(now, time.Second, false)
			if math.Abs(f-before) > dt.Seconds()/32+1e-12 || f < 0.8125 || f > 1.3125 {
				t.Fatalf("from %v to %v in %v", before, f, dt)
			}
			before = f
		}
	})
}

// TestSupplyConverges: more duty makes the pack sag, and the sag asks for more duty.
// With the bench's pack the circle gives back less than a 50th, and with any pack
// that a scenario may have it comes to rest without turning back.
func TestSupplyConverges(t *testing.T) {
	usual := load{open: 6.7, resistance: 0.15, amps: 1.2, share: 0.3 / 0.65}
	ask := func(f float64) float64 { return nominal / usual.volts(f) }
	if loop := (ask(1.2) - ask(1.1)) / 0.1; loop < 0 || loop > 0.02 {
		t.Errorf("the circle gives back %v, want at most 0.02", loop)
	}
	rapid.Check(t, func(t *rapid.T) {
		l := load{
			open:       rapid.Float64Range(6.3, 8.4).Draw(t, "open"),
			resistance: rapid.Float64Range(0, 2).Draw(t, "resistance"),
			amps:       rapid.Float64Range(0, 3).Draw(t, "amps"),
			share:      rapid.Float64Range(0.03, 0.54).Draw(t, "share"),
		}
		s := known()
		last, way, turns := 1.0, 0.0, 0
		const settle, end = 5 * time.Minute, 6 * time.Minute
		for now := time.Duration(0); now < end; now += 100 * ms {
			if now%time.Second == 0 {
				s.Read(max(l.volts(last), 0), nominal, now, true)
			}
			f := s.Factor(now, time.Second, false)
			if step := f - last; step != 0 {
				if step*way < 0 {
					turns++
				}
				way = step
				if now > settle {
					t.Fatalf("still moving at %v: %v to %v", now, last, f)
				}
			}
			last = f
		}
		if turns > 0 {
			t.Errorf("turned back %d times", turns)
		}
	})
}

// TestDutyFollowsTheVoltage: the driver, from the converter's counts to the duty.
func TestDutyFollowsTheVoltage(t *testing.T) {
	tests := []struct {
		name string
		raw  uint16 // of A4
		duty uint16 // 0.45 + 0.55 s 0.2/0.65
	}{
		{"full", 3394, 2470},    // 8.2 V: s = 0.906
		{"nominal", 3061, 2535}, // 7.4 V
		{"low", 2606, 2665},     // 6.3 V: s = 1.188
		{"none", 0, 2535},       // no reading at all
		{"cable", 2110, 2535},   // 5.1 V
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, nil)
			r.hat.adc[4] = tt.raw
			r.ready()
			r.obey(forward)
			r.run(20 * time.Second)
			if left, right := r.duties(); left != tt.duty || right != tt.duty {
				t.Errorf("duties %d %d, want %d", left, right, tt.duty)
			}
		})
	}
}

// TestNominalDuty: readings that come and tell nothing, as the command says, scale no duty.
func TestNominalDuty(t *testing.T) {
	r := newRig(t, nil)
	r.hat.adc[4] = 3394 // 8.2 V
	r.ready()
	for _, nominal := range []bool{false, true, false} {
		cmd, want := forward, uint16(2470)
		if cmd.IgnoreBattery = nominal; nominal {
			want = 2535
		}
		r.obey(cmd)
		r.run(20 * time.Second)
		if left, right := r.duties(); left != want || right != want {
			t.Errorf("nominal %v: duties %d %d, want %d", nominal, left, right, want)
		}
	}
}

// TestAnotherPack: a HAT that was off may come back with another pack. What the old one
// asked for is forgotten: a full pack is not driven as an empty one.
func TestAnotherPack(t *testing.T) {
	r := newRig(t, nil)
	r.hat.adc[4] = 2606 // 6.3 V
	r.ready()
	r.obey(forward)
	r.run(20 * time.Second)
	if left, _ := r.duties(); left != 2665 {
		t.Fatalf("low pack: duty %d, want 2665", left)
	}
	r.hat.off = true
	r.run(3 * time.Second)
	r.hat.off, r.hat.adc[4] = false, 3476 // 8.4 V
	r.run(1500 * ms)
	r.ready()
	r.obey(forward)
	for range 30 {
		r.run(100 * ms)
		if left, _ := r.duties(); left > 2535 {
			t.Fatalf("full pack: duty %d, want at most the nominal 2535", left)
		}
	}
	if left, _ := r.duties(); left == 0 {
		t.Error("it does not drive again")
	}
}

// TestNominalVoltageIsOptional: a file of before has none, and the one that is
// written has.
func TestNominalVoltageIsOptional(t *testing.T) {
	c, err := picarx.DecodeCalibration("old.toml", []byte("[motors]\nswapped = true\n"))
	if err != nil || c.Motors.Nominal != nominal {
		t.Errorf("an older file: %v V, %v", c.Motors.Nominal, err)
	}
	c.Motors.Nominal = 7.9
	text, err := c.Encode()
	if err != nil || !strings.Contains(string(text), "\nnominal_v = 7.9\n") {
		t.Errorf("written without the voltage (%v):\n%s", err, text)
	}
	if _, err := picarx.DecodeCalibration("f.toml", []byte("[motors]\nnominal_v = 74\n")); err == nil || !strings.Contains(err.Error(), "f.toml:2: motors.nominal_v: 74 is outside 5..9: volts") {
		t.Errorf("74 V: %v", err)
	}
}
