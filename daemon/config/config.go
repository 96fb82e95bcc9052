package config

import (
	"fmt"
	"time"

	"github.com/pelletier/go-toml/v2"

	"fieldbrain/brain"
	"fieldbrain/brain/quality"
	"fieldbrain/daemon/loop"
	"fieldbrain/field"
	"fieldbrain/robot/kit"
)

// A Duration is a time.Duration that stands as text in a configuration file:
// "5ms", "1.5s".
type Duration time.Duration

// MarshalText writes the duration as time.Duration prints it.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads what time.ParseDuration reads.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%.200q is not a duration such as \"5ms\"", text)
	}
	*d = Duration(v)
	return nil
}

// A Config is the daemon's whole configuration, one section per part. The
// comment tags are its documentation: `fieldbrain config doc` prints them with
// the defaults, and Validate enforces the limits they state.
type Config struct {
	Loop      Loop      `toml:"loop" comment:"The loop: when it releases a tick and what it asks of the kernel."`
	Engine    Engine    `toml:"engine" comment:"What steps the neural field. Every choice but fp16, fewer planes and a rung below full computes the same bits."`
	Body      Body      `toml:"body" comment:"The sensors and motors."`
	Brain     Brain     `toml:"brain" comment:"What the car shall do once it is armed, until fieldbrain go says something else. It always boots disarmed."`
	Law       Law       `toml:"law" comment:"How the brain weighs ways ahead and manoeuvres. Costs of ways are in shares of the lock, costs of manoeuvres in seconds; no reflex depends on them.\nfieldbrain tune searches better ones: docs/tuning.md."`
	Manual    Manual    `toml:"manual" comment:"Bounds for people who drive the car themselves: docs/manual.md."`
	Memory    Memory    `toml:"memory" comment:"What the brain keeps over a restart: its field, its patterns and its intention."`
	Telemetry Telemetry `toml:"telemetry" comment:"The page and the flight ring, for fieldbrain status after the program's death."`
	Record    Record    `toml:"record" comment:"Where fieldbrain record start records what enters the ticks, see docs/recording.md."`
	Forensics Forensics `toml:"forensics" comment:"What is kept of ticks that missed their deadline, see docs/forensics.md."`
	Log       Log       `toml:"log" comment:"The log, written to standard error."`
	Control   Control   `toml:"control" comment:"The socket on which arm, disarm, estop, reset, go, set, take, drive, release, outcome and status arrive."`
	Web       Web       `toml:"web" comment:"The page of fieldbrain serve, a process of its own: the daemon itself opens no port."`
}

// Loop is section [loop].
type Loop struct {
	Period     Duration `toml:"period" comment:"from release to release, 2.5ms .. 40ms"`
	CPU        int      `toml:"cpu" comment:"processor the loop stays on, best an isolated one; -1 for any, up to 1023"`
	Priority   int      `toml:"priority" comment:"SCHED_FIFO priority of the loop's thread, 1 .. 98; 0 for the ordinary class"`
	LockMemory bool     `toml:"lock_memory" comment:"keep the process in memory, so that no tick waits for a page"`
	WarmUp     int      `toml:"warm_up" comment:"first ticks left out of the statistics, 1 .. 10000"`
}

// Engine is section [engine].
type Engine struct {
	Kind        string   `toml:"kind" comment:"auto (the processor's best, and a graphics card once its program has proved itself), cuda (the same, but degraded while the card does not step),\nor what the processor has and no card: avx512, avx2, sse, neon or purego"`
	Threads     int      `toml:"threads" comment:"the processor's threads that step the field, 1 .. 16"`
	Step        string   `toml:"step" comment:"collapsed (one slice along axes on which a channel is uniform, lossless) or dense"`
	Planes      int      `toml:"planes" comment:"planes along the feature axis of the channels that have all three axes: 32 (the whole field), 16 or 8, which take less time and resolve less,\nsee fieldbrain bench ladder; fewer than 32 are the processor's alone: no graphics card joins"`
	Quality     string   `toml:"quality" comment:"how much of the brain a tick runs: auto (all of it, less while ticks take too long or the machine is hot, held back or saves power),\nor one rung to stay on: full, balanced, sparse or survival, see fieldbrain bench ladder"`
	Budget      Duration `toml:"budget" comment:"auto: longest time a tick should take, up to loop.period, 0s is half of it"`
	Hot         float64  `toml:"hot" comment:"auto: temperature of the processor at which a tick runs the least, 40 .. 125 C, and less from 5 C below; 0 takes each sensor's own trip point, or 85"`
	GPUPath     string   `toml:"gpu_path" comment:"auto, cuda: absolute path of the program that drives the card; empty takes fieldbrain-gpu beside this program"`
	GPUDeadline Duration `toml:"gpu_deadline" comment:"auto, cuda: longest wait for the card, 100us .. 10s, 0s is half of loop.period; then the processor steps that tick and the program is replaced"`
	GPUWait     string   `toml:"gpu_wait" comment:"auto, cuda: how to wait for the card: spin (soonest, costs a processor), yield or block (costs least)"`
	GPUStorage  string   `toml:"gpu_storage" comment:"auto, cuda: fp32, or fp16 for cards with little bandwidth: another field, by rounding"`
	GPUProfile  bool     `toml:"gpu_profile" comment:"auto, cuda: time the card's kernels one by one, for fieldbrain status; every tick takes longer"`

	// Halves is bench ladder's: the processor rounds the field after every step as a card
	// with gpu_storage = "fp16" does. No file can ask for it.
	Halves bool `toml:"-" json:",omitempty"`
}

// GPU reports whether a graphics card may step the field: one has all planes.
func (c Engine) GPU() bool { return c.Kind == "cuda" || c.Kind == "auto" && c.Planes == field.Side }

// Body is section [body].
type Body struct {
	Kind        string   `toml:"kind" comment:"sim (the simulated car) or picarx (the real one)"`
	Scenario    string   `toml:"scenario" comment:"sim: the world to drive in, see fieldbrain sim --list"`
	Seed        int64    `toml:"seed" comment:"sim: number that decides obstacles and noise, 0 or more"`
	Header      string   `toml:"header" comment:"picarx: auto, orin-nano, agx-orin or pi: which 40-pin header the HAT is wired to; bench is a simulated HAT in another process"`
	Bus         string   `toml:"bus" comment:"picarx: I2C device such as /dev/i2c-7, its number, or an element of its path below /sys such as c250000.i2c; empty finds the header's bus by its adapter; header bench: the simulated HAT's socket"`
	Guard       string   `toml:"guard" comment:"picarx: auto (the car arms only while fieldbrain-guard runs) or off (header bench alone)"`
	GuardSocket string   `toml:"guard_socket" comment:"picarx: socket of fieldbrain-guard; empty is /run/fieldbrain-guard/guard.sock"`
	Board       string   `toml:"board" comment:"picarx: v4, v5, v6 or fusion: the Robot HAT's type; the driver drives only v4 and refuses the others with the reason"`
	HatAddress  int      `toml:"hat_address" comment:"picarx: the HAT's I2C address, 20 (0x14) or 21 (0x15); 0 takes 0x14, and refuses what answers at 0x15 alone: it may be a V5"`
	ADCGap      Duration `toml:"adc_gap" comment:"picarx: pause between an ADC command and its first byte, 0s .. 1ms; try 200us where the ADC's values are shifted (ADC value above 4095) or are another channel's again and again"`
	Sonars      []string `toml:"sonars" comment:"picarx: fitted sonars: front (required), left30, right30, left60, right60, left90, right90, rear"`
	SonarPeriod Duration `toml:"sonar_period" comment:"picarx: from ping to ping, 25ms .. 100ms; echoes of a bare room take up to 60ms to die away"`
	SonarMedian int      `toml:"sonar_median" comment:"picarx: how many of the newest ranges the driver takes the median of, 1, 3 or 5; 3 lag a period behind and bear one stray, 5 lag two and bear two; at most 120ms behind"`
	SonarBeyond float64  `toml:"sonar_beyond" comment:"picarx: m up to which the way counts as free where the sonar hears nothing, 0 .. 4; slanted smooth walls, cloth and thin legs are as silent as a free way.\n0: silence is no reading, and the car stands where nothing is within 4 m"`
	Calibration string   `toml:"calibration" comment:"picarx: calibration file; empty for the built-in one"`
}

// Brain is section [brain].
type Brain struct {
	Cruise     float64 `toml:"cruise" comment:"wanted speed on a free way, 0.05 .. 0.35 m/s; strokes to and fro are no faster, but for 0.08 m/s, which the motors need"`
	Arrival    float64 `toml:"arrival" comment:"so near to the goal of an order the car counts as there and stands, 0.05 .. 0.5 m"`
	Goal       bool    `toml:"goal" comment:"drive to the beacon when one is seen, else explore. The beacon is a thing whose bearing and size a body senses (the goal of a scenario);\na PiCar-X has no such sensor"`
	FollowLine bool    `toml:"follow_line" comment:"follow a dark line on the floor"`
	Explore    bool    `toml:"explore" comment:"remember which space around the car has seen and plan ahead towards the rest: covers more floor"`
	Planner    string  `toml:"planner" comment:"explore: how plans are made: tree (thirteen actions, two or three in a row, by what they would let the car see)\nor rollout (thousands of imagined drives, blended by what they would cost: docs/rollouts.md)"`
	Recall     bool    `toml:"recall" comment:"keep patterns of situations, of the car's conduct in them and its outcome, and lean towards conduct that turned out well"`
	Cliff      string  `toml:"cliff" comment:"stop and back away from a floor that reflects nothing, 0.2 m/s at most, and back only where the car came from: auto (picarx: on; sim: as the scenario asks), on or off.\nNeeds floor references that fit (calibrate import; without a calibration 500 ADC counts): a floor or line as dark as them is an edge to the car.\nIf it refuses to drive on a dark floor, calibrate, or write \"off\" where nothing can be driven off."`
}

// CliffOn reports whether the brain looks for edges. Only "off" switches that
// off: a car must not drive off a table because a file lacks a key. The simulator
// writes "off" beforehand for a world without edges.
func (c Brain) CliffOn() bool { return c.Cliff != "off" }

// Log is section [log].
type Log struct {
	Level  string `toml:"level" comment:"trace, debug, info, warn or error"`
	Format string `toml:"format" comment:"auto (text on a terminal, else JSON), text or json"`
	// Status is how often the state gets a line that nothing has changed.
	Status Duration `toml:"status" comment:"from line to line on the car's state, 1s .. 24h, besides one when it changes; 0s writes none"`
}

// Control is section [control].
type Control struct {
	Socket string `toml:"socket" comment:"path of the Unix socket; empty chooses /run/fieldbrain/control.sock, or a private one without that folder"`
}

// Default returns the configuration without a file: the simulated car in
// the room, on any engine, every 5 ms.
func Default() Config {
	paced := loop.Default()
	return Config{
		Loop: Loop{
			Period: Duration(paced.Period), CPU: paced.CPU, Priority: paced.Priority,
			LockMemory: paced.LockMemory, WarmUp: paced.WarmUp,
		},
		Engine: Engine{
			Kind: "auto", Threads: 1, Step: "collapsed", Planes: field.Side, Quality: quality.Auto,
			GPUWait: "yield", GPUStorage: "fp32",
		},
		Body: Body{
			Kind: "sim", Scenario: "room", Seed: 7, Header: "auto", Guard: "auto",
			Board: "v4", Sonars: []string{"front"},
			SonarPeriod: Duration(60 * time.Millisecond), SonarMedian: 3, SonarBeyond: 1.5,
		},
		Brain:  Brain{Cruise: kit.TopSpeed, Arrival: 0.12, Planner: brain.PlannerTree, Cliff: "auto", Recall: true},
		Law:    DefaultLaw(),
		Manual: DefaultManual(), Memory: DefaultMemory(), Telemetry: DefaultTelemetry(), Record: DefaultRecord(),
		Forensics: DefaultForensics(),
		Log:       Log{Level: "info", Format: "auto", Status: Duration(time.Minute)},
		Web:       DefaultWeb(),
	}
}

// Params returns the section as the loop takes it.
func (c Loop) Params() loop.Params {
	return loop.Params{
		Period: time.Duration(c.Period), WarmUp: c.WarmUp,
		CPU: c.CPU, Priority: c.Priority, LockMemory: c.LockMemory,
	}
}

// Encode writes c as a commented file that Parse reads back unchanged.
func (c Config) Encode() ([]byte, error) {
	text, err := toml.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("config: encode configuration: %w", err)
	}
	return text, nil
}
