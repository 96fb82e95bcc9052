package safety_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"fieldbrain/robot/safety"
)

func TestDefaultIsValid(t *testing.T) {
	if err := safety.Default().Validate(); err != nil {
		t.Error(err)
	}
}

func TestValidateNamesFieldValueAndLimit(t *testing.T) {
	nan := float32(math.NaN())
	tests := []struct {
		name string
		edit func(*safety.Params)
		want string
	}{
		{"period zero", func(p *safety.Params) { p.Period = 0 }, "Period is 0s, must be 1ms to 100ms"},
		{"pause of a period", func(p *safety.Params) { p.Pause = p.Period }, "Pause is 5ms, must be 10ms to 10s"},
		{"no number", func(p *safety.Params) { p.Caution = nan }, "Caution is NaN, must be 0 to 1"},
		{"slew zero", func(p *safety.Params) { p.Limits.SpeedRate = 0 }, "Limits.SpeedRate is 0, must be 0.01 to 1000"},
		{"degrees", func(p *safety.Params) { p.Limits.Steering = 30 }, "Limits.Steering is 30, must be 0 to 3.1415927"},
		{"lost before stale", func(p *safety.Params) { p.Command.Lost = ms }, "Command.Lost is 1ms, must be 150ms to 1m0s"},
		{"no invalid command allowed", func(p *safety.Params) { p.Command.Invalid = 0 }, "Command.Invalid is 0, must be 1 to 100"},
		{"release below refuse", func(p *safety.Params) { p.Range.Release = 0.05 }, "Range.Release is 0.05, must be 0.06 to 10"},
		{"no deceleration", func(p *safety.Params) { p.Range.Deceleration = 0 }, "Range.Deceleration is 0, must be 0.01 to 100"},
		{"counts, not a share", func(p *safety.Params) { p.Cliff.Reference[1] = 500 }, "Cliff.Reference[1] is 500, must be 0 to 1"},
		{"clear below edge", func(p *safety.Params) { p.Cliff.Clear = 0.9 }, "Cliff.Clear is 0.9, must be 1 to 10"},
		{"negative reads", func(p *safety.Params) { p.Freeze.FloorReads = -1 }, "Freeze.FloorReads is -1, must be 0 to 2147483647"},
		{"empty above low", func(p *safety.Params) { p.Battery.Empty = 7 }, "Battery.Empty is 7, must be 5 to 6.6"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := safety.Default()
			tt.edit(&p)
			err := p.Validate()
			if err == nil || !strings.Contains(err.Error(), "safety: "+tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if r, err := safety.New(p); err == nil || r != nil {
				t.Errorf("New gives %v, %v", r, err)
			}
		})
	}
}

func TestValidateJoinsComplaints(t *testing.T) {
	err := safety.Params{}.Validate()
	if n := strings.Count(err.Error(), "\n") + 1; n < 10 {
		t.Errorf("%d complaints about empty parameters, want all of them:\n%v", n, err)
	}
}

func TestDeadman(t *testing.T) {
	var d safety.Deadman
	if !d.Stale(0, time.Second, ms) {
		t.Error("a source never fed is alive")
	}
	d.Feed(time.Second)
	tests := []struct {
		name  string
		now   time.Duration
		stale bool
	}{
		{"at once", time.Second, false},
		{"in time", time.Second + 140*ms, false},
		{"the next look would be in time", time.Second + 145*ms, false},
		{"the next look would be too late", time.Second + 150*ms, true},
		{"long ago", time.Hour, true},
		{"a stamp of the same tick, a little ahead", time.Second - ms, false},
		{"from the future", 0, true},
		{"before all time", math.MinInt64, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := d.Stale(tt.now, 150*ms, 5*ms); got != tt.stale {
				t.Errorf("age %v: stale %v, want %v", d.Age(tt.now, 5*ms), got, tt.stale)
			}
		})
	}
	d.Feed(math.MinInt64)
	if d.Age(math.MaxInt64, 0) != math.MaxInt64 {
		t.Error("the longest age overflows")
	}
}
