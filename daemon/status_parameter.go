package daemon

import (
	"fmt"

	"fieldbrain/brain"
	"fieldbrain/daemon/telemetry"
)

// A ParameterStatus is a parameter that people may change while the car drives.
type ParameterStatus struct {
	Key   string   `json:"key"`             // of the configuration
	About string   `json:"about,omitempty"` // what it is
	Unit  string   `json:"unit,omitempty"`  // of the numbers; empty where they are indices of words
	Value float32  `json:"value"`           // in force
	Word  string   `json:"word,omitempty"`  // what the value means, where it is an index
	Start float32  `json:"start"`           // at the daemon's start, as configured
	Low   float32  `json:"low"`
	High  float32  `json:"high"`
	Words []string `json:"words,omitempty"`
}

// newParameter describes a parameter.
func newParameter(d *brain.ParameterStatus) ParameterStatus {
	p := ParameterStatus{
		Key: d.Parameter.Key(), About: d.Parameter.About(), Unit: d.Parameter.Unit(), Words: d.Parameter.Words(),
		Value: d.Value, Start: d.Start, Low: d.Low, High: d.High,
	}
	if p.Words != nil {
		p.Word = p.text(p.Value)
	}
	return p
}

// Parameters appends the brain's parameters to dst.
func Parameters(dst []ParameterStatus, r *brain.Remote) []ParameterStatus {
	var room [brain.NumParameters]brain.ParameterStatus
	for _, d := range r.Parameters(room[:0]) {
		dst = append(dst, newParameter(&d))
	}
	return dst
}

// SetPage writes the parameter into a page.
func (p *ParameterStatus) SetPage(to *telemetry.Parameter) {
	telemetry.SetText(to.Key[:], p.Key)
	telemetry.SetText(to.Unit[:], p.Unit)
	to.Value, to.Start, to.Low, to.High = p.Value, p.Start, p.Low, p.High
}

// parameterOf reads a parameter of a page, which may be anybody's. What it means is this
// program's knowledge.
func parameterOf(from *telemetry.Parameter) ParameterStatus {
	key := telemetry.Text(from.Key[:])
	d := brain.ParameterStatus{
		Setting: brain.Setting{Value: finite(from.Value)}, Start: finite(from.Start), Low: finite(from.Low),
		High: finite(from.High),
	}
	for _, known := range brain.Parameters() {
		if known.Key() == key {
			d.Parameter = known
		}
	}
	p := newParameter(&d)
	p.Key, p.Unit = Printable(key), Printable(telemetry.Text(from.Unit[:]))
	return p
}

// Changed reports whether somebody has changed it since the start.
func (p *ParameterStatus) Changed() bool { return p.Value != p.Start }

// text returns one of its values with the unit.
func (p *ParameterStatus) text(v float32) string {
	if v >= 0 && v < float32(len(p.Words)) {
		return p.Words[int(v)]
	}
	return fmt.Sprintf("%v %s", v, p.Unit)
}

// Line returns the parameter with its limits in one line.
func (p *ParameterStatus) Line() string {
	line := fmt.Sprintf("%s = %s", p.Key, p.text(p.Value))
	if p.Changed() {
		line += fmt.Sprintf(" (%s at the start)", p.text(p.Start))
	}
	return line
}

// Choice returns what it may be.
func (p *ParameterStatus) Choice() string {
	if p.Words != nil {
		return fmt.Sprintf("%s .. %s", p.Words[0], p.Words[len(p.Words)-1])
	}
	return fmt.Sprintf("%v .. %v %s", p.Low, p.High, p.Unit)
}
