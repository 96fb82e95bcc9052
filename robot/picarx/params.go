package picarx

import (
	"errors"
	"fmt"
	"math"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/kit"
)

// Params are the driver's settings. Start from Default and change what the
// robot needs; New validates.
type Params struct {
	Board  Board        // generation of the HAT; only BoardV4 drives
	Addr   uint16       // the controller's address; 0 probes 0x14, and refuses what answers at 0x15 alone: it may be a V5
	Limits robot.Limits // no command exceeds them

	SweepPeriod   time.Duration // between reads of the three floor sensors on a bus without a pace
	BatteryPeriod time.Duration // between reads of the battery
	ADCGap        time.Duration // from a conversion's command to its first byte
	MotorRefresh  time.Duration // longest time between writes of an unchanged duty
	ServoRefresh  time.Duration // the same for a servo
	TimerRefresh  time.Duration // the same for the PWM timers
	Poll          time.Duration // longest time Service stays away: bounds how long a new command waits
	RampStep      time.Duration // how often ramps advance between commands

	Lease        time.Duration // a command older than this no longer drives
	LeaseRamp    time.Duration // within it the speed then falls to zero
	LeaseEnd     time.Duration // a command older than this leaves the motors inert
	ReversePause time.Duration // standstill between the two directions
	MinSpeed     float32       // m/s, anything slower is a standstill
	CameraRate   float32       // rad/s, slew of pan and tilt

	ResetLow  time.Duration // the reset line's pulse
	ResetWait time.Duration // from its rising edge to the first probe
	BackOff   time.Duration // between probes of a HAT that does not answer
	Silence   time.Duration // without a success among failures: the bus is lost
	StopWait  time.Duration // Halt holds the reset line when a stop takes longer
	Heartbeat time.Duration // Run holds the reset line when the bus owner is silent longer

	Sonar SonarParams
	Cal   Calibration
}

// SonarParams are the settings of every ultrasonic sensor.
type SonarParams struct {
	Period      time.Duration // between two triggers, of whichever sensor; 60 ms suits the real one
	Temperature float64       // degrees Celsius, for the speed of sound
	Median      int           // readings the median is taken of: 1, 3 or 5
	Trust       float32       // m, how far silence counts as free; 0: silence is no reading
	Poll        time.Duration // how often Ping looks for edges in virtual time
}

// Default returns the settings for a PiCar-X with a V4 HAT at 100 kHz: floor
// sensors every 8 ms, or with each release of a brain that says when it decides
// (Car.Pace), sonar every 40 ms, lease 150 ms. Two dark sweeps, a tick of 5 ms and
// the motors' writes then stay within B4's 25 ms from edge to stop.
func Default() Params {
	const ms = time.Millisecond
	return Params{
		Board: BoardV4, Limits: robot.DefaultLimits(),
		SweepPeriod: 8 * ms, BatteryPeriod: time.Second,
		MotorRefresh: 100 * ms, ServoRefresh: 500 * ms, TimerRefresh: time.Second,
		Poll: ms / 2, RampStep: 5 * ms,
		Lease: 150 * ms, LeaseRamp: 100 * ms, LeaseEnd: 2 * time.Second,
		ReversePause: 50 * ms, MinSpeed: 0.02, CameraRate: 2 * math.Pi,
		ResetLow: 10 * ms, ResetWait: 210 * ms, BackOff: time.Second,
		Silence: 50 * ms, StopWait: 20 * ms, Heartbeat: 50 * ms,
		Sonar: SonarParams{Period: 40 * ms, Temperature: 20, Median: 1, Trust: 1.5, Poll: ms},
		Cal:   DefaultCalibration(),
	}
}

// Sheet returns what a brain must know of the car that these settings are for.
func (p *Params) Sheet() kit.Sheet {
	s, c := kit.PiCarX(), &p.Cal
	s.Wheelbase, s.Track, s.SonarAhead = c.Body.Wheelbase, c.Body.Track, c.Sonar.Ahead
	s.Limits, s.Line, s.Cliff = p.Limits, c.Floor.Line, c.Floor.Cliff
	return s
}

// Validate joins every complaint about the settings, each naming its key and
// limit; a board that must not be driven is a *BoardError.
func (p *Params) Validate() error {
	errs := []error{p.Board.Check(), p.Cal.Validate()}
	if p.Addr != 0 && p.Addr != addrPrimary && p.Addr != addrSecondary {
		errs = append(errs, fmt.Errorf("picarx: addr %#02x: must be 0 (probe), 0x14 or 0x15", p.Addr))
	}
	for _, t := range p.times() {
		if t.value < t.low || t.value > t.high {
			errs = append(errs, fmt.Errorf("picarx: %s %v: must be %v to %v: %s", t.key, t.value, t.low, t.high, t.why))
		}
	}
	for _, l := range p.numbers() {
		if !(l.value >= l.low && l.value <= l.high) {
			errs = append(errs, fmt.Errorf("picarx: %s %v: must be %.4g to %.4g: %s", l.key, l.value, l.low, l.high, l.why))
		}
	}
	if m := p.Sonar.Median; m != 1 && m != 3 && m != 5 {
		errs = append(errs, fmt.Errorf("picarx: sonar.median %d: must be 1, 3 or 5", m))
	}
	return errors.Join(errs...)
}

// A span is one duration with its legal range.
type span struct {
	key       string
	value     time.Duration
	low, high time.Duration
	why       string
}

// times lists the durations with the reason for each range.
func (p *Params) times() []span {
	const ms = time.Millisecond
	return []span{
		{"sweep_period", p.SweepPeriod, 5 * ms, 100 * ms, "three conversions take 2.4 ms at 100 kHz, and an older floor reading counts as a cliff"},
		{"battery_period", p.BatteryPeriod, 100 * ms, 10 * time.Second, "a pack sags within seconds"},
		{"adc_gap", p.ADCGap, 0, ms, "a longer gap leaves no time for the motors"},
		{"motor_refresh", p.MotorRefresh, 20 * ms, time.Second, "lost writes must heal"},
		{"servo_refresh", p.ServoRefresh, 20 * ms, 5 * time.Second, "lost writes must heal"},
		{"timer_refresh", p.TimerRefresh, 200 * ms, 60 * time.Second, "a brown-out or the ZERO button must heal"},
		{"poll", p.Poll, 50 * time.Microsecond, 5 * ms, "a new command waits this long"},
		{"ramp_step", p.RampStep, ms, 20 * ms, "coarser steps jerk"},
		{"lease", p.Lease, 20 * ms, 250 * ms, "the car drives blind for this long when the brain dies"},
		{"lease_ramp", p.LeaseRamp, 0, 200 * ms, "it adds to the blind time"},
		{"lease_end", p.LeaseEnd, p.Lease, 10 * time.Second, "it follows the lease"},
		{"reverse_pause", p.ReversePause, 50 * ms, time.Second, "the motor's back-EMF adds to the supply when it is reversed at speed"},
		{"reset_low", p.ResetLow, ms, 100 * ms, "the vendor holds it 1 to 10 ms"},
		{"reset_wait", p.ResetWait, 100 * ms, 2 * time.Second, "the controller boots; the vendor waits 210 ms"},
		{"back_off", p.BackOff, 100 * ms, time.Minute, "no storms of resets"},
		{"silence", p.Silence, 10 * ms, 100 * ms, "one adapter time-out takes 100 ms"},
		{"stop_wait", p.StopWait, 5 * ms, 100 * ms, "a stop is two writes per motor and 2 ms between"},
		{"heartbeat", p.Heartbeat, 20 * ms, 500 * ms, "the motors run on while the bus is stuck"},
		{"sonar.period", p.Sonar.Period, 20 * ms, time.Second, "the vendor asks for at least 20 ms between pings"},
		{"sonar.poll", p.Sonar.Poll, 100 * time.Microsecond, 10 * ms, "it bounds how late an echo is noticed"},
	}
}

// numbers lists the other quantities with the reason for each range.
func (p *Params) numbers() []limit {
	l := p.Limits
	f := func(x float32) float64 { return float64(x) }
	return []limit{
		{"limits.speed", f(l.Speed), 0, p.Cal.Body.TopSpeed, "m/s, no faster than full duty (body.top_speed_mps)"},
		{"limits.steering", f(l.Steering), 0, 45 / degrees, "rad, the linkage's range"},
		{"limits.pan", f(l.Pan), 0, math.Pi/2 + 1e-6, "rad, the servo's range"},
		{"limits.tilt_down", f(l.TiltDown), -math.Pi/2 - 1e-6, 0, "rad, the servo's range"},
		{"limits.tilt_up", f(l.TiltUp), 0, math.Pi/2 + 1e-6, "rad, the servo's range"},
		{"limits.steering_rate", f(l.SteeringRate), 0.1, 100, "rad/s"},
		{"limits.speed_rate", f(l.SpeedRate), 0.05, 100, "m/s per second"},
		{"camera_rate", f(p.CameraRate), 0.1, 100, "rad/s"},
		{"min_speed", f(p.MinSpeed), 0, 0.2, "m/s, below it the motors whine"},
		{"sonar.trust", f(p.Sonar.Trust), 0, farthest, "m, the sensor hears no farther"},
		{"sonar.temperature", p.Sonar.Temperature, -20, 60, "degrees Celsius"},
	}
}
