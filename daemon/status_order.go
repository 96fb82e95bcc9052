package daemon

import (
	"fmt"
	"math"
	"strings"

	"fieldbrain/brain"
	"fieldbrain/brain/reckoning"
	"fieldbrain/daemon/telemetry"
)

// An OrderStatus is what the car was told to do and how far that has come.
type OrderStatus struct {
	Order    string   `json:"order"`             // start (what the configuration says), explore, line, goal X Y, home, hold or manual
	Number   uint64   `json:"number"`            // orders since the daemon began, 0 for start
	Standing string   `json:"standing"`          // waiting, under way, reached, given up or cancelled
	Why      string   `json:"why,omitempty"`     // given up: the reason
	Driving  float64  `json:"driving_s"`         // for which the car was free to carry it out
	Way      float64  `json:"driven_m"`          // meanwhile, both ways
	Detours  uint64   `json:"detours,omitempty"` // places left meanwhile because the car got nowhere there
	Left     *float64 `json:"left_m,omitempty"`  // to the goal as the crow flies, of goal and home
	Over     bool     `json:"over"`              // reached, given up or cancelled
}

// NewOrderStatus describes a mission.
func NewOrderStatus(e brain.Mission) OrderStatus {
	s := OrderStatus{
		Order: e.Order.String(), Number: e.Number, Standing: e.Standing.String(), Why: e.Why.String(),
		Driving: e.Driving.Seconds(), Way: e.Way, Detours: e.Detours, Over: e.Standing.Over(),
	}
	if e.Aimed() {
		s.Left = &e.Left
	}
	return s
}

// Line returns the order in one line.
func (s OrderStatus) Line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "order %s  %s", s.Order, s.Standing)
	if s.Why != "" {
		fmt.Fprintf(&b, " (%s)", s.Why)
	}
	if s.Left != nil {
		fmt.Fprintf(&b, "  %.2f m left", *s.Left)
	}
	fmt.Fprintf(&b, "  driven %.2f m in %.0f s", s.Way, s.Driving)
	if s.Detours > 0 {
		fmt.Fprintf(&b, "  detours %d", s.Detours)
	}
	return b.String()
}

// SetPage writes the order into the telemetry page.
func (s OrderStatus) SetPage(o *telemetry.Order) {
	telemetry.SetText(o.Text[:], s.Order)
	telemetry.SetText(o.Standing[:], s.Standing)
	telemetry.SetText(o.Why[:], s.Why)
	o.Number, o.Driving, o.Way = s.Number, float32(s.Driving), float32(s.Way)
	if s.Left != nil {
		o.Left = float32(*s.Left)
	}
	if s.Over {
		o.Over = 1
	}
}

// A PlaceStatus is where the car is in the frame of the start, by dead reckoning, and
// how sure it is: one standard deviation.
type PlaceStatus struct {
	X       float64 `json:"x_m"`         // ahead, as the car stood at the start
	Y       float64 `json:"y_m"`         // to the left
	Heading float64 `json:"heading_rad"` // positive left
	Off     float64 `json:"off_m"`       // uncertainty of the place
	Astray  float64 `json:"astray_rad"`  // of the heading
}

// NewPlaceStatus describes a fix.
func NewPlaceStatus(f reckoning.Fix) PlaceStatus { return PlaceStatus(f) }

// Line returns the place, seen from the start, in one line that 80 columns hold.
func (p PlaceStatus) Line() string {
	const degrees = 180 / math.Pi
	return fmt.Sprintf("place %+.2f m ahead  %+.2f m left  heading %+.0f deg  known to +-%.2f m, +-%.0f deg",
		p.X, p.Y, p.Heading*degrees, p.Off, p.Astray*degrees)
}
