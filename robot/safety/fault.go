package safety

import (
	"iter"
	"math/bits"
	"strings"
)

// A Level is a rung of the failsafe ladder. The worst cause decides it.
type Level uint8

// The levels, from best to worst.
const (
	Normal  Level = iota // the wanted command passes the limits unchanged
	Limited              // drives, but slower
	Hold                 // refuses forward motion; may back away; recovers by itself
	Stopped              // stands still
	Latched              // stands still until Reset, then Arm
)

var levelNames = [...]string{"NORMAL", "LIMITED", "HOLD", "STOPPED", "LATCHED"}

// String returns the level's name as logs and telemetry print it.
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return "unknown"
}

// Causes is a set of reasons why the car may not do what the brain wants, one
// bit each. The constants are sets of one.
type Causes uint32

// The causes, in the order of the fault table.
const (
	Disarmed       Causes = 1 << iota // nobody armed the car, or a fault disarmed it
	EStop                             // a person pressed stop
	LinkDown                          // motors and sensors cannot be reached
	LinkDegraded                      // the bus needs retries
	StateStale                        // the sensed state as a whole is old (R5)
	CommandStale                      // the brain stopped deciding (R4)
	CommandLost                       // the brain has not decided for long (R4)
	CommandInvalid                    // repeated NaN or infinite commands (R7)
	RangeStale                        // no valid front range for a moment (R3)
	RangeLost                         // no valid front range for long (R3)
	FloorStale                        // a cliff sensor stopped reporting (R1)
	Cliff                             // the floor ends (R1)
	Obstacle                          // something is too close ahead (R2)
	FrozenSensor                      // a sensor repeats itself while the world changes
	BatteryLow                        // the pack sags (R6)
	BatteryEmpty                      // the pack must not be used further (R6)
	BatteryUnknown                    // no plausible pack voltage
	EngineFault                       // the field's engine failed or a stand-in runs
	Overrun                           // the loop misses its period too often
	Paused                            // the loop stood still
	LinkLate                          // the computer did not serve the bus in time
	NoWayBack                         // the car would back away over ground nobody has seen (R1)
	Unguarded                         // nobody would stop the motors if the daemon died, or somebody just did
	Lifted                            // no floor under any of the floor sensors, and no edge explains it (R1)
	allCauses      = 1<<iota - 1
)

// NumCauses is the number of causes, the length of the fault table.
const NumCauses = 24

// Has reports whether every cause of want is in c.
func (c Causes) Has(want Causes) bool { return c&want == want }

// Blocking returns those of the causes during which arming is refused.
func (c Causes) Blocking() Causes { return c & blocking }

// Level returns the level of the worst cause in c, Normal when there is none.
func (c Causes) Level() Level {
	worst := Normal
	for rest := c & allCauses; rest != 0; rest &= rest - 1 {
		worst = max(worst, faults[bits.TrailingZeros32(uint32(rest))].Level)
	}
	return worst
}

// String returns the names of the causes joined by commas, "none" for an empty
// set. It allocates, so it is for logs and never for the tick.
func (c Causes) String() string {
	var names []string
	for _, f := range faults {
		if c.Has(f.Cause) {
			names = append(names, f.Name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ",")
}

// Words says to a person what the causes mean, each with its name behind it, under which
// docs/faults.md has the rest. It allocates.
func (c Causes) Words() string {
	var list []string
	for _, f := range faults {
		if c.Has(f.Cause) {
			list = append(list, f.Means+" ("+f.Name+")")
		}
	}
	return strings.Join(list, ", ")
}

// A Fault is one row of the fault table: what one cause means and does.
type Fault struct {
	Cause    Causes // the one bit
	Name     string // as logs, telemetry and docs/faults.md print it
	Level    Level  // what the car may still do
	Rearm    bool   // disarms: a person must arm again after it has ended
	Blocks   bool   // arming is refused while it holds
	Means    string // what it says to a person, in a few words
	Trigger  string // how it is noticed
	Settings string // fields of Params that shape it, separated by spaces
	Action   string // what the car does
	Ends     string // when it ends
	Remedy   string // what a person can do about it
}

// Faults returns the fault table in the order of the causes.
func Faults() []Fault { return append([]Fault(nil), faults[:]...) }

// EachFault goes through Faults without a copy, for whoever asks ten times a second.
func EachFault() iter.Seq[Fault] {
	return func(yield func(f Fault) bool) {
		for i := range faults {
			if !yield(faults[i]) {
				return
			}
		}
	}
}

// Sets derived from the fault table once; nothing writes them afterwards.
var (
	latching = causesWhere(func(f Fault) bool { return f.Level == Latched })
	rearming = causesWhere(func(f Fault) bool { return f.Rearm })
	blocking = causesWhere(func(f Fault) bool { return f.Blocks })
)

func causesWhere(has func(Fault) bool) Causes {
	var c Causes
	for _, f := range faults {
		if has(f) {
			c |= f.Cause
		}
	}
	return c
}

// faults is the constant fault table, indexed by the number of the cause's bit.
// docs/faults.md and the table in doc.go say the same; a test compares them.
var faults = [NumCauses]Fault{
	{
		Cause: Disarmed, Name: "disarmed", Level: Stopped,
		Means:   "nobody has armed it",
		Trigger: "after start, a disarm, or a fault that disarms",
		Action:  "motors inert, steering stays",
		Ends:    "when a person arms the car",
		Remedy:  "fieldbrain arm",
	},
	{
		Cause: EStop, Name: "e-stop", Level: Latched, Rearm: true, Blocks: true,
		Means:   "somebody pressed the emergency stop",
		Trigger: "a person asks for an emergency stop",
		Action:  "motors inert within the same tick, steering stays",
		Ends:    "on a reset; the car must then be armed again",
		Remedy:  "make the place safe, then fieldbrain reset and fieldbrain arm",
	},
	{
		Cause: LinkDown, Name: "link-down", Level: Stopped, Rearm: true, Blocks: true,
		Means:   "motors and sensors cannot be reached",
		Trigger: "the body reports its bus as down",
		Action:  "motors inert; never resumes by itself",
		Ends:    "when the bus answers again and a person arms the car",
		Remedy:  "check the HAT's power switch, its battery and the bus wires, or what the condition beside it names",
	},
	{
		Cause: LinkDegraded, Name: "link-degraded", Level: Limited,
		Means:   "the bus needs retries",
		Trigger: "the body reports errors that a retry cured", Settings: "Caution",
		Action: "speed capped to a share of the full speed",
		Ends:   "when the body reports the bus as up",
		Remedy: "shorten the bus wires or lower the bus clock to 100 kHz",
	},
	{
		Cause: StateStale, Name: "state-stale", Level: Stopped, Blocks: true,
		Means:   "what the sensors said last is too old",
		Trigger: "the state, or the newest reading in it, is older than its limit", Settings: "StateStale",
		Action: "stands still and centres the steering",
		Ends:   "with the next fresh state",
		Remedy: "look for a blocked sampler: system load, a hung bus",
	},
	{
		Cause: CommandStale, Name: "command-stale", Level: Stopped, Blocks: true,
		Means:   "the brain makes no commands",
		Trigger: "the newest command is older than its limit", Settings: "Command.Stale",
		Action: "stands still and centres the steering",
		Ends:   "with the next fresh command",
		Remedy: "look for an engine that blocks or a loop that overruns",
	},
	{
		Cause: CommandLost, Name: "command-lost", Level: Stopped, Rearm: true, Blocks: true,
		Means:   "the brain has made no commands for long",
		Trigger: "no fresh command for longer than its limit", Settings: "Command.Lost",
		Action: "motors inert",
		Ends:   "when commands come again and a person arms the car",
		Remedy: "restart the brain; its log names the engine's last error",
	},
	{
		Cause: CommandInvalid, Name: "command-invalid", Level: Latched, Rearm: true, Blocks: true,
		Means:   "the brain made commands that are no numbers",
		Trigger: "several commands in a row hold NaN or infinity; before that the last good one is kept", Settings: "Command.Invalid",
		Action: "motors inert",
		Ends:   "on a reset after a finite command; the car must then be armed again",
		Remedy: "report the recording: a defect in the brain made the numbers",
	},
	{
		Cause: RangeStale, Name: "range-stale", Level: Limited, Blocks: true,
		Means:   "the sonar has said nothing for a moment",
		Trigger: "no valid front range for longer than its limit (up to 450 ms while a sonar that takes more than 130 ms to tell silence tells only that), or silence where something was near just now", Settings: "Range.Stale Range.Creep Range.Sure",
		Action: "forward speed capped to a creep",
		Ends:   "with the next valid reading, or when the silence has lasted",
		Remedy: "check the sonar's two wires; a smooth wall seen aslant is as silent as no wall",
	},
	{
		Cause: RangeLost, Name: "range-lost", Level: Stopped, Blocks: true,
		Means:   "the sonar does not answer",
		Trigger: "no valid front range for longer than its second limit: the sonar does not answer", Settings: "Range.Lost",
		Action: "stands still",
		Ends:   "with the next valid reading",
		Remedy: "check the sonar's wires; with sonar_beyond = 0 in [body] turn the car towards a wall",
	},
	{
		Cause: FloorStale, Name: "floor-stale", Level: Hold, Blocks: true,
		Means:   "a floor sensor does not answer, or repeats itself",
		Trigger: "with cliff detection on, a floor sensor is older than its limit", Settings: "Cliff.Enabled Cliff.Stale Cliff.ClearReads",
		Action: "brakes as at a cliff and refuses forward motion, without the retreat",
		Ends:   "after enough new readings of every floor sensor",
		Remedy: "check the grayscale module's cable; where nothing can be driven off, cliff = \"off\" in [brain]",
	},
	{
		Cause: Cliff, Name: "cliff", Level: Hold, Blocks: true,
		Means:    "the floor ends",
		Trigger:  "with cliff detection on, a floor sensor reads dark as an edge in consecutive new readings; where those come slowly the first one brakes already",
		Settings: "Cliff.Enabled Cliff.Speed Cliff.Careful Cliff.Proven Cliff.Reference Cliff.TripReads Cliff.Trip Cliff.Clear Cliff.ClearReads Cliff.Brake Cliff.Stand Cliff.Retreat Cliff.RetreatShare Cliff.Retreats",
		Action:   "brakes with reverse power, stands, backs away, refuses forward motion",
		Ends:     "after enough readings of every floor sensor well above the reference",
		Remedy:   "move the car away from the edge; on a dark floor calibrate the references, or cliff = \"off\" in [brain] where nothing can be driven off",
	},
	{
		Cause: Obstacle, Name: "obstacle", Level: Hold,
		Means:    "something is close ahead",
		Trigger:  "moving forward, the front range is below the stopping distance, or is below the refuse distance",
		Settings: "Range.Nearest Range.Reaction Range.Deceleration Range.Margin Range.Refuse Range.Release Range.Hysteresis",
		Action:   "stops and refuses forward motion; may back away",
		Ends:     "when the range is above the distance again, with hysteresis",
		Remedy:   "none needed; move the obstacle if the car does not find a way",
	},
	{
		Cause: FrozenSensor, Name: "frozen-sensor", Level: Limited, Blocks: true,
		Means:    "a sensor repeats itself",
		Trigger:  "a range or a floor sensor repeats one value bit for bit while the car moves, however slowly, a range to the side while it turns, and other sensors change; or all floor sensors, which had noise while it stood, do so at once",
		Settings: "Freeze.After Freeze.Speed Freeze.RangeReads Freeze.RangeChanges Freeze.Turn Freeze.Blind Freeze.FloorReads Freeze.FloorChanges Cliff.Stale",
		Action:   "the sensor counts as stale from its first repeat, a range to the side as none; forward speed capped to a creep; a car that follows a line stands while its floor sensors hang",
		Ends:     "when the sensor reports another value",
		Remedy:   "power-cycle the sensor; check for a sampler that repeats its last value",
	},
	{
		Cause: BatteryLow, Name: "battery-low", Level: Limited, Blocks: true,
		Means:   "the battery is low",
		Trigger: "the filtered pack voltage is below its limit", Settings: "Battery.Low Battery.Recover Battery.Filter Caution",
		Action: "speed capped to a share of the full speed",
		Ends:   "when the filtered voltage is above the limit plus the recovery margin",
		Remedy: "charge the pack",
	},
	{
		Cause: BatteryEmpty, Name: "battery-empty", Level: Stopped, Rearm: true, Blocks: true,
		Means:   "the battery is empty",
		Trigger: "the filtered pack voltage is below its second limit", Settings: "Battery.Empty Battery.Recover Battery.Filter",
		Action: "motors inert",
		Ends:   "when the filtered voltage has recovered and a person arms the car",
		Remedy: "switch off and charge the pack: its protection opens at 6.0 V",
	},
	{
		Cause: BatteryUnknown, Name: "battery-unknown", Level: Limited, Blocks: true,
		Means:   "the battery's voltage is not known",
		Trigger: "no plausible pack voltage for longer than its limit, or one that repeats itself bit for bit while the car moves and floor sensors change", Settings: "Battery.Stale Freeze.BatteryReads Freeze.BatteryChanges Freeze.BatteryAfter Battery.Min Battery.Max Caution",
		Action: "speed capped to a share of the full speed",
		Ends:   "with the next plausible voltage that is another",
		Remedy: "is the HAT on its battery, not on USB only? Power-cycle a HAT that says one voltage for ever",
	},
	{
		Cause: EngineFault, Name: "engine-fault", Level: Limited,
		Means:   "the field's engine failed",
		Trigger: "the brain reports that its engine failed", Settings: "Caution",
		Action: "speed capped to a share of the full speed",
		Ends:   "when the brain withdraws the report",
		Remedy: "the log names the engine's error and its remedy",
	},
	{
		Cause: Overrun, Name: "overrun", Level: Limited, Blocks: true,
		Means:   "the computer misses too many ticks",
		Trigger: "the loop reports too many missed periods", Settings: "Caution",
		Action: "speed capped to a share of the full speed; the daemon disarms the real car",
		Ends:   "when the loop withdraws the report",
		Remedy: "lower the quality rung or the system's load; see fieldbrain status",
	},
	{
		Cause: Paused, Name: "paused", Level: Stopped, Rearm: true, Blocks: true,
		Means:   "the computer stood still for a while",
		Trigger: "time between two ticks jumped back, or ahead by more than its limit, or the daemon saw a suspend of the machine that long", Settings: "Pause",
		Action: "motors inert: after a suspend the world is not the one remembered",
		Ends:   "when a person arms the car",
		Remedy: "arm again; if it repeats look for suspends and system load",
	},
	{
		Cause: LinkLate, Name: "link-late", Level: Stopped, Rearm: true, Blocks: true,
		Means:   "the computer was too busy for the bus",
		Trigger: "the body reports a bus that its computer did not serve in time; no transaction hung",
		Action:  "motors inert through the reset line; never resumes by itself",
		Ends:    "when the controller has started again, half a second later, and a person arms the car",
		Remedy:  "the computer is too busy, no wire is at fault: end what else runs or give the daemon its real-time class, then fieldbrain arm",
	},
	{
		Cause: NoWayBack, Name: "no-way-back", Level: Limited,
		Means:    "no sensor has seen the floor behind it",
		Trigger:  "with cliff detection on, the brain wants to back away over floor that was not lately under the car, and farther than the way it came and what its owner vouched for",
		Settings: "Cliff.Enabled Cliff.Vouched",
		Action:   "does not back away: no sensor sees the floor behind; drives forward where it may",
		Ends:     "when the brain no longer wants to, or the car has come forwards",
		Remedy:   "turn the car towards free floor; where nothing can be driven off, cliff = \"off\" in [brain]",
	},
	{
		Cause: Unguarded, Name: "no-guard", Level: Stopped, Rearm: true, Blocks: true,
		Means:   "nobody would stop it if the daemon died",
		Trigger: "the daemon sees no guard that would pull the reset line if it died, or that guard has pulled it",
		Action:  "motors inert; never resumes by itself",
		Ends:    "when the guard looks on again, the controller has started again, half a second later, and a person arms the car",
		Remedy:  "the conditions guard and guard-stopped say what happened: sudo systemctl start fieldbrain-guard where it does not run; then fieldbrain arm",
	},
	{
		Cause: Lifted, Name: "lifted", Level: Stopped, Rearm: true, Blocks: true,
		Means:    "there is no floor under it",
		Trigger:  "with cliff detection on, every floor sensor of an armed car has read dark for a second while it stood, or still does after it has backed 0.2 m: somebody has lifted it, or it did not get away from an edge",
		Settings: "Cliff.Enabled Cliff.Reference Cliff.TripReads",
		Action:   "motors inert; forgets where it has been, its goal too",
		Ends:     "when a floor sensor sees floor and a person arms the car",
		Remedy:   "put it on its floor, away from edges, then fieldbrain arm; on a dark floor calibrate the references, or cliff = \"off\" in [brain] where nothing can be driven off",
	},
}
