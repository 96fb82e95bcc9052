package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"fieldbrain/brain"
	"fieldbrain/brain/quality"
	"fieldbrain/field"
	"fieldbrain/robot"
)

// maxSocket is the longest path of a control socket: a Unix socket's is at most
// 107 bytes (struct sockaddr_un), and beside it stands one with the ending .stop.
const maxSocket = 107 - len(".stop")

// Limits of the wait for a card: below, no card answers; above, the car has
// long been stopped by the loop's watchdog.
const (
	minGPUDeadline = 100 * time.Microsecond
	maxGPUDeadline = 10 * time.Second
)

// choices returns the legal words of the keys that take one of a few.
func choices() map[string][]string {
	return map[string][]string{
		"engine.kind":        {"auto", "cuda", "avx512", "avx2", "sse", "neon", "purego"},
		"engine.step":        {"collapsed", "dense"},
		"engine.quality":     quality.Names(),
		"engine.gpu_wait":    {"spin", "yield", "block"},
		"engine.gpu_storage": {"fp32", "fp16"},
		"body.kind":          {"sim", "picarx"},
		"body.header":        {"auto", "orin-nano", "agx-orin", "pi", "bench"},
		"body.guard":         {"auto", "off"},
		"body.board":         {"v4", "v5", "v6", "fusion"},
		"brain.planner":      brain.Planners(),
		"brain.cliff":        {"auto", "on", "off"},
		"log.level":          {"trace", "debug", "info", "warn", "error"},
		"log.format":         {"auto", "text", "json"},
	}
}

// A checker gathers complaints.
type checker struct{ found Complaints }

// wrong complains about a key.
func (k *checker) wrong(key, remedy, format string, args ...any) {
	k.found = append(k.found, Complaint{Key: key, Reason: fmt.Sprintf(format, args...), Remedy: remedy})
}

// socket complains about the path of a socket that cannot be a file of its own.
func (k *checker) socket(key, path string) {
	if strings.HasPrefix(path, "@") {
		k.wrong(key, "choose a path that begins with / or a folder's name", "%q names no file: what begins with @ lies outside every folder, and anybody may take it", path)
	}
	if n := len(path); n > maxSocket {
		k.wrong(key, "choose a shorter path", "the path has %d bytes, with the stop's socket beside it one can have %d", n, maxSocket)
	}
}

// element is the key of a list's element: a key has one complaint, a list as many as it has
// wrong elements.
func element(key string, i int) string { return fmt.Sprintf("%s.%d", key, i) }

// oneOf wants one of the legal words of a key.
func (k *checker) oneOf(key, got string) {
	if legal := choices()[key]; !slices.Contains(legal, got) {
		k.wrong(key, "choose one of "+strings.Join(legal, ", "), "%.200q is not known", got)
	}
}

// whole wants a whole number within limits.
func (k *checker) whole(key string, got, low, high int64) {
	if got < low || got > high {
		k.wrong(key, fmt.Sprintf("choose %d .. %d", low, high), "%d is out of range", got)
	}
}

// text wants what a person can write: a path or a name without control characters.
func (k *checker) text(key, got string) {
	if strings.ContainsFunc(got, unicode.IsControl) {
		k.wrong(key, "write it without", "holds a control character")
	}
}

// parameter wants a value that people may set while the car drives, too: the limits are one.
// The car is a PiCar-X.
func (k *checker) parameter(d brain.Parameter, got float64) {
	low, high := d.Limits(brain.Default().Top)
	if v := float32(got); !(v >= low && v <= high) { // written so that NaN fails
		k.wrong(d.Key(), fmt.Sprintf("choose %v .. %v %s", low, high, d.Unit()), "%v is out of range", got)
	}
}

// span wants a duration within limits; zero says what 0s means, empty when it
// means nothing.
func (k *checker) span(key string, got Duration, low, high time.Duration, zero string) {
	d, remedy := time.Duration(got), fmt.Sprintf("choose %v .. %v", low, high)
	if zero != "" {
		if d == 0 {
			return
		}
		remedy += ", or 0s for " + zero
	}
	if d < low || d > high {
		k.wrong(key, remedy, "%v is out of range", d)
	}
}

// Validate checks every value against the limits that the comments state and
// returns all complaints at once as Complaints (without file and line), or nil.
func (c Config) Validate() error {
	var k checker
	c.Loop.check(&k)
	c.Engine.check(&k, time.Duration(c.Loop.Period))
	if c.Body.Kind == "picarx" && c.Engine.GPU() && time.Duration(c.Engine.GPUDeadline) > max(time.Duration(c.Loop.Period), field.MinPeriod)/2 {
		k.wrong("engine.gpu_deadline", fmt.Sprintf("choose half of loop.period, %v, at most", time.Duration(c.Loop.Period)/2),
			"%v: when a card hangs, the processor must still be able to step in the same period", time.Duration(c.Engine.GPUDeadline))
	}
	k.oneOf("brain.cliff", c.Brain.Cliff)
	k.oneOf("brain.planner", c.Brain.Planner)
	k.parameter(brain.ParameterCruise, c.Brain.Cruise)
	k.parameter(brain.ParameterArrival, c.Brain.Arrival)
	k.oneOf("log.level", c.Log.Level)
	k.oneOf("log.format", c.Log.Format)
	k.span("log.status", c.Log.Status, time.Second, 24*time.Hour, "none")
	k.text("control.socket", c.Control.Socket)
	k.socket("control.socket", c.Control.Socket)
	c.Body.check(&k)
	c.Law.check(&k)
	c.Manual.check(&k)
	c.Memory.check(&k)
	c.Telemetry.check(&k)
	c.Record.check(&k)
	c.Forensics.check(&k)
	c.Web.check(&k)
	if len(k.found) == 0 {
		return nil
	}
	return k.found
}

// Warnings returns settings that are legal but that nobody can have meant.
func (c Config) Warnings() Complaints {
	var k checker
	if c.Body.Kind == "picarx" && c.Brain.Goal {
		k.wrong("brain.goal", "leave it out, or drive the simulated car", "a PiCar-X has no sensor that sees a beacon: nothing will come of it")
	}
	if c.Body.Kind == "sim" && c.Body.Calibration != "" {
		k.wrong("body.calibration", "none needed; the real car reads it", "%s: the simulated car has a calibration of its own and does not look at this file", c.Body.Calibration)
	}
	return k.found
}

// check checks section [loop].
func (c Loop) check(k *checker) {
	k.span("loop.period", c.Period, field.MinPeriod, field.MaxPeriod, "")
	k.whole("loop.cpu", int64(c.CPU), -1, 1023)
	k.whole("loop.priority", int64(c.Priority), 0, 98)
	k.whole("loop.warm_up", int64(c.WarmUp), 1, 10000)
}

// check checks section [engine] for a period of the loop.
func (c Engine) check(k *checker, period time.Duration) {
	k.oneOf("engine.kind", c.Kind)
	k.whole("engine.threads", int64(c.Threads), 1, 16)
	k.oneOf("engine.step", c.Step)
	c.checkPlanes(k)
	k.oneOf("engine.quality", c.Quality)
	if d := time.Duration(c.Budget); d < 0 || d > max(period, field.MinPeriod) { // a period below has a complaint of its own
		k.wrong("engine.budget", fmt.Sprintf("choose up to loop.period, %v, or 0s for half of it", period), "%v is out of range", d)
	}
	if h := c.Hot; h != 0 && !(h >= 40 && h <= 125) { // written so that NaN fails
		k.wrong("engine.hot", "choose 40 .. 125 C, or 0 for each sensor's own", "%v is out of range", h)
	}
	k.span("engine.gpu_deadline", c.GPUDeadline, minGPUDeadline, maxGPUDeadline, "half of loop.period")
	if k.text("engine.gpu_path", c.GPUPath); c.GPUPath != "" && !filepath.IsAbs(c.GPUPath) {
		k.wrong("engine.gpu_path", "write the whole path, or nothing for the one beside this program", "%.200q is no absolute path: another folder would start another program", c.GPUPath)
	}
	k.oneOf("engine.gpu_wait", c.GPUWait)
	k.oneOf("engine.gpu_storage", c.GPUStorage)
}

// checkPlanes checks how many planes the field has, and for whom.
func (c Engine) checkPlanes(k *checker) {
	if legal := field.Planes(); !slices.Contains(legal, c.Planes) {
		k.wrong("engine.planes", fmt.Sprintf("choose %d for the whole field, %d or %d", legal[0], legal[1], legal[2]), "%d is not known", c.Planes)
		return
	}
	if c.Planes != field.Side && c.Kind == "cuda" {
		k.wrong("engine.planes", "write 32, or engine.kind = \"auto\" or an engine of the processor", "%d: a graphics card steps all 32 planes only", c.Planes)
	}
}

// check checks section [body].
func (c Body) check(k *checker) {
	k.oneOf("body.kind", c.Kind)
	k.oneOf("body.header", c.Header)
	k.oneOf("body.board", c.Board)
	k.text("body.scenario", c.Scenario)
	k.text("body.bus", c.Bus)
	c.checkGuard(k)
	k.text("body.calibration", c.Calibration)
	if c.Scenario == "" {
		k.wrong("body.scenario", "write \"room\", or a name of fieldbrain sim --list", "the name is empty")
	}
	if c.Seed < 0 {
		k.wrong("body.seed", "choose 0 or more", "%d is negative", c.Seed)
	}
	if !slices.Contains([]int{0, 0x14, 0x15}, c.HatAddress) {
		k.wrong("body.hat_address", "choose 20 (0x14), 21 (0x15) or 0 to probe", "no Robot HAT V4 answers on %d (%#x)", c.HatAddress, c.HatAddress)
	}
	sectors := robot.SectorNames()
	for i, name := range c.Sonars {
		if !slices.Contains(sectors[:], name) {
			k.wrong(element("body.sonars", i), "choose from "+strings.Join(sectors[:], ", "), "%.200q is not a place for a sonar", name)
		}
		if slices.Contains(c.Sonars[:i], name) {
			k.wrong(element("body.sonars", i), "name each sonar once", "%q stands twice", name)
		}
	}
	if !slices.Contains(c.Sonars, "front") {
		k.wrong("body.sonars", "add \"front\"", "the front sonar is missing and the car would drive blind")
	}
	c.checkTiming(k)
}

// checkGuard lets nothing but a simulated HAT do without the guard.
func (c Body) checkGuard(k *checker) {
	k.oneOf("body.guard", c.Guard)
	k.text("body.guard_socket", c.GuardSocket)
	k.socket("body.guard_socket", c.GuardSocket)
	switch {
	case c.Kind != "picarx":
	case c.Guard == "off" && c.Header != "bench":
		k.wrong("body.guard", "write \"auto\" and start fieldbrain-guard", "a real car does not drive without its guard: a killed daemon would leave the motors on")
	case c.Header == "bench" && c.Bus == "":
		k.wrong("body.bus", "name the socket of a simulated HAT", "header bench has no bus of its own")
	}
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

// maxADCGap leaves the bus time for the motors between the floor sensors' conversions.
const maxADCGap = time.Millisecond

// checkTiming checks the pause of a conversion, how often the brain gets a sonar range and
// how old it is.
func (c Body) checkTiming(k *checker) {
	if g := time.Duration(c.ADCGap); g < 0 || g > maxADCGap {
		k.wrong("body.adc_gap", fmt.Sprintf("choose 0s .. %v", maxADCGap), "%v is out of range", g)
	}
	period, behind := time.Duration(c.SonarPeriod), (c.SonarMedian-1)/2
	switch {
	case period < minSonarPeriod || period > maxSonarPeriod:
		k.wrong("body.sonar_period", fmt.Sprintf("choose %v .. %v", minSonarPeriod, maxSonarPeriod), "%v is out of range", period)
	case !slices.Contains([]int{1, 3, 5}, c.SonarMedian):
	case time.Duration(behind)*period > maxSonarLag:
		k.wrong("body.sonar_median", fmt.Sprintf("choose 3, or sonar_period = %q at most", maxSonarLag/time.Duration(behind)),
			"of %d ranges every %v the median lags %v, too far to stop in time", c.SonarMedian, period, time.Duration(behind)*period)
	}
	if b := c.SonarBeyond; !(b >= 0 && b <= 4) { // written so that NaN fails
		k.wrong("body.sonar_beyond", "choose 0 .. 4 m", "%v is out of range", b)
	}
	if !slices.Contains([]int{1, 3, 5}, c.SonarMedian) {
		k.wrong("body.sonar_median", "choose 1, 3 or 5", "%d is out of range", c.SonarMedian)
	}
}
