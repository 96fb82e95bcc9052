package plant

import (
	"errors"
	"fmt"
	"math"

	"fieldbrain/robot"
)

// Params are the car's and its sensors' properties, SI units. The tags are the
// keys of a scenario file's [car] table, their comments the unit, the meaning
// and the limits that Validate holds. Where the driver (package picarx) knows the
// same number, its limits hold, or no drive would begin.
type Params struct {
	Wheelbase  float64 `toml:"wheelbase" comment:"m; 0.05 .. 0.3"`
	Track      float64 `toml:"track" comment:"m, between the wheels of an axle; 0.03 .. 0.3, less than two wheelbases"`
	BodyRadius float64 `toml:"body_radius" comment:"m, of the disc that touches things; 0.02 .. 0.3"`
	BodyAhead  float64 `toml:"body_ahead" comment:"m from the rear axle to the disc's centre; -0.2 .. 0.2"`

	Lag       float64 `toml:"lag" comment:"s, first order, duty to speed; 0.002 .. 2"`
	TopSpeed  float64 `toml:"top_speed" comment:"m/s at full duty and nominal voltage; 0.35 .. 2"`
	DeadBand  float64 `toml:"dead_band" comment:"duty below which the wheels stand; 0 .. 0.9"`
	LeftGain  float64 `toml:"left_gain" comment:"of the left motor, 1 is nominal; 0.2 .. 2"`
	RightGain float64 `toml:"right_gain" comment:"likewise, of the right motor; 0.2 .. 2"`
	Slip      float64 `toml:"slip" comment:"fraction of the wheels' speed lost; 0 .. 0.9"`
	Skid      float64 `toml:"skid" comment:"fraction of the turn rate lost, negative when it turns more than its geometry says; -0.5 .. 0.9"`

	ServoRate float64 `toml:"servo_rate" comment:"rad/s; 0.1 .. 100"`
	Trim      float64 `toml:"trim" comment:"rad added to the steering servo's angle by its mounting; -0.5 .. 0.5"`
	Linkage   float64 `toml:"linkage" comment:"wheel angle per servo angle; 0.5 .. 1.5"`

	OpenVolts  float64 `toml:"open_volts" comment:"V of the resting pack; 5.5 .. 9, with idle_amps 8.67 at most"`
	Nominal    float64 `toml:"nominal" comment:"V at which top_speed holds; 5 .. 9"`
	Resistance float64 `toml:"resistance" comment:"ohm of pack and wiring; 0 .. 2"`
	IdleAmps   float64 `toml:"idle_amps" comment:"A of the electronics; 0 .. 3"`
	MotorAmps  float64 `toml:"motor_amps" comment:"A of one motor at full duty; 0 .. 3"`

	SonarAhead float64 `toml:"sonar_ahead" comment:"m from the rear axle to the sensors' faces; 0.05 .. 0.3, within the body's disc"`
	Cone       float64 `toml:"cone" comment:"rad, half angle; 0 .. 0.8"`
	RangeNoise float64 `toml:"range_noise" comment:"relative standard deviation; 0 .. 0.5"`
	DropOut    float64 `toml:"drop_out" comment:"probability of no echo; 0 .. 1"`
	MaxRange   float64 `toml:"max_range" comment:"m; 0.1 .. 10"`
	Specular   float64 `toml:"specular" comment:"rad, incidence beyond which a smooth wall sends nothing back; 0 is a rough wall; 0 .. 1.57"`
	Multipath  float64 `toml:"multipath" comment:"probability that the echo took a detour; 0 .. 1"`

	FloorAhead  float64 `toml:"floor_ahead" comment:"m from the rear axle to the sensor bar; -0.2 .. 0.3"`
	FloorPitch  float64 `toml:"floor_pitch" comment:"m between two sensors; 0 .. 0.1"`
	FloorNoise  float64 `toml:"floor_noise" comment:"counts, standard deviation; 0 .. 500"`
	FloorSpread float64 `toml:"floor_spread" comment:"relative standard deviation from sensor to sensor; 0 .. 0.5"`

	BeaconNoise float64 `toml:"beacon_noise" comment:"rad, standard deviation of the bearing; 0 .. 1"`
	BeaconField float64 `toml:"beacon_field" comment:"rad, half width of the receiver's view; 0 .. 3.14"`
}

// C.1's odometry reads 5 % too much speed and 5 % too little turn: the car does
// 1/1.05 of the speed the driver was calibrated to, and turns 1/0.95 of what
// that speed and the steering give.
const (
	odometrySlip = 1 - 1/1.05
	odometrySkid = 1 - 1.05/0.95
)

// Default returns the reference car of docs/specification.md C.1, its motors matched
// to the driver's nominal calibration.
func Default() Params {
	const deg = math.Pi / 180
	return Params{
		Wheelbase: 0.095, Track: 0.11665, BodyRadius: 0.09, BodyAhead: 0.05,
		Lag: 0.12, TopSpeed: 0.65, DeadBand: 0.45, LeftGain: 1, RightGain: 1,
		Slip: odometrySlip, Skid: odometrySkid,
		ServoRate: 300 * deg, Linkage: 1,
		OpenVolts: 7.7, Nominal: 7.4, Resistance: 0.15, IdleAmps: 0.3, MotorAmps: 1.2,
		SonarAhead: 0.11, Cone: 12 * deg, RangeNoise: 0.01, DropOut: 0.02, MaxRange: 4,
		FloorAhead: 0.12, FloorPitch: 0.02, FloorNoise: 30, FloorSpread: 0.06,
		BeaconNoise: 2 * deg, BeaconField: math.Pi,
	}
}

// Limits calls see for every field with its key, its value and its limits.
func (p *Params) Limits(see func(key string, value, low, high float64)) {
	for _, l := range []struct {
		key              string
		value, low, high float64
	}{
		{"wheelbase", p.Wheelbase, 0.05, 0.3},
		{"track", p.Track, 0.03, 0.3},
		{"body_radius", p.BodyRadius, 0.02, 0.3},
		{"body_ahead", p.BodyAhead, -0.2, 0.2},
		{"lag", p.Lag, 0.002, 2},
		{"top_speed", p.TopSpeed, 0.35, 2},
		{"dead_band", p.DeadBand, 0, 0.9},
		{"left_gain", p.LeftGain, 0.2, 2},
		{"right_gain", p.RightGain, 0.2, 2},
		{"slip", p.Slip, 0, 0.9},
		{"skid", p.Skid, -0.5, 0.9},
		{"servo_rate", p.ServoRate, 0.1, 100},
		{"trim", p.Trim, -0.5, 0.5},
		{"linkage", p.Linkage, 0.5, 1.5},
		{"open_volts", p.OpenVolts, 5.5, 9},
		{"nominal", p.Nominal, 5, 9},
		{"resistance", p.Resistance, 0, 2},
		{"idle_amps", p.IdleAmps, 0, 3},
		{"motor_amps", p.MotorAmps, 0, 3},
		{"sonar_ahead", p.SonarAhead, 0.05, 0.3},
		{"cone", p.Cone, 0, 0.8},
		{"range_noise", p.RangeNoise, 0, 0.5},
		{"drop_out", p.DropOut, 0, 1},
		{"max_range", p.MaxRange, 0.1, 10},
		{"specular", p.Specular, 0, math.Pi / 2},
		{"multipath", p.Multipath, 0, 1},
		{"floor_ahead", p.FloorAhead, -0.2, 0.3},
		{"floor_pitch", p.FloorPitch, 0, 0.1},
		{"floor_noise", p.FloorNoise, 0, 500},
		{"floor_spread", p.FloorSpread, 0, 0.5},
		{"beacon_noise", p.BeaconNoise, 0, 1},
		{"beacon_field", p.BeaconField, 0, math.Pi},
	} {
		see(l.key, l.value, l.low, l.high)
	}
}

// Validate joins every complaint, each naming the key, its value and its
// limits.
func (p *Params) Validate() error {
	var all []error
	p.Limits(func(key string, value, low, high float64) {
		if !(value >= low && value <= high) { // NaN fails too
			all = append(all, fmt.Errorf("plant: %s %v outside %v..%v", key, value, low, high))
		}
	})
	return errors.Join(all...)
}

// A Profile says which range sectors a body has.
type Profile string

// The profiles of the behavioural suite.
const (
	P0 Profile = "P0" // the kit: the front sonar only
	P1 Profile = "P1" // beams at 0, +-30 and +-60 deg
)

// Sectors returns the profile's sectors (robot.Front and so on), nil for an
// unknown profile.
func (p Profile) Sectors() []int {
	switch p {
	case P0:
		return []int{robot.Front}
	case P1:
		return []int{robot.Front, robot.Left30, robot.Right30, robot.Left60, robot.Right60}
	}
	return nil
}
