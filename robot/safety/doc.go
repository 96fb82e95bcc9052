// Package safety keeps a robot car from harm whatever its brain decides: it
// bounds every command, brakes at cliffs and obstacles, notices sensors that
// lie, and lets nobody drive a car that nobody armed.
//
// Reflexes.Apply is the whole of it in a tick. It asks each reflex what it
// sees, gives the causes to the failsafe Machine, and takes from the wanted
// command what the causes forbid. Field brain specification, section B.7,
// names the reflexes R1 to R8; R8, the watchdog, is the guard's.
//
// # Equation
//
// R2 stops the car when the front range is below
//
//	d(v) = max(0.10 m, v t + v^2/(2a) + 0.04 m)    t = 0.15 s, a = 1.5 m/s2
//
// measured from the sensor's face. Every product is rounded on its own, so
// the same calls give the same bits on every machine.
//
// # Levels
//
// Every cause has one level and the worst one wins: NORMAL drives as wanted,
// LIMITED drives slower, HOLD refuses forward motion and may back away, STOPPED
// stands still, LATCHED stands still until Reset and then Arm. A car boots
// disarmed. Some causes disarm: after them a person must arm again. A reflex
// takes away at once; ramps hold for the brain's wishes only.
//
// # Faults
//
// One entry per cause: how it is noticed, what the robot does, how long. The
// thresholds are fields of Params; docs/faults.md has them and the remedies.
//
//	disarmed        STOPPED
//	  noticed: after start, a disarm, or a fault that disarms
//	  does:    motors inert, steering stays
//	  until:   when a person arms the car
//	e-stop          LATCHED
//	  noticed: a person asks for an emergency stop
//	  does:    motors inert within the same tick, steering stays
//	  until:   on a reset; the car must then be armed again
//	link-down       STOPPED
//	  noticed: the body reports its bus as down
//	  does:    motors inert; never resumes by itself
//	  until:   when the bus answers again and a person arms the car
//	link-degraded   LIMITED
//	  noticed: the body reports errors that a retry cured
//	  does:    speed capped to a share of the full speed
//	  until:   when the body reports the bus as up
//	state-stale     STOPPED
//	  noticed: the state, or the newest reading in it, is older than its limit
//	  does:    stands still and centres the steering
//	  until:   with the next fresh state
//	command-stale   STOPPED
//	  noticed: the newest command is older than its limit
//	  does:    stands still and centres the steering
//	  until:   with the next fresh command
//	command-lost    STOPPED
//	  noticed: no fresh command for longer than its limit
//	  does:    motors inert
//	  until:   when commands come again and a person arms the car
//	command-invalid LATCHED
//	  noticed: several commands in a row hold NaN or infinity; before that the
//	           last good one is kept
//	  does:    motors inert
//	  until:   on a reset after a finite command; the car must then be armed
//	           again
//	range-stale     LIMITED
//	  noticed: no valid front range for longer than its limit (up to 450 ms while
//	           a sonar that takes more than 130 ms to tell silence tells only
//	           that), or silence where something was near just now
//	  does:    forward speed capped to a creep
//	  until:   with the next valid reading, or when the silence has lasted
//	range-lost      STOPPED
//	  noticed: no valid front range for longer than its second limit: the sonar
//	           does not answer
//	  does:    stands still
//	  until:   with the next valid reading
//	floor-stale     HOLD
//	  noticed: with cliff detection on, a floor sensor is older than its limit
//	  does:    brakes as at a cliff and refuses forward motion, without the
//	           retreat
//	  until:   after enough new readings of every floor sensor
//	cliff           HOLD
//	  noticed: with cliff detection on, a floor sensor reads dark as an edge in
//	           consecutive new readings; where those come slowly the first one
//	           brakes already
//	  does:    brakes with reverse power, stands, backs away, refuses forward
//	           motion
//	  until:   after enough readings of every floor sensor well above the
//	           reference
//	obstacle        HOLD
//	  noticed: moving forward, the front range is below the stopping distance,
//	           or is below the refuse distance
//	  does:    stops and refuses forward motion; may back away
//	  until:   when the range is above the distance again, with hysteresis
//	frozen-sensor   LIMITED
//	  noticed: a range or a floor sensor repeats one value bit for bit while
//	           the car moves, however slowly, a range to the side while it turns,
//	           and other sensors change; or all floor sensors, which had noise
//	           while it stood, do so at once
//	  does:    the sensor counts as stale from its first repeat, a range to the
//	           side as none; forward speed capped to a creep; a car that
//	           follows a line stands while its floor sensors hang
//	  until:   when the sensor reports another value
//	battery-low     LIMITED
//	  noticed: the filtered pack voltage is below its limit
//	  does:    speed capped to a share of the full speed
//	  until:   when the filtered voltage is above the limit plus the recovery
//	           margin
//	battery-empty   STOPPED
//	  noticed: the filtered pack voltage is below its second limit
//	  does:    motors inert
//	  until:   when the filtered voltage has recovered and a person arms the
//	           car
//	battery-unknown LIMITED
//	  noticed: no plausible pack voltage for longer than its limit, or one that
//	           repeats itself bit for bit while the car moves and floor sensors
//	           change
//	  does:    speed capped to a share of the full speed
//	  until:   with the next plausible voltage that is another
//	engine-fault    LIMITED
//	  noticed: the brain reports that its engine failed
//	  does:    speed capped to a share of the full speed
//	  until:   when the brain withdraws the report
//	overrun         LIMITED
//	  noticed: the loop reports too many missed periods
//	  does:    speed capped to a share of the full speed; the daemon disarms the real car
//	  until:   when the loop withdraws the report
//	paused          STOPPED
//	  noticed: time between two ticks jumped back, or ahead by more than its
//	           limit, or the daemon saw a suspend of the machine that long
//	  does:    motors inert: after a suspend the world is not the one
//	           remembered
//	  until:   when a person arms the car
//	link-late       STOPPED
//	  noticed: the body reports a bus that its computer did not serve in time;
//	           no transaction hung
//	  does:    motors inert through the reset line; never resumes by itself
//	  until:   when the controller has started again, half a second later, and
//	           a person arms the car
//	no-way-back     LIMITED
//	  noticed: with cliff detection on, the brain wants to back away over floor
//	           that was not lately under the car, and farther than the way it
//	           came and what its owner vouched for
//	  does:    does not back away: no sensor sees the floor behind; drives
//	           forward where it may
//	  until:   when the brain no longer wants to, or the car has come forwards
//	no-guard        STOPPED
//	  noticed: the daemon sees no guard that would pull the reset line if it
//	           died, or that guard has pulled it
//	  does:    motors inert; never resumes by itself
//	  until:   when the guard looks on again, the controller has started again,
//	           half a second later, and a person arms the car
//	lifted          STOPPED
//	  noticed: with cliff detection on, every floor sensor of an armed car has
//	           read dark for a second while it stood, or still does after it has
//	           backed 0.2 m: somebody has lifted it, or it did not get away from an
//	           edge
//	  does:    motors inert; forgets where it has been, its goal too
//	  until:   when a floor sensor sees floor and a person arms the car
//
// With cliff detection on the car backs away only over floor that has been under it:
// no sensor sees the floor behind it. Where both rear wheels stay on such floor, of the
// last 120 places 15 mm or 0.1 rad apart, it takes the brain's steering, so that it can
// turn round on the spot; elsewhere the steering it came with, for at most 1.28 m, and
// where that has ended any steering that keeps it on such floor. Reflexes.Carried tells the
// brain which floor that is. Whoever arms the car vouches for the first Cliff.Vouched
// metres.
//
// Not noticed: a sonar that is deaf but ends its pings (it says what a free way
// says), a floor sensor frozen at an end of the ADC's scale, all floor
// sensors frozen at once where they had no noise, a range frozen while nothing else changes, a
// range to the side while the car goes straight on or no other beam hears an echo, a
// battery frozen in a car without floor sensors, a motor
// that stalls (the car has no encoders; the brain looks for it).
//
// # Concurrency
//
// Reflexes belong to the goroutine that ticks; who else wants to arm or stop
// hands the wish over to it. Machine, Causes, Status and Deadman are values.
//
// # Errors
//
// Arm and Reset return a *Refusal with the causes that stand against it, and
// Reset returns ErrArmed on an armed car. Apply has no errors: a fault is a
// cause and a slower or standing car.
//
// # Source
//
// Field brain specification B.7 and C.2 (S1 to S3). Battery and sonar limits:
// SunFounder picar-x v2.0 and robot-hat 2.5, onboard_mcu and battery pages.
package safety
