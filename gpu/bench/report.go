package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Software is in the name of the software driver's device: its times mean
// nothing.
const Software = "softcuda"

// A Report is one whole run on one card.
type Report struct {
	Device     string `json:"device"`
	Compute    string `json:"compute"` // capability, "9.0"
	Processors int    `json:"multiprocessors"`
	Memory     int64  `json:"memory_bytes"`
	Cache      int    `json:"l2_bytes"`   // 0: the driver does not tell
	Clock      int    `json:"clock_khz"`  // the same
	MemClock   int    `json:"memory_khz"` // the same
	Driver     string `json:"driver"`     // the newest CUDA it knows, "12.4"
	Date       string `json:"date"`       // RFC 3339
	Step       string `json:"step"`       // dense or collapsed
	Wait       string `json:"wait"`
	Registered bool   `json:"registered"` // the kernels see the page itself
	IsSoftware bool   `json:"software"`   // times mean nothing

	Rounds     int         `json:"rounds"`
	Burst      int         `json:"burst"` // repetitions in one timed graph
	Yardsticks Yardsticks  `json:"yardsticks"`
	Rows       []Row       `json:"rows"`
	Ablation   []Ablation  `json:"ablation"`
	Latency    Percentiles `json:"latency"`            // launch to answer, in the child
	Doorbell   *Doorbell   `json:"doorbell,omitempty"` // page to page, in the client
	Goals      []Goal      `json:"goals"`
	Void       bool        `json:"void"` // a yardstick moved too far
}

// Yardsticks are what the card does at best with 8 MiB read and 8 MiB written.
type Yardsticks struct {
	Copy     float64 `json:"copy_us"`
	Scale    float64 `json:"scale_us"`
	CopyGBs  float64 `json:"copy_gb_s"`
	ScaleGBs float64 `json:"scale_gb_s"`
	Moved    float64 `json:"moved"` // how far the worst one moved within the run
}

// A Row is one stage's outcome, timed on the device.
type Row struct {
	Name   string  `json:"name"`
	Us     float64 `json:"us"`               // median over rounds of a burst's mean
	P99    float64 `json:"p99_us"`           // of the same
	XCopy  float64 `json:"x_copy"`           // median over rounds of it over the copy
	XScale float64 `json:"x_scale"`          // the same over the scale kernel
	Bytes  int     `json:"bytes"`            // at least
	GBs    float64 `json:"gb_s"`             // of these bytes
	RaysS  float64 `json:"rays_s,omitempty"` // per second, of a stage that casts them
	Note   string  `json:"note,omitempty"`
}

// An Ablation is what one choice buys: one way of doing it and the other.
type Ablation struct {
	Name    string  `json:"name"`
	On      string  `json:"on,omitempty"`
	Off     string  `json:"off,omitempty"`
	Clock   string  `json:"clock,omitempty"` // what took the times: device or host
	OnUs    float64 `json:"on_us"`
	OffUs   float64 `json:"off_us"`
	Gain    float64 `json:"gain"`    // median over rounds of off over on; 0: not measured
	Default string  `json:"default"` // what the daemon does
	Holds   bool    `json:"holds"`   // the default is the faster one
	Note    string  `json:"note,omitempty"`
}

// Percentiles of single times in microseconds.
type Percentiles struct {
	Count int     `json:"count"`
	P50   float64 `json:"p50_us"`
	P99   float64 `json:"p99_us"`
	P999  float64 `json:"p999_us"`
	Max   float64 `json:"max_us"`
}

// A Doorbell is the time of whole steps as the daemon makes them: input into the
// page, ring, wait, answer copied out and judged.
type Doorbell struct {
	Percentiles
	Engine string `json:"engine"` // that stepped
	Copies bool   `json:"copies"` // the child copies the page
}

// A Goal is one target and whether this run met it.
type Goal struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Limit float64 `json:"limit"`
	Met   bool    `json:"met"`
}

// Decode reads the JSON of a report. An unknown key is refused: the program that
// wrote it is of another version.
func Decode(text []byte) (*Report, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	r := new(Report)
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("bench: read the report: %w; are fieldbrain and fieldbrain-gpu of one version?", err)
	}
	return r, nil
}

// row returns a row by its name, or an empty one.
func (r *Report) row(name string) Row {
	for _, row := range r.Rows {
		if row.Name == name {
			return row
		}
	}
	return Row{}
}

// Names of the rows that goals are about.
const (
	Copy     = "copy 8+8 MiB"
	Scale    = "scale 8+8 MiB"
	Prep     = "prep"
	Evolve   = "evolve"
	Gradient = "gradient"
	Motor    = "motor"
	Pattern  = "pattern"
	Planner  = "planner"
	Cycle    = "full cycle"
)

// goals judges the run. Limits in microseconds, or a ratio; some are for one
// card, and none for the software driver.
func (r *Report) goals() []Goal {
	goals := []Goal{}
	if r.IsSoftware {
		return goals
	}
	add := func(name string, value, limit float64, strict bool) {
		met := value > 0 && (value < limit || value == limit && !strict)
		goals = append(goals, Goal{Name: name, Value: value, Limit: limit, Met: met})
	}
	if strings.Contains(r.Device, "H200") {
		if r.Step == "dense" {
			add("dense full cycle over the scale kernel", r.row(Cycle).XScale, 2.5, false)
		}
		add("planner on an H200, us", r.row(Planner).Us, 15, false)
	}
	add("evolve, us", r.row(Evolve).Us, 100, true)
	add("pattern, us", r.row(Pattern).Us, 100, true)
	add("gradient, us", r.row(Gradient).Us, 50, true)
	add("motor, us", r.row(Motor).Us, 50, true)
	switch {
	case strings.Contains(r.Device, "4090"):
		add("full cycle on a 4090, us", r.row(Cycle).Us, 1000, true)
	case strings.Contains(r.Device, "Orin"):
		add("full cycle on an Orin, us", r.row(Cycle).Us, 5000, true)
		add("planner on an Orin, us", r.row(Planner).Us, 100, false) // that of an AGX
	}
	return goals
}
