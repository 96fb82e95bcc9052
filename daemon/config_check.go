package daemon

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldbrain/brain"
)

// sonarNames are the names of body.sonars in the order of robot.State.Range.
var sonarNames = []string{"front", "left30", "right30", "left60", "right60", "left90", "right90", "rear"}

// maxSocket is the longest path a Unix socket can have (struct sockaddr_un).
const maxSocket = 107

// Limits of the wait for a card: below, no card answers; above, the car has
// long been stopped by the loop's watchdog.
const (
	minGPUDeadline = 100 * time.Microsecond
	maxGPUDeadline = 10 * time.Second
)

// choices returns the legal words of a key that takes one of a few, else nil.
func choices(key string) []string {
	switch key {
	case "engine.kind":
		return []string{"auto", "cuda", "avx512", "avx2", "sse", "neon", "purego"}
	case "engine.step":
		return []string{"collapsed", "dense"}
	case "engine.quality":
		return brain.Qualities()
	case "engine.gpu_wait":
		return []string{"spin", "yield", "block"}
	case "engine.gpu_storage":
		return []string{"fp32", "fp16"}
	case "body.kind":
		return []string{"sim", "picarx"}
	case "body.header":
		return []string{"auto", "orin-nano", "agx-orin", "pi"}
	case "body.board":
		return []string{"v4", "v5", "v6", "fusion"}
	case "brain.cliff":
		return []string{"auto", "on", "off"}
	case "log.level":
		return []string{"trace", "debug", "info", "warn", "error"}
	case "log.format":
		return []string{"auto", "text", "json"}
	}
	return nil
}

// Validate checks every value against the limits that the comments state and
// returns all complaints at once as Complaints (without file and line), or nil.
func (c Config) Validate() error {
	var cs Complaints
	wrong := func(key, remedy, format string, args ...any) {
		cs = append(cs, Complaint{Key: key, Reason: fmt.Sprintf(format, args...), Remedy: remedy})
	}
	oneOf := func(key, got string) {
		if legal := choices(key); !slices.Contains(legal, got) {
			wrong(key, "choose one of "+strings.Join(legal, ", "), "%q is not known", got)
		}
	}
	whole := func(key string, got, low, high int64) {
		if got < low || got > high {
			wrong(key, fmt.Sprintf("choose %d .. %d", low, high), "%d is out of range", got)
		}
	}
	if p := time.Duration(c.Loop.Period); p < MinPeriod || p > MaxPeriod {
		wrong("loop.period", fmt.Sprintf("choose %v .. %v", MinPeriod, MaxPeriod), "%v is out of range", p)
	}
	whole("loop.cpu", int64(c.Loop.CPU), -1, 1023)
	whole("loop.priority", int64(c.Loop.Priority), 0, 98)
	whole("loop.warm_up", int64(c.Loop.WarmUp), 1, 10000)
	oneOf("engine.kind", c.Engine.Kind)
	whole("engine.threads", int64(c.Engine.Threads), 1, 16)
	oneOf("engine.step", c.Engine.Step)
	oneOf("engine.quality", c.Engine.Quality)
	if d := c.Engine.Budget; d < 0 || d > c.Loop.Period {
		wrong("engine.budget", fmt.Sprintf("choose up to loop.period, %v, or 0s for half of it", time.Duration(c.Loop.Period)), "%v is out of range", time.Duration(d))
	}
	if h := c.Engine.Hot; h != 0 && !(h >= 40 && h <= 125) { // written so that NaN fails
		wrong("engine.hot", "choose 40 .. 125 C, or 0 for each sensor's own", "%v is out of range", h)
	}
	if d := time.Duration(c.Engine.GPUDeadline); d != 0 && (d < minGPUDeadline || d > maxGPUDeadline) {
		wrong("engine.gpu_deadline", fmt.Sprintf("choose %v .. %v, or 0s for half of loop.period", minGPUDeadline, maxGPUDeadline), "%v is out of range", d)
	}
	if c.Body.Kind == "picarx" && c.Engine.GPU() && c.Engine.GPUDeadline > c.Loop.Period/2 {
		wrong("engine.gpu_deadline", fmt.Sprintf("choose half of loop.period, %v, at most", time.Duration(c.Loop.Period)/2),
			"%v: when a card hangs, the processor must still be able to step in the same period", time.Duration(c.Engine.GPUDeadline))
	}
	oneOf("engine.gpu_wait", c.Engine.GPUWait)
	oneOf("engine.gpu_storage", c.Engine.GPUStorage)
	oneOf("brain.cliff", c.Brain.Cliff)
	if v := c.Brain.Cruise; !(v >= 0.05 && v <= 0.35) { // written so that NaN fails
		wrong("brain.cruise", "choose 0.05 .. 0.35 m/s", "%v is out of range", v)
	}
	oneOf("log.level", c.Log.Level)
	oneOf("log.format", c.Log.Format)
	if n := len(c.Control.Socket); n > maxSocket {
		wrong("control.socket", "choose a shorter path", "the path has %d bytes, a Unix socket's can have %d", n, maxSocket)
	}
	cs = append(cs, c.Body.validate()...)
	cs = append(cs, c.Memory.validate()...)
	if len(cs) == 0 {
		return nil
	}
	return cs
}

// validate checks section [body].
func (c BodyConfig) validate() (cs Complaints) {
	wrong := func(key, remedy, format string, args ...any) {
		cs = append(cs, Complaint{Key: key, Reason: fmt.Sprintf(format, args...), Remedy: remedy})
	}
	oneOf := func(key, got string) {
		if legal := choices(key); !slices.Contains(legal, got) {
			wrong(key, "choose one of "+strings.Join(legal, ", "), "%q is not known", got)
		}
	}
	oneOf("body.kind", c.Kind)
	oneOf("body.header", c.Header)
	oneOf("body.board", c.Board)
	if c.Scenario == "" {
		wrong("body.scenario", "write \"room\", or a name of fieldbrain sim --list", "the name is empty")
	}
	if c.Seed < 0 {
		wrong("body.seed", "choose 0 or more", "%d is negative", c.Seed)
	}
	if !slices.Contains([]int{0, 0x14, 0x15}, c.HatAddress) {
		wrong("body.hat_address", "choose 20 (0x14), 21 (0x15) or 0 to probe", "no Robot HAT V4 answers on %d (%#x)", c.HatAddress, c.HatAddress)
	}
	for i, name := range c.Sonars {
		if !slices.Contains(sonarNames, name) {
			wrong("body.sonars", "choose from "+strings.Join(sonarNames, ", "), "%q is not a place for a sonar", name)
		}
		if slices.Contains(c.Sonars[:i], name) {
			wrong("body.sonars", "name each sonar once", "%q stands twice", name)
		}
	}
	if !slices.Contains(c.Sonars, "front") {
		wrong("body.sonars", "add \"front\"", "the front sonar is missing and the car would drive blind")
	}
	return append(cs, c.validateTiming()...)
}

// Limits of the sonar's timing. The vendor asks for 20 ms between pings. A
// range older than 250 ms makes the car creep, so one may be lost. The
// stopping distance is 133 mm at 0.35 m/s, of which braking takes 41 mm: a
// range 100 ms old, its echo's flight and a median 120 ms behind still fit.
const (
	minSonarPeriod = 25 * time.Millisecond
	maxSonarPeriod = 100 * time.Millisecond
	maxSonarLag    = 120 * time.Millisecond
)

// validateTiming checks how often the sonar is heard and how far behind.
func (c BodyConfig) validateTiming() (cs Complaints) {
	wrong := func(key, remedy, format string, args ...any) {
		cs = append(cs, Complaint{Key: key, Reason: fmt.Sprintf(format, args...), Remedy: remedy})
	}
	period, behind := time.Duration(c.SonarPeriod), (c.SonarMedian-1)/2
	switch {
	case period < minSonarPeriod || period > maxSonarPeriod:
		wrong("body.sonar_period", fmt.Sprintf("choose %v .. %v", minSonarPeriod, maxSonarPeriod), "%v is out of range", period)
	case !slices.Contains([]int{1, 3, 5}, c.SonarMedian):
	case time.Duration(behind)*period > maxSonarLag:
		wrong("body.sonar_median", fmt.Sprintf("choose 3, or sonar_period = %q at most", maxSonarLag/time.Duration(behind)),
			"of %d ranges every %v the median lags %v, too far to stop in time", c.SonarMedian, period, time.Duration(behind)*period)
	}
	if !slices.Contains([]int{1, 3, 5}, c.SonarMedian) {
		wrong("body.sonar_median", "choose 1, 3 or 5", "%d is out of range", c.SonarMedian)
	}
	return cs
}
