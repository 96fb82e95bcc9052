package field

import "time"

// A Channel describes one part of the field, 32x32x32 cells: its axes, its regime and its
// sources.
type Channel struct {
	Name       string
	Mask       Mask
	Regime     Regime
	Tau        time.Duration // time constant; for Memory the build-up time
	Decay      time.Duration // Memory: time constant of forgetting
	Diffusion  float32       // nu per 5 ms, see Params
	Noise      float32       // q, stationary standard deviation
	Egocentric bool          // advected by the body's own motion
	Source     int           // Memory, Leaky: the channel followed
	Preshape   float32       // c_pre, gain of this channel's own memory trace
	Trace      int           // the memory trace that preshapes it, or -1
	Planes     int           // along Z of a channel localised on all axes, 16 or 8; 0: all 32 (see Planes)
}

// The channels that the tick addresses by number (B.5.2).
const (
	RangeSeen  = 0  // RANGE: echoes as seen
	Loom       = 1  // LOOM: closing ranges
	Ground     = 2  // GROUND: floor reflectance under the bar
	Line       = 3  // LINE: line bearing from the floor bar
	CliffEdge  = 4  // CLIFF: edges under the bar
	Light      = 5  // LIGHT: luminance columns
	TargetSeen = 7  // TARGET: the goal as seen
	Steer      = 10 // STEER: own steering angle
	SpeedOwn   = 11 // SPEED_OWN: own speed
	GazeOwn    = 12 // GAZE_OWN: own gaze
	Body       = 13 // BODY: battery level
	Contact    = 14 // CONTACT: contact hypotheses
	FirstTrace = 16 // memory trace of channel c-16
	ObstMap    = 32 // OBST_MAP: obstacles around the body
	GoalMem    = 33 // GOAL_MEM: remembered goal
	LineMem    = 34 // LINE_MEM: remembered line
	HazardMap  = 35 // HAZARD_MAP: remembered cliffs
	VisitedMap = 36 // VISITED: where the body has been
	HeadTrace  = 37 // HEAD_TRACE, SPEED_TRACE, GAZE_TRACE: what the car did
	HeadPref   = 40 // HEAD_PREF, SPEED_PREF, GAZE_PREF: recalled (pattern library)
	PlanHead   = 43 // PLAN_HEAD: planned heading
	PlanSpeed  = 44 // PLAN_SPEED: planned throttle
	FirstFree  = 45 // FREE_0 and the next two: associative
	Heading    = 48 // HEADING: the steering decision
	Speed      = 49 // SPEED: the speed decision
	Gaze       = 50 // GAZE: where to look
	Novelty    = 51 // NOVELTY: prediction error
	EscapeSide = 52 // ESC_SIDE: which way out
	Mode       = 53 // CRUISE, AVOID, LINE, SEEK, ESCAPE, REST: six mirrors
	FirstUser  = 59 // USER_0 to USER_4: the user's own
)

// The channels that patterns keep (B.5.2).
const (
	FirstStrategic = 32
	Strategic      = 16
)

const ms = time.Millisecond

// perception returns the sixteen perception channels (0..15).
func perception() []Channel {
	ch := func(name string, m Mask, r Regime, tau time.Duration) Channel {
		return Channel{Name: name, Mask: m, Regime: r, Tau: tau}
	}
	return []Channel{
		ch("RANGE", XY, DET2(), 30*ms), ch("LOOM", X, DET1(), 30*ms),
		ch("GROUND", XZ, DET2(), 30*ms), ch("LINE", X, SEL1(), 30*ms),
		ch("CLIFF", X, DET1(), 20*ms), ch("LIGHT", X, SEL1(), 60*ms),
		ch("MOTION", X, DET1(), 40*ms), ch("TARGET", XYZ, SEL3(), 60*ms),
		ch("LINE_CAM", X, SEL1(), 40*ms), ch("PERSON", XY, SEL2(), 60*ms),
		ch("STEER", X, LIN(), 20*ms), ch("SPEED_OWN", Y, LIN(), 20*ms),
		ch("GAZE_OWN", XY, LIN(), 20*ms), ch("BODY", Z, LIN(), 200*ms),
		ch("CONTACT", X, HYS1(), 30*ms), ch("USER", X, DET1(), 30*ms),
	}
}

// strategic returns the channels 32..47: maps, memories, preferences.
func strategic() []Channel {
	const s = time.Second
	return []Channel{
		{Name: "OBST_MAP", Mask: XY, Regime: MAPT(), Tau: 50 * ms, Decay: 8 * s, Egocentric: true},
		{Name: "GOAL_MEM", Mask: XY, Regime: MEM2(), Tau: 80 * ms, Egocentric: true},
		{Name: "LINE_MEM", Mask: X, Regime: MEM1(), Tau: 50 * ms},
		{Name: "HAZARD_MAP", Mask: XY, Regime: MAPT(), Tau: 50 * ms, Decay: 20 * s, Egocentric: true},
		{Name: "VISITED", Mask: XY, Regime: MAPT(), Tau: 500 * ms, Decay: 15 * s, Egocentric: true},
		{Name: "HEAD_TRACE", Mask: X, Regime: AVGT(), Tau: 1500 * ms, Source: Heading},
		{Name: "SPEED_TRACE", Mask: Y, Regime: AVGT(), Tau: 1500 * ms, Source: Speed},
		{Name: "GAZE_TRACE", Mask: XY, Regime: AVGT(), Tau: 1500 * ms, Source: Gaze},
		{Name: "HEAD_PREF", Mask: X, Regime: LIN(), Tau: 200 * ms},
		{Name: "SPEED_PREF", Mask: Y, Regime: LIN(), Tau: 200 * ms},
		{Name: "GAZE_PREF", Mask: XY, Regime: LIN(), Tau: 200 * ms},
		{Name: "PLAN_HEAD", Mask: X, Regime: LIN(), Tau: 200 * ms},
		{Name: "PLAN_SPEED", Mask: Y, Regime: LIN(), Tau: 200 * ms},
		{Name: "FREE_0", Mask: XYZ, Regime: LIN(), Tau: s},
		{Name: "FREE_1", Mask: XYZ, Regime: LIN(), Tau: s},
		{Name: "FREE_2", Mask: XYZ, Regime: LIN(), Tau: s},
	}
}

// decision returns the channels 48..63: decisions, mirrors and the user's own.
func decision() []Channel {
	list := []Channel{
		{Name: "HEADING", Mask: X, Regime: HYS1(), Tau: 80 * ms, Noise: 0.25},
		{Name: "SPEED", Mask: Y, Regime: DET1(), Tau: 30 * ms},
		{Name: "GAZE", Mask: XY, Regime: SEL2(), Tau: 120 * ms, Egocentric: true},
		{Name: "NOVELTY", Mask: XY, Regime: DET2(), Tau: 100 * ms},
		{Name: "ESC_SIDE", Mask: X, Regime: MEM1(), Tau: 50 * ms},
	}
	for _, name := range []string{"CRUISE", "AVOID", "LINE_MODE", "SEEK", "ESCAPE", "REST"} {
		list = append(list, Channel{Name: name, Mask: Uniform, Regime: LIN(), Tau: 50 * ms})
	}
	for _, name := range []string{"USER_0", "USER_1", "USER_2", "USER_3", "USER_4"} {
		list = append(list, Channel{Name: name, Mask: X, Regime: DET1(), Tau: 30 * ms})
	}
	return list
}

// PiCarX returns the default channel table (B.5.2). Perception channels are
// preshaped by their memory traces with gain 1.5, below every detection
// threshold; activations diffuse with nu = 0.02 per 5 ms, traces, maps and
// population codes do not.
func PiCarX() [Channels]Channel {
	var table [Channels]Channel
	for c, ch := range perception() {
		ch.Trace, ch.Preshape = FirstTrace+c, 1.5
		if ch.Regime.Kind == Linear {
			ch.Trace, ch.Preshape = -1, 0
		}
		table[c] = ch
		table[FirstTrace+c] = Channel{
			Name: ch.Name + "_TRACE", Mask: ch.Mask, Regime: MEMT(),
			Tau: 2 * time.Second, Decay: time.Minute, Source: c, Trace: -1,
		}
	}
	for i, ch := range append(strategic(), decision()...) {
		ch.Trace = -1
		table[FirstStrategic+i] = ch
	}
	for c := range table {
		if table[c].Regime.Kind == Amari {
			table[c].Diffusion = 0.02
		}
	}
	return table
}
