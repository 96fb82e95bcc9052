package main

import (
	"fmt"
	"slices"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/gpu"
	"fieldbrain/robot/picarx"
	"fieldbrain/testbench/scenarios"
)

// preflight makes the checks that need more than the configuration's own text:
// whether the card's program, when it is named, is there, and whether the named
// scenario, board, sonars and calibration can be driven. run makes them before
// it opens anything, doctor for the chosen body, config check for both bodies,
// since run may be told another body than the file's. file is where the
// settings came from, for the complaints.
func preflight(file string, c daemon.Config, bodies ...string) error {
	var cs daemon.Complaints
	if e := c.Engine; e.Kind == "cuda" || e.GPU() && e.GPUPath != "" {
		if _, err := gpu.Find(e.GPUPath); err != nil {
			cs = append(cs, daemon.Complaint{Key: "engine.gpu_path", Reason: err.Error(), Remedy: "without a graphics card choose engine.kind = \"auto\" and no path"})
		}
	}
	if slices.Contains(bodies, "sim") {
		if _, err := scenarios.Load(c.Body.Scenario); err != nil {
			cs = append(cs, daemon.Complaint{Key: "body.scenario", Reason: err.Error(), Remedy: "fieldbrain sim --list names them all"})
		}
	}
	if slices.Contains(bodies, "picarx") {
		_, found := driverParams(c.Body)
		cs = append(cs, found...)
	}
	if len(cs) == 0 {
		return nil
	}
	for i := range cs {
		cs[i].File = file
	}
	return cs
}

// driverParams returns the real car's parameters, calibration included, or all
// that stands against them.
func driverParams(b daemon.BodyConfig) (picarx.Params, daemon.Complaints) {
	var cs daemon.Complaints
	p := picarx.Default()
	p.Board, p.Addr = picarx.Board(b.Board), uint16(b.HatAddress)
	p.Sonar.Period, p.Sonar.Median = time.Duration(b.SonarPeriod), b.SonarMedian
	if err := p.Validate(); err != nil {
		cs = append(cs, daemon.Complaint{Key: "body.board", Reason: err.Error(), Remedy: "drive a Robot HAT V4"})
	}
	if !slices.Equal(b.Sonars, []string{"front"}) {
		cs = append(cs, daemon.Complaint{
			Key: "body.sonars", Reason: fmt.Sprintf("%v: only the front sonar has known pins", b.Sonars),
			Remedy: `write sonars = ["front"]`,
		})
	}
	if b.Calibration != "" {
		cal, err := picarx.LoadCalibration(b.Calibration)
		if err != nil {
			cs = append(cs, daemon.Complaint{
				Key: "body.calibration", Reason: err.Error(),
				Remedy: "fieldbrain calibrate import makes one; empty takes the built-in one",
			})
			return p, cs
		}
		p.Cal = cal
		if err := p.Validate(); err != nil && len(cs) == 0 {
			cs = append(cs, daemon.Complaint{Key: "body.calibration", Reason: err.Error(), Remedy: "import it again"})
		}
	}
	return p, cs
}
