package car

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldbrain/daemon/config"
	"fieldbrain/field/cpu"
	"fieldbrain/gpu"
	"fieldbrain/robot/picarx"
	"fieldbrain/testbench/family"
)

// Preflight makes the checks that need more than the configuration's own text:
// whether a card's program that the configuration names is there, and whether the
// car can drive with the named scenario, board, sonars and calibration. run makes
// them before it opens anything, doctor for the chosen body, config check for both
// bodies, since a flag of run may name another body than the file's. file is where
// the settings came from, for the complaints.
func Preflight(file string, c config.Config, bodies ...string) error {
	var cs config.Complaints
	if e := c.Engine; e.Kind == "cuda" || e.GPU() && e.GPUPath != "" {
		if _, err := gpu.Find(e.GPUPath); err != nil {
			cs = append(cs, config.Complaint{Key: "engine.gpu_path", Reason: err.Error(), Remedy: "without a graphics card choose engine.kind = \"auto\" and no path"})
		}
	}
	if slices.Contains(bodies, "sim") {
		cs = append(cs, scenario(c.Body.Scenario)...)
	}
	if slices.Contains(bodies, "picarx") {
		_, found := DriverParams(c.Body)
		cs = append(cs, found...)
	}
	if len(cs) == 0 {
		return nil
	}
	for i := range cs {
		if cs[i].File == "" {
			cs[i].File = file
		}
	}
	return cs
}

// CheckEngine complains about an engine whose instructions this machine's processor
// or this build lacks. A file may be meant for another machine.
func CheckEngine(e config.Engine) config.Complaints {
	if e.Kind == "cuda" { // its program fails with its own words
		return nil
	}
	if _, err := cpu.Known(e.Kind); err != nil {
		return config.Complaints{{
			Key: "engine.kind", Reason: fmt.Sprintf("%s: this machine and build have %s", e.Kind, strings.Join(cpu.ISAs(), ", ")),
			Remedy: "choose one of them, or auto for the best",
		}}
	}
	return nil
}

// scenario returns the mistakes in a name, or in the file that it means.
func scenario(name string) config.Complaints {
	_, err := family.Open(name)
	var inside config.Complaints
	switch {
	case err == nil:
		return nil
	case errors.As(err, &inside):
		return inside
	}
	return config.Complaints{{Key: "body.scenario", Reason: err.Error(), Remedy: "fieldbrain sim --list names them all"}}
}

// DriverParams returns the real car's parameters, calibration included, or every
// complaint about them.
func DriverParams(b config.Body) (picarx.Params, config.Complaints) {
	var cs config.Complaints
	p := picarx.Default()
	p.Board, p.Addr = picarx.Board(b.Board), uint16(b.HatAddress)
	p.ADCGap = time.Duration(b.ADCGap)
	p.Sonar.Period, p.Sonar.Median = time.Duration(b.SonarPeriod), b.SonarMedian
	p.Sonar.Trust = float32(b.SonarBeyond)
	if err := p.Validate(); err != nil {
		cs = append(cs, config.Complaint{Key: "body.board", Reason: err.Error(), Remedy: "drive a Robot HAT V4"})
	}
	if !slices.Equal(b.Sonars, []string{"front"}) {
		cs = append(cs, config.Complaint{
			Key: "body.sonars", Reason: fmt.Sprintf("%v: only the front sonar has known pins", b.Sonars),
			Remedy: `write sonars = ["front"]`,
		})
	}
	if b.Calibration != "" {
		cal, err := picarx.LoadCalibration(b.Calibration)
		if err != nil {
			cs = append(cs, config.Complaint{
				Key: "body.calibration", Reason: err.Error(),
				Remedy: "fieldbrain calibrate import (or nominal) makes one; empty takes the built-in one",
			})
			return p, cs
		}
		p.Cal = cal
		if err := p.Validate(); err != nil && len(cs) == 0 {
			cs = append(cs, config.Complaint{Key: "body.calibration", Reason: err.Error(), Remedy: "import it again"})
		}
	}
	return p, cs
}
