package loop

import "time"

// Strain says how the loop copes with its period.
type Strain uint8

// Levels of strain, from best to worst.
const (
	Steady     Strain = iota // no overrun within the window
	Strained                 // some: worth a line and a lower quality rung
	Overloaded               // too many, or one long hole: stop the car
)

// String returns the level's name as logs and telemetry print it.
func (s Strain) String() string {
	switch s {
	case Steady:
		return "steady"
	case Strained:
		return "strained"
	case Overloaded:
		return "overloaded"
	}
	return "unknown"
}

// OverloadParams are the limits between the levels of strain.
type OverloadParams struct {
	Window int           // ticks looked back upon, 1 .. 1024
	Stop   int           // overruns within the window that mean Overloaded, at least 1
	Pause  time.Duration // one hole this long means Overloaded (a suspended or stopped process)
}

// DefaultOverload looks back one second at the default period. Ten overruns in
// it are one every 100 ms; a hole of 300 ms is twice the body's command lease,
// so the motors have been ramping down by themselves when the loop comes back.
func DefaultOverload() OverloadParams {
	return OverloadParams{Window: 200, Stop: 10, Pause: 300 * time.Millisecond}
}

const maxWindow = 1024

// Overload is the policy that turns overruns into a level of strain. It returns
// the level at every tick, not only its changes: the caller acts when it rises.
type Overload struct {
	p      OverloadParams
	period time.Duration
	ring   [maxWindow]bool
	at     int
	count  int
}

// NewOverload returns a policy for a loop of the given period, with the window
// forced into its legal range.
func NewOverload(p OverloadParams, period time.Duration) *Overload {
	p.Window = min(max(p.Window, 1), maxWindow)
	p.Stop = max(p.Stop, 1)
	return &Overload{p: p, period: period}
}

// Observe takes the periods skipped after one tick and returns the strain. It
// does not allocate; the loop's thread calls it.
func (o *Overload) Observe(skipped int) Strain {
	if o.ring[o.at] {
		o.count--
	}
	o.ring[o.at] = skipped > 0
	if skipped > 0 {
		o.count++
	}
	o.at = (o.at + 1) % o.p.Window
	hole := time.Duration(skipped) * o.period
	switch {
	case o.count >= o.p.Stop || o.p.Pause > 0 && hole >= o.p.Pause:
		return Overloaded
	case o.count > 0:
		return Strained
	}
	return Steady
}
