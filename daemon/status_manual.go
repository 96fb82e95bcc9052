package daemon

import (
	"fmt"

	"fieldbrain/brain"
)

// A DriverStatus is who drives.
type DriverStatus struct {
	Hand     string  `json:"hand"`             // brain, person, or lost: the source is silent or gone and the car stands
	Source   string  `json:"source,omitempty"` // name of the source that drives, or did until it was lost
	Throttle float32 `json:"throttle"`         // -1..1, what it wants
	Steering float32 `json:"steering"`         // -1..1, positive left
}

// NewDriverStatus describes who drives.
func NewDriverStatus(h brain.DriverState) DriverStatus {
	return DriverStatus{Hand: h.Driver.String(), Source: h.Source.String(), Throttle: h.Throttle, Steering: h.Steering}
}

// Line returns who drives in one line, empty for the brain.
func (d DriverStatus) Line() string {
	switch d.Hand {
	case brain.DriverPerson.String():
		return fmt.Sprintf("driven by %s  throttle %+.2f  steering %+.2f", d.Source, d.Throttle, d.Steering)
	case brain.DriverLost.String():
		return fmt.Sprintf("%s drove and is silent or gone: the car stands until somebody drives or gives an order", d.Source)
	}
	return ""
}
