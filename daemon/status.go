package daemon

import (
	"fmt"
	"io"
	"strings"
	"time"

	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/recording"
)

// A Status is the daemon's report on itself: a plain value that a slow goroutine
// gathers from published copies.
type Status struct {
	Version    string            `json:"version"`
	PID        int               `json:"pid"`
	Since      time.Time         `json:"since"`             // wall time of the start
	Up         float64           `json:"up_s,omitempty"`    // s since then by a clock that nobody sets; 0 where nobody knows
	Body       string            `json:"body"`              // sim or picarx
	Engine     string            `json:"engine"`            // what steps the field: "avx2, collapsed, 1 thread"
	Rung       string            `json:"rung"`              // quality in force
	Armed      bool              `json:"armed"`             // whether commands reach the motors
	Failsafe   string            `json:"failsafe"`          // NORMAL .. LATCHED
	Causes     []string          `json:"causes,omitempty"`  // why not NORMAL
	Tripped    []string          `json:"tripped,omitempty"` // what disarmed the car last
	Hindrance  *Hindrance        `json:"hindrance,omitempty"`
	Order      OrderStatus       `json:"order"`
	Before     *OrderStatus      `json:"order_before,omitempty"` // the order before, with its end
	Driver     DriverStatus      `json:"driver"`                 // who drives
	Place      PlaceStatus       `json:"place"`
	Parameters []ParameterStatus `json:"parameters,omitempty"` // that people may change while the car drives
	Mode       string            `json:"mode"`                 // what the brain is doing: cruise, avoid, ...
	Planner    string            `json:"planner,omitempty"`    // brain.planner while the car plans, empty while it does not
	Speed      float32           `json:"speed_m_s"`            // commanded
	Steering   float32           `json:"steering_rad"`         // commanded, positive left
	Range      float32           `json:"front_range_m"`        // newest valid front range
	RangeOK    bool              `json:"front_range_ok"`       // whether there is one
	Beyond     bool              `json:"front_beyond"`         // it is how far nothing was heard, not where something is
	Battery    float32           `json:"battery_v,omitempty"`  // newest valid reading, 0 without
	Link       string            `json:"link"`                 // bus: up, degraded or down
	Quality    Quality           `json:"quality"`              // how the rung came about
	GPU        *GPUStatus        `json:"gpu,omitempty"`        // nil when no card is looked for
	Conditions []loop.Condition  `json:"conditions"`           // degraded parts
	Table      loop.Table        `json:"latency"`              // histograms and counters
	LogDropped uint64            `json:"log_lines_dropped"`
	Refused    uint64            `json:"connections_refused"`

	Heap   *HeapStatus   `json:"heap,omitempty"`   // nil of a page, which does not have it, and before the first look
	Memory *MemoryStatus `json:"memory,omitempty"` // nil when the configuration keeps nothing
	Page   *PageStatus   `json:"page,omitempty"`   // nil when the daemon itself answers

	Recording *recording.Status `json:"recording,omitempty"` // nil when nothing is recorded
}

// A HeapStatus describes the program's own memory. Nothing collects while the car is
// armed, unless the heap comes near its limit.
type HeapStatus struct {
	Used  uint64 `json:"used_bytes"`    // objects, dead ones too
	Grown uint64 `json:"grown_bytes"`   // since the collector was switched off
	Limit int64  `json:"limit_bytes"`   // of all the runtime's memory; there the runtime collects by itself
	Off   bool   `json:"collector_off"` // while the car is armed
}

// A GPUStatus describes the graphics card's program and counts the changes
// between card and processor.
type GPUStatus struct {
	Phase     string            `json:"phase"`             // starting, proving, proven, serving, waiting, given up or stopped
	Since     time.Time         `json:"since"`             // wall time at which that began
	Device    string            `json:"device"`            // name of the card, empty before the first answered
	PID       int               `json:"pid"`               // of the newest process
	Starts    uint64            `json:"starts"`            // processes started
	Proofs    uint64            `json:"proofs"`            // of these, those that computed the right field
	Ends      map[string]uint64 `json:"ends"`              // of these, ended, by reason: late, died, garbage, failed, start, proof
	Failovers uint64            `json:"failovers"`         // times the processor took over within a tick
	Returns   uint64            `json:"returns"`           // times a card took over
	Late      uint32            `json:"late_answers"`      // of the last LateOf ticks
	LateOf    uint32            `json:"late_of_ticks"`     // over which they are counted
	Behind    uint32            `json:"behind_ticks"`      // that the card has yet to step, 0 while it keeps up
	StoodIn   uint64            `json:"stood_in_ticks"`    // that the processor stepped because the card was late
	Gauges    Gauges            `json:"gauges"`            // of the card, as far as anybody tells
	Error     string            `json:"error"`             // why the newest process ended, empty while none has
	Rays      *RaysStatus       `json:"rays,omitempty"`    // of the planner, nil while nobody has wanted any
	Kernels   *KernelTimes      `json:"kernels,omitempty"` // nil unless engine.gpu_profile is on
}

// KernelTimes are the newest tick's times on the card in nanoseconds.
type KernelTimes struct {
	Prep   uint32 `json:"prep_ns"`
	Evolve uint32 `json:"evolve_ns"`
	Motor  uint32 `json:"motor_ns"`
	Total  uint32 `json:"total_ns"` // gaps between the kernels included
}

// Line returns the state of the card in one line.
func (g GPUStatus) Line() string {
	device := g.Device
	if device == "" {
		device = "no card yet"
	}
	line := fmt.Sprintf("gpu %s  %s  starts %d  proofs %d  took over %d  failed over %d", g.Phase, device, g.Starts, g.Proofs, g.Returns, g.Failovers)
	line += g.doing()
	if k := g.Kernels; k != nil {
		us := func(ns uint32) float64 { return float64(ns) / 1000 }
		line += fmt.Sprintf("  prep %.1f us  evolve %.1f us  motor %.1f us  all %.1f us", us(k.Prep), us(k.Evolve), us(k.Motor), us(k.Total))
	}
	return line
}

// Short returns what people watch of the card.
func (g GPUStatus) Short() string { return "gpu " + g.Phase + g.doing() }

// doing says how late the card is, if it was, who plans, and what the card's gauges show.
func (g GPUStatus) doing() (text string) {
	if g.Late > 0 || g.StoodIn > 0 {
		text = fmt.Sprintf("  card late (%d of %d)  behind %d  stood in %d", g.Late, g.LateOf, g.Behind, g.StoodIn)
	}
	if g.Rays != nil {
		text += "  " + g.Rays.Line()
	}
	if gauges := g.Gauges.Line(); gauges != "" {
		text += "  (" + gauges + ")"
	}
	return text
}

// Line returns the state of the car in one line.
func (s Status) Line() string {
	var b strings.Builder
	armed := "disarmed"
	if s.Armed {
		armed = "ARMED"
	}
	fmt.Fprintf(&b, "%s  %s  mode %s  body %s  link %s  engine %s  quality %s",
		armed, s.Failsafe, s.Mode, s.Body, s.Link, s.Engine, s.Rung)
	if s.Planner != "" {
		fmt.Fprintf(&b, "  planner %s", s.Planner)
	}
	if len(s.Causes) > 0 {
		fmt.Fprintf(&b, "  (%s)", strings.Join(s.Causes, ", "))
	}
	return b.String()
}

// Motion returns commanded speed and steering and the front range in one line.
func (s Status) Motion() string {
	const degrees = 180 / 3.141592653589793
	front := "no echo"
	switch {
	case s.RangeOK && s.Beyond:
		front = fmt.Sprintf("beyond %.2f m", s.Range)
	case s.RangeOK:
		front = fmt.Sprintf("%.2f m", s.Range)
	}
	battery := "unknown"
	if s.Battery > 0 {
		battery = fmt.Sprintf("%.1f V", s.Battery)
	}
	return fmt.Sprintf("speed %+.2f m/s  steering %+.0f deg  front %s  battery %s",
		s.Speed, float64(s.Steering)*degrees, front, battery)
}

// up says for how long the daemon has run, or ran; nothing where nobody knows.
func (s Status) up() string {
	if s.Up <= 0 {
		return ""
	}
	return ", up " + time.Duration(s.Up*float64(time.Second)).Round(time.Second).String()
}

// Print writes the status for people.
func (s Status) Print(w io.Writer) error {
	s.printPage(w)
	fmt.Fprintf(w, "fieldbrain %s, process %d%s\n", s.Version, s.PID, s.up())
	fmt.Fprintln(w, s.Line())
	if h := s.Hindrance; h != nil {
		fmt.Fprintln(w, h.What)
		if h.Remedy != "" {
			fmt.Fprintf(w, "    remedy: %s\n", h.Remedy)
		}
	}
	if line := s.Driver.Line(); line != "" {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintln(w, s.Order.Line())
	if s.Before != nil {
		fmt.Fprintln(w, "before: "+s.Before.Line())
	}
	fmt.Fprintln(w, s.Motion())
	fmt.Fprintln(w, s.Place.Line())
	fmt.Fprintln(w, s.Quality.Line(s.Rung))
	for i := range s.Parameters {
		if p := &s.Parameters[i]; p.Changed() {
			fmt.Fprintln(w, "changed: "+p.Line())
		}
	}
	if s.GPU != nil {
		fmt.Fprintln(w, s.GPU.Line())
	}
	if s.LogDropped+s.Refused > 0 {
		fmt.Fprintf(w, "log lines dropped %d, connections refused %d\n", s.LogDropped, s.Refused)
	}
	if s.Memory != nil {
		fmt.Fprintln(w, s.Memory.Line())
	}
	if s.Recording != nil {
		fmt.Fprintln(w, s.Recording.Line())
	}
	loop.PrintConditions(w, s.Conditions)
	return s.Table.Print(w)
}
