package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fieldbrain/verdict"
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
	Paced      *Doorbell   `json:"paced,omitempty"`    // the same, one in each period

	Claims []verdict.Judgement `json:"claims"`
	Void   bool                `json:"void"` // one of them is
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
	Name   string           `json:"name"`
	Us     float64          `json:"us"`               // median over rounds of a burst's mean
	P99    float64          `json:"p99_us"`           // of the same
	XCopy  verdict.Interval `json:"x_copy"`           // it over the copy of the same round
	XScale verdict.Interval `json:"x_scale"`          // the same over the scale kernel
	Bytes  int              `json:"bytes"`            // at least
	GBs    float64          `json:"gb_s"`             // of these bytes
	RaysS  float64          `json:"rays_s,omitempty"` // per second, of a stage that casts them
	Note   string           `json:"note,omitempty"`
}

// An Ablation is what one choice buys: one way of doing it and the other.
type Ablation struct {
	Name    string  `json:"name"`
	On      string  `json:"on,omitempty"`
	Off     string  `json:"off,omitempty"`
	Clock   string  `json:"clock,omitempty"` // what took the times: device or host
	OnUs    float64 `json:"on_us"`
	OffUs   float64 `json:"off_us"`
	Default string  `json:"default"` // what the daemon does
	Note    string  `json:"note,omitempty"`

	Gain   verdict.Interval `json:"gain"`             // off over on in one round; no rounds: not measured
	Faster verdict.Verdict  `json:"faster,omitempty"` // held: on is; missed: off is; void: not shown
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

	Period float64 `json:"period_ms,omitempty"` // from one to the next; 0: as fast as they go
}

// Decode reads the JSON of a report. An unknown key is refused: the program that
// wrote it is of another version. So is what lacks a card, or anything that was found on it.
func Decode(text []byte) (*Report, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	r := new(Report)
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("bench: read the report: %w; are fieldbrain and fieldbrain-gpu of one version?", err)
	}
	if r.Device == "" || len(r.Rows)+len(r.Claims) == 0 {
		return nil, errors.New("bench: this is no report: it has no card, or neither rows nor claims; fieldbrain bench gpu --json writes one")
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

// claims judges the run, by limits in microseconds or ratios; some are for one
// card, and none for the software driver. What was not measured is not judged.
func (r *Report) claims(stages []Stage) ([]verdict.Judgement, error) {
	list := []verdict.Judgement{}
	if r.IsSoftware {
		return list, nil
	}
	var failed error
	most := func(name, stage string, limit float64) {
		i := slices.IndexFunc(stages, func(s Stage) bool { return s.Name == stage })
		if i < 0 {
			return
		}
		ratio, err := verdict.Scaled(stages[i].us, limit)
		failed = errors.Join(failed, err)
		list = append(list, verdict.Claim{Name: fmt.Sprintf("%s over %g us", name, limit), Direction: verdict.AtMost, Limit: 1}.Judge(ratio))
	}
	if strings.Contains(r.Device, "H200") {
		if r.Step == "dense" {
			claim := verdict.Claim{Name: "dense full cycle over the scale kernel", Direction: verdict.AtMost, Limit: 2.5}
			list = append(list, claim.Judge(r.row(Cycle).XScale))
		}
		most("planner on an H200", Planner, 15)
	}
	most(Evolve, Evolve, 100)
	most(Pattern, Pattern, 100)
	most(Gradient, Gradient, 50)
	most(Motor, Motor, 50)
	dense := r.Step == "dense"
	switch {
	case strings.Contains(r.Device, "4090") && dense:
		most("dense full cycle on a 4090", Cycle, 15)
	case strings.Contains(r.Device, "Orin") && dense:
		claim := verdict.Claim{Name: "dense full cycle on an Orin over the copy", Direction: verdict.AtMost, Limit: 1.6}
		list = append(list, claim.Judge(r.row(Cycle).XCopy))
	}
	switch {
	case strings.Contains(r.Device, "4090"):
		most("full cycle on a 4090", Cycle, 1000)
	case strings.Contains(r.Device, "Orin"):
		most("full cycle on an Orin", Cycle, 5000)
		most("planner on an Orin", Planner, 100) // that of an AGX
	}
	return list, failed
}
