package web

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strings"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/ground"
	"fieldbrain/daemon"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/field"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// trouble says why nothing can be shown.
type trouble struct {
	Error string `json:"error"`
}

// A runFrame is whose run it is.
type runFrame struct {
	Program  string    `json:"program"`
	PID      int       `json:"pid"`
	Body     string    `json:"body"`
	World    string    `json:"world"`
	Since    time.Time `json:"since"`
	PeriodNS int64     `json:"period_ns"`
	Page     string    `json:"page"`
}

func newRunFrame(r telemetry.Run, path string) runFrame {
	return runFrame{
		Program: daemon.Printable(r.Program), PID: r.PID, Body: daemon.Printable(r.Body), World: daemon.Printable(r.World),
		Since: r.Since, PeriodNS: int64(r.Period), Page: path,
	}
}

// A tickFrame is the newest tick, and the worst of those since the frame before.
type tickFrame struct {
	Number   uint64 `json:"number"`
	Ticks    uint64 `json:"ticks"`
	Overruns uint64 `json:"overruns"`
	Alive    bool   `json:"alive"`
	AtMS     int64  `json:"at_ms"`  // end of the tick, since 1970
	NowMS    int64  `json:"now_ms"` // when it was read
	AgeMS    *int64 `json:"age_ms"` // since the tick ended; null where nobody can tell

	Armed   bool     `json:"armed"`
	Level   string   `json:"level"`
	Causes  []string `json:"causes"`
	Tripped []string `json:"tripped"`
	Mode    string   `json:"mode"`
	Hand    string   `json:"hand"`   // who drives: brain, person or lost
	Source  string   `json:"source"` // of a person's drive
	Rung    string   `json:"rung"`
	Link    string   `json:"link"`

	X       float64 `json:"x_m"` // ahead, as the car stood at the start
	Y       float64 `json:"y_m"` // to the left
	Heading float64 `json:"heading_rad"`
	Off     float64 `json:"off_m"`
	Speed   float64 `json:"speed_m_s"`
	Turn    float64 `json:"steering_rad"`
	Bearing float64 `json:"bearing_rad"` // of the heading's peak
	Mass    float64 `json:"mass"`        // 0: nothing is decided

	Battery   *float64  `json:"battery_v"`
	Ranges    []reading `json:"ranges"`
	Floor     []reading `json:"floor"`
	LongestNS []int64   `json:"longest_ns"` // by stream, -1 where nothing was measured
}

// A reading is one of a sensor's.
type reading struct {
	Value  float64 `json:"v"`
	OK     bool    `json:"ok"`
	Beyond bool    `json:"beyond,omitempty"`
	AgeMS  int64   `json:"age_ms"`
}

// newTickFrame makes a frame of the newest tick. The page may be anybody's: no number
// of it is an index, and none that is not finite gets through.
func newTickFrame(n *telemetry.Newest, d *digest, alive bool, last time.Time, p *telemetry.Page) *tickFrame {
	t, now := &n.Tick, time.Now()
	longest := d.longest()
	f := &tickFrame{
		Number: t.Number, Ticks: n.Ticks, Overruns: n.Overruns, Alive: alive, AtMS: last.UnixMilli(), NowMS: now.UnixMilli(),
		Armed: t.Is(telemetry.TickArmed), Level: strings.ToUpper(safety.Level(t.Level).String()),
		Causes: causesOf(t.Causes), Tripped: causesOf(t.Tripped),
		Mode: brain.Mode(t.Mode).String(), Hand: brain.Driver(t.Hand).String(),
		Source: daemon.Printable(telemetry.Text(t.Source[:])), Rung: rungName(t.Rung),
		Link: robot.Link(t.Link).String(),
		X:    finite(t.X), Y: finite(t.Y), Heading: finite(t.Heading), Off: finite(t.Off),
		Speed: finite(t.Speed), Turn: finite(t.Turn), Bearing: finite(t.Bearing), Mass: finite(t.Mass),
		LongestNS: longest[:],
	}
	if age, dated := p.Age(t, now); dated {
		ms := age.Milliseconds()
		f.AgeMS = &ms
	}
	state := t.State()
	if state.Battery.OK {
		v := finite(state.Battery.Value)
		f.Battery = &v
	}
	for i := range state.Range {
		f.Ranges = append(f.Ranges, newReading(&state.Range[i], state.Now))
	}
	for i := range state.Floor {
		f.Floor = append(f.Floor, newReading(&state.Floor[i], state.Now))
	}
	return f
}

func newReading(r *robot.Reading, now time.Duration) reading {
	return reading{Value: finite(r.Value), OK: r.OK, Beyond: r.OK && r.AtLeast, AgeMS: max(0, r.Age(now).Milliseconds())}
}

// causesOf returns the names of causes, never nil.
func causesOf(c uint32) []string {
	if causes := safety.Causes(c); causes.String() != "none" {
		return strings.Split(causes.String(), ",")
	}
	return []string{}
}

// finite returns a number, and 0 for what is none: JSON has no other.
func finite(v float32) float64 {
	if f := float64(v); !math.IsNaN(f) && !math.IsInf(f, 0) {
		return f
	}
	return 0
}

// A fieldFrame is what the field is about, as pictures of one byte a cell.
type fieldFrame struct {
	Number   uint64    `json:"number"`
	Channels string    `json:"channels"` // base64: a row of 32 for each channel, 255 is full output
	Obstacle string    `json:"obstacle"` // base64: bearing times 32 plus range
	Heading  []float64 `json:"heading_input"`
	Blocked  []float64 `json:"blocked"`
	Error    float64   `json:"prediction_error"`
	Trust    float64   `json:"prediction_trust"`
}

func newFieldFrame(f *telemetry.Field) *fieldFrame {
	var channels []byte
	for c := range f.X {
		for _, v := range f.X[c] {
			channels = append(channels, level(float64(v)/(1<<15)))
		}
	}
	obstacle := make([]byte, len(f.Obstacle))
	for i, v := range f.Obstacle {
		obstacle[i] = level(finite(v))
	}
	return &fieldFrame{
		Number: f.Number, Channels: base64.StdEncoding.EncodeToString(channels), Obstacle: base64.StdEncoding.EncodeToString(obstacle),
		Heading: finites(f.Input[:]), Blocked: finites(f.Blocked[:]), Error: finite(f.Error), Trust: finite(f.Trust),
	}
}

// level returns a shade from 0 to 255 for an output from 0 to 1. A channel that is
// uniform along an axis sums to more than one cell's output; it is drawn as full.
func level(v float64) byte { return byte(255 * min(max(v, 0), 1)) }

func finites(row []float32) []float64 {
	out := make([]float64, len(row))
	for i, v := range row {
		out[i] = finite(v)
	}
	return out
}

// A groundFrame is the floor around the car, in a frame of the ground's own: X, Y and
// Heading are the car's in the same.
type groundFrame struct {
	Number   uint64  `json:"number"`
	Cell     float64 `json:"cell_m"`
	West     int32   `json:"west"`  // cells
	South    int32   `json:"south"` // cells
	X        float64 `json:"x_m"`
	Y        float64 `json:"y_m"`
	Heading  float64 `json:"heading_rad"`
	AtX      float64 `json:"at_x_m"` // the car at that tick, in the frame of the start
	AtY      float64 `json:"at_y_m"`
	AtTurn   float64 `json:"at_heading_rad"`
	Side     int     `json:"side"`     // cells
	Occupied string  `json:"occupied"` // base64: a bit a cell, row by row from the south, lowest bit first
	Free     string  `json:"free"`
}

// newGroundFrame takes the ground, and where the car was at the same tick.
func newGroundFrame(g *telemetry.Ground, at pose) *groundFrame {
	bits := func(rows [][4]uint64) string {
		var b []byte
		for _, row := range rows {
			for _, w := range row {
				b = binary.LittleEndian.AppendUint64(b, w)
			}
		}
		return base64.StdEncoding.EncodeToString(b)
	}
	return &groundFrame{
		Number: g.Number, Cell: ground.Cell, West: g.West, South: g.South,
		X: finite(g.X), Y: finite(g.Y), Heading: finite(g.Heading), Side: len(g.Occupied), AtX: at.x, AtY: at.y, AtTurn: at.heading,
		Occupied: bits(g.Occupied[:]), Free: bits(g.Free[:]),
	}
}

// A hello is what a page must know before the first frame: names and limits that do
// not change while serve runs.
type hello struct {
	Version    string    `json:"version"`
	MayCommand bool      `json:"may_command"`
	Streams    []string  `json:"streams"`  // of longest_ns
	Bearings   []float64 `json:"bearings"` // rad, of ranges
	Channels   []string  `json:"channels"`
	Faults     []fault   `json:"faults"`
	Recordings bool      `json:"recordings"`
}

// A fault is a row of the failsafe table.
type fault struct {
	Name, Level, Trigger, Action, Ends, Remedy string
	Rearm                                      bool
}

func newHello(version string, mayCommand, recordings bool) *hello {
	h := &hello{Version: version, MayCommand: mayCommand, Recordings: recordings}
	for s := range telemetry.NumStreams {
		h.Streams = append(h.Streams, s.String())
	}
	for i := range robot.NumSectors {
		h.Bearings = append(h.Bearings, finite(robot.SectorBearing(i)))
	}
	for _, c := range field.PiCarX() {
		h.Channels = append(h.Channels, c.Name)
	}
	for _, f := range safety.Faults() {
		h.Faults = append(h.Faults, fault{
			Name: f.Name, Level: strings.ToUpper(f.Level.String()), Trigger: f.Trigger, Action: f.Action,
			Ends: f.Ends, Remedy: f.Remedy, Rearm: f.Rearm,
		})
	}
	return h
}
