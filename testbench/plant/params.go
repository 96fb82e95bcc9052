package plant

import (
	"errors"
	"fmt"
	"math"

	"fieldbrain/robot"
)

// Params are the car's and its sensors' properties, SI units. The tags are the
// keys of a scenario file's [car] table.
type Params struct {
	Wheelbase  float64 `toml:"wheelbase"`   // m
	Track      float64 `toml:"track"`       // m, between the wheels of an axle
	BodyRadius float64 `toml:"body_radius"` // m, of the disc that touches things
	BodyAhead  float64 `toml:"body_ahead"`  // m from the rear axle to the disc's centre

	Lag       float64 `toml:"lag"`       // s, first order, duty to speed
	TopSpeed  float64 `toml:"top_speed"` // m/s at full duty and nominal voltage
	DeadBand  float64 `toml:"dead_band"` // duty below which the wheels stand
	LeftGain  float64 `toml:"left_gain"` // of the left motor, 1 is nominal
	RightGain float64 `toml:"right_gain"`
	Slip      float64 `toml:"slip"` // fraction of the wheels' speed lost
	Skid      float64 `toml:"skid"` // fraction of the turn rate lost, negative when it turns more than its geometry says

	ServoRate float64 `toml:"servo_rate"` // rad/s
	Trim      float64 `toml:"trim"`       // rad added to the steering servo's angle by its mounting
	Linkage   float64 `toml:"linkage"`    // wheel angle per servo angle

	OpenVolts  float64 `toml:"open_volts"` // V of the resting pack
	Nominal    float64 `toml:"nominal"`    // V at which TopSpeed holds
	Resistance float64 `toml:"resistance"` // ohm of pack and wiring
	IdleAmps   float64 `toml:"idle_amps"`  // A of the electronics
	MotorAmps  float64 `toml:"motor_amps"` // A of one motor at full duty

	SonarAhead float64 `toml:"sonar_ahead"` // m from the rear axle to the sensors' faces
	Cone       float64 `toml:"cone"`        // rad, half angle
	RangeNoise float64 `toml:"range_noise"` // relative standard deviation
	DropOut    float64 `toml:"drop_out"`    // probability of no echo
	MaxRange   float64 `toml:"max_range"`   // m
	Specular   float64 `toml:"specular"`    // rad, incidence beyond which a smooth wall sends nothing back; 0 is a rough wall
	Multipath  float64 `toml:"multipath"`   // probability that the echo took a detour

	FloorAhead  float64 `toml:"floor_ahead"`  // m from the rear axle to the sensor bar
	FloorPitch  float64 `toml:"floor_pitch"`  // m between two sensors
	FloorNoise  float64 `toml:"floor_noise"`  // counts, standard deviation
	FloorSpread float64 `toml:"floor_spread"` // relative standard deviation from sensor to sensor

	BeaconNoise float64 `toml:"beacon_noise"` // rad, standard deviation of the bearing
	BeaconField float64 `toml:"beacon_field"` // rad, half width of the receiver's view
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

// Validate joins every complaint, each naming the field, its value and its
// limits.
func (p *Params) Validate() error {
	var all []error
	for _, l := range []struct {
		name             string
		value, low, high float64
	}{
		{"Wheelbase", p.Wheelbase, 0.05, 0.3},
		{"Track", p.Track, 0.03, 0.3},
		{"BodyRadius", p.BodyRadius, 0.02, 0.3},
		{"BodyAhead", p.BodyAhead, -0.2, 0.2},
		{"Lag", p.Lag, 0.002, 2},
		{"TopSpeed", p.TopSpeed, 0.05, 3},
		{"DeadBand", p.DeadBand, 0, 0.95},
		{"LeftGain", p.LeftGain, 0.2, 2},
		{"RightGain", p.RightGain, 0.2, 2},
		{"Slip", p.Slip, 0, 0.9},
		{"Skid", p.Skid, -0.5, 0.9},
		{"ServoRate", p.ServoRate, 0.1, 100},
		{"Trim", p.Trim, -0.5, 0.5},
		{"Linkage", p.Linkage, 0.5, 1.5},
		{"OpenVolts", p.OpenVolts, 0, 9},
		{"Nominal", p.Nominal, 5, 9},
		{"Resistance", p.Resistance, 0, 2},
		{"IdleAmps", p.IdleAmps, 0, 3},
		{"MotorAmps", p.MotorAmps, 0, 3},
		{"SonarAhead", p.SonarAhead, -0.2, 0.3},
		{"Cone", p.Cone, 0, 0.8},
		{"RangeNoise", p.RangeNoise, 0, 0.5},
		{"DropOut", p.DropOut, 0, 1},
		{"MaxRange", p.MaxRange, 0.1, 10},
		{"Specular", p.Specular, 0, math.Pi / 2},
		{"Multipath", p.Multipath, 0, 1},
		{"FloorAhead", p.FloorAhead, -0.2, 0.3},
		{"FloorPitch", p.FloorPitch, 0, 0.1},
		{"FloorNoise", p.FloorNoise, 0, 500},
		{"FloorSpread", p.FloorSpread, 0, 0.5},
		{"BeaconNoise", p.BeaconNoise, 0, 1},
		{"BeaconField", p.BeaconField, 0, math.Pi},
	} {
		if !(l.value >= l.low && l.value <= l.high) { // NaN fails too
			all = append(all, fmt.Errorf("plant: %s %v outside %v..%v", l.name, l.value, l.low, l.high))
		}
	}
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
