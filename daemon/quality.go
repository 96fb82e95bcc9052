package daemon

import (
	"fmt"
	"time"
)

// A Quality is how the rung in force came about. What nobody knows is absent.
type Quality struct {
	Wanted  string    `json:"wanted,omitempty"`        // engine.quality: auto or a rung
	Since   time.Time `json:"since,omitzero"`          // wall time at which the rung was first seen
	Why     string    `json:"why,omitempty"`           // it is not the best one wanted
	Changes uint64    `json:"changes"`                 // of the rung, since the start
	Heat    string    `json:"heat,omitempty"`          // cool, warm or hot, empty without a sensor
	Sensor  string    `json:"sensor,omitempty"`        // of the temperature, the one nearest its limit
	Temp    *float64  `json:"temperature_c,omitempty"` // what it says, nil without
	Limit   *float64  `json:"hot_c,omitempty"`         // at which it is hot, nil without
	Mode    string    `json:"power_mode,omitempty"`
	Share   Reading   `json:"processor_share"` // of one processor that the daemon took in the last second
	Card    Reading   `json:"card_share"`      // that the graphics card's program took
	Gauges  string    `json:"-"`               // of the card in one line, as the governor saw them
}

// SetThermal fills in a reading of a Thermometer.
func (q *Quality) SetThermal(t Thermal) {
	q.Heat, q.Sensor, q.Temp, q.Limit, q.Mode = "", "", nil, nil, t.Mode
	if t.Sensor != "" { // without one a Thermometer takes the machine for cool
		q.Heat, q.Sensor, q.Temp, q.Limit = t.Heat.String(), t.Sensor, &t.Temp, &t.Limit
	}
}

// Thermal returns what is known of temperature and power mode, for people.
func (q Quality) Thermal() Thermal {
	t := Thermal{Mode: q.Mode}
	if q.Temp != nil && q.Limit != nil {
		t.Sensor, t.Temp, t.Limit = q.Sensor, *q.Temp, *q.Limit
	}
	return t
}

// Line returns the quality in one line, given the rung's name.
func (q Quality) Line(rung string) string {
	line := fmt.Sprintf("quality %s: %s", rung, q.Why)
	if q.Wanted == rung {
		line = fmt.Sprintf("quality %s: fixed", rung)
	}
	if !q.Since.IsZero() && q.Changes > 0 {
		line += fmt.Sprintf(", since %s, changes: %d", q.Since.Format("15:04:05"), q.Changes)
	}
	return line + "; " + q.Thermal().String() + q.shares()
}

// shares says how much of one processor daemon and card's program take, as far as that
// is known.
func (q Quality) shares() (text string) {
	if q.Share.OK {
		text = fmt.Sprintf("; daemon %.1f %% of one processor", 100*q.Share.Value)
	}
	if q.Card.OK {
		text += fmt.Sprintf(", card's program %.1f %%", 100*q.Card.Value)
	}
	return text
}
