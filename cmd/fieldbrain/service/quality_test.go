package service

import (
	"slices"
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

func TestLoweredQualityIsACondition(t *testing.T) {
	for _, c := range []struct {
		name   string
		q      daemon.Quality
		choice quality.Choice
		want   []string // in value, cause and remedy; nil: no condition
	}{
		{"best", daemon.Quality{Wanted: "auto"}, quality.Choice{}, nil},
		{"asked for", daemon.Quality{Wanted: "sparse"}, quality.Choice{Rung: 2, Best: 2}, nil},
		{
			"busy",
			daemon.Quality{Wanted: "auto"},
			quality.Choice{Rung: 1, Why: quality.BecauseBusy, Changes: 2},
			[]string{"reduced quality: balanced instead of full", "ticks took too long", "climbs back by itself"},
		},
		{
			"auto again",
			daemon.Quality{Wanted: "auto"},
			quality.Choice{Rung: 1, Why: quality.BecauseAsked},
			[]string{"balanced instead of full", "a lower one was set: it waits to climb", "none needed"},
		},
		{
			"hot",
			warm(daemon.Thermal{Sensor: "cpu-thermal", Temp: 99.5, Limit: 99, Mode: "10W"}),
			quality.Choice{Rung: 3, Why: quality.BecauseHot},
			[]string{"survival", "cpu-thermal 99.5 of 99.0 C", "cool the machine"},
		},
		{
			"saving",
			daemon.Quality{Wanted: "auto", Mode: "10W"},
			quality.Choice{Rung: 1, Why: quality.BecauseSaving},
			[]string{"balanced", "power mode 10W", "nvpmodel"},
		},
		{
			"held back",
			daemon.Quality{Wanted: "auto", Gauges: "clock 306 MHz, load 99 %"},
			quality.Choice{Rung: 1, Why: quality.BecauseSlowed},
			[]string{"balanced", "held itself back", "clock 306 MHz", "jetson_clocks"},
		},
		{
			"card full",
			daemon.Quality{Wanted: "auto", Gauges: "memory 7.70 of 8.00 GB"},
			quality.Choice{Rung: 1, Why: quality.BecauseTight},
			[]string{"balanced", "memory was nearly used up: memory 7.70 of 8.00 GB", "fp16"},
		},
		{
			"nothing fits",
			daemon.Quality{Wanted: "auto"},
			quality.Choice{Rung: 3, Why: quality.BecauseBusy, Over: true},
			[]string{"even at quality survival", "longer loop.period"},
		},
		{
			"fixed and too slow",
			daemon.Quality{Wanted: "full"},
			quality.Choice{Over: true},
			[]string{"even at quality full", "engine.quality fixes", `engine.quality = "auto"`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, holds := lowered(c.q, c.choice)
			if holds != (c.want != nil) {
				t.Fatalf("holds %v: %+v", holds, got)
			}
			for _, words := range c.want {
				if !strings.Contains(got.Value+"\n"+got.Cause+"\n"+got.Remedy, words) {
					t.Errorf("%+v does not say %q", got, words)
				}
			}
		})
	}
}

// TestHeatIsTold: a machine becomes hot and cools down again. The service reports
// every change of the rung once, the status says which and why, and full quality
// comes back.
func TestHeatIsTold(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	sensor := func(milli string) fstest.MapFS {
		const zone = "sys/class/thermal/thermal_zone0/"
		return fstest.MapFS{
			zone + "type": {Data: []byte("cpu-thermal\n")}, zone + "temp": {Data: []byte(milli + "\n")},
			zone + "trip_point_0_type": {Data: []byte("passive\n")}, zone + "trip_point_0_temp": {Data: []byte("99000\n")},
		}
	}
	var told []string
	r := cartest.NewRide(t, "room", 7, nil)
	s := &Service{
		settings: config.Default(), car: &car.Car{Mind: r.Mind},
		thermometer: daemon.Thermometer{Root: sensor("60000")},
		usage:       daemon.Usage{Root: fstest.MapFS{}},
	}
	s.conditions = loop.NewConditions(time.Now, func(c loop.Condition, active bool) {
		if !active {
			told = append(told, "no longer")
			return
		}
		told = append(told, strings.Fields(c.Value)[2])
	})
	var hot daemon.Status
	n := 0
	r.After = func(time.Duration, *brain.Trace) {
		switch n++; n {
		case 5 * 200:
			s.thermometer.Root = sensor("99500")
		case 10 * 200:
			hot.Quality = s.quality.Get()
			describe(r.Mind, &hot)
			s.thermometer.Root = sensor("60000")
		}
		if n%20 == 0 { // lookEvery
			s.noteQuality()
		}
	}
	r.Rig.AdvanceTo(45 * time.Second)
	if want := []string{"balanced", "sparse", "survival", "sparse", "balanced", "no longer"}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
	line := hot.Quality.Line(hot.Rung)
	for _, words := range []string{"quality survival: the machine was hot", "changes: 3", "cpu-thermal 99.5 of 99.0 C"} {
		if !strings.Contains(line, words) {
			t.Errorf("the status says %q, not %q", line, words)
		}
	}
	if q := s.quality.Get(); q.Heat != "cool" || q.Changes != 6 || q.Wanted != quality.Auto {
		t.Errorf("in the end %+v", q)
	}
}

// warm returns the quality of a machine that a thermometer has been read of.
func warm(t daemon.Thermal) daemon.Quality {
	q := daemon.Quality{Wanted: "auto"}
	q.SetThermal(t)
	return q
}
