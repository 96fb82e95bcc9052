package testbench

import (
	"math"
	"time"

	"fieldbrain/robot"
	"fieldbrain/testbench/noise"
)

// Vendor drives by the three rules of SunFounder's obstacle example, as
// docs/specification.md C.1 (a) restates them: forward above 40 cm; forward with full
// right lock for 0.1 s at 20..40 cm; backward with full left lock for 0.5 s
// below 20 cm. Without a reading it goes on as before. It drives at the
// scenario's cruise speed.
func Vendor(s Vehicle) (func(now time.Duration), error) {
	var state robot.State
	lock := s.Params.Limits.Steering
	cruise := float32(s.Scenario.Brain.Cruise)
	command := robot.Command{Enable: true, Speed: cruise}
	var until time.Duration // end of the running manoeuvre
	return func(now time.Duration) {
		s.Body.Sense(&state)
		if front := state.Range[robot.Front]; now >= until && front.OK {
			switch {
			case front.Value >= 0.40:
				command.Speed, command.Steering = cruise, 0
			case front.Value >= 0.20:
				command.Speed, command.Steering = cruise, -lock
				until = now + 100*time.Millisecond
			default:
				command.Speed, command.Steering = -cruise, lock
				until = now + 500*time.Millisecond
			}
		}
		command.At, command.SensedAt = now, state.Range[robot.Front].At
		_ = s.Body.Act(command) // a command from constants is finite
	}, nil
}

// Noise drives at random, as the second baseline of docs/specification.md C.1 does:
// forward speed and turn are white noise, drawn anew and approached smoothly
// every half second. It looks at nothing.
func Noise(s Vehicle) (func(now time.Duration), error) {
	dice := noise.New(s.Seed, "white-noise pilot")
	const hold = 500 * time.Millisecond
	cruise, lock := s.Scenario.Brain.Cruise, float64(s.Params.Limits.Steering)
	var next time.Duration
	var speed, turn, wantSpeed, wantTurn float64
	share := s.Period.Seconds() / 0.2 // of the way to the wanted value per tick
	return func(now time.Duration) {
		if now >= next {
			next = now + hold
			wantSpeed = cruise * min(max(0.5+float64(0.5*dice.Normal()), -1), 1)
			wantTurn = lock * min(max(dice.Normal(), -1), 1)
		}
		speed += float64((float64(wantSpeed) - speed) * share)
		turn += float64((float64(wantTurn) - turn) * share)
		if math.Abs(speed) < 0.03 { // below it the motors only whine
			speed = math.Copysign(0.03, speed)
		}
		_ = s.Body.Act(robot.Command{At: now, Enable: true, Speed: float32(speed), Steering: float32(turn)})
	}, nil
}
