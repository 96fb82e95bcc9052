package daemon

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/quality"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// A PageStatus says how a status was read from a page, and whether its daemon lives.
type PageStatus struct {
	Path    string    `json:"path"`
	Alive   bool      `json:"alive"`             // a process writes it
	Last    time.Time `json:"last_tick"`         // wall time at which the newest tick ended
	Ended   time.Time `json:"ended,omitzero"`    // wall time of an orderly end
	Missing []string  `json:"missing,omitempty"` // what could not be read, and why

	Age   time.Duration `json:"-"` // since the newest tick, when it was read
	Dated bool          `json:"-"` // whether Age is known: an instant in the future says nothing
}

// still is how long a living daemon may go without a tick before people should know.
const still = time.Second

// Ticks reports whether the daemon lives and ticks.
func (p PageStatus) Ticks() bool { return p.Alive && p.Dated && p.Age <= still }

// Line says it in one line, as of now.
func (p PageStatus) Line(now time.Time) string {
	ago := func(t time.Time) string {
		at := t.Format("2006-01-02 15:04:05")
		if d := now.Sub(t).Round(time.Second); d >= 0 { // the clock may have been set back since
			at += fmt.Sprintf(", %v ago", d)
		}
		return at
	}
	switch {
	case p.Ticks():
		return "ALIVE, as of its newest tick"
	case p.Alive && p.Last.IsZero():
		return "ALIVE, but without a tick yet"
	case p.Alive && !p.Dated:
		return "ALIVE, but its newest tick lies in the future, at " + ago(p.Last) + ": the clock was set, and nobody can tell whether it ticks"
	case p.Alive:
		return fmt.Sprintf("ALIVE, but without a tick for %v", p.Age.Round(time.Second))
	case !p.Ended.IsZero():
		return "ENDED in order at " + ago(p.Ended) + "; this is how it stood at its last tick"
	case p.Last.IsZero():
		return "DEAD before its first tick"
	}
	return "DEAD since " + ago(p.Last) + ", without an orderly end; this is how it stood at its last tick"
}

// ReadPage returns the status of the run whose page lies at a path, whether it lives
// or not. What the page does not hold is left out, and named in Page.Missing; an error
// says why nothing can be read.
func ReadPage(path string) (Status, error) {
	p, err := telemetry.OpenPage(path)
	if err != nil {
		return Status{}, Refusal(path, fmt.Errorf("daemon: %w", err))
	}
	defer p.Close()
	s := StateOf(p, path, time.Now())
	all, err := p.Histograms()
	if err != nil {
		s.Page.Missing = append(s.Page.Missing, err.Error())
	} else {
		s.Table.Rows = rowsOf(&all)
	}
	return s, nil
}

// StateOf returns the status of an open page as of now, without the histograms, which take
// longer to read than everything else together.
func StateOf(p *telemetry.Page, path string, now time.Time) Status {
	run := p.Run()
	told := &PageStatus{Path: path, Ended: run.Ended}
	s := Status{Version: run.Program, PID: run.PID, Since: run.Since, Body: run.Body, Page: told, Failsafe: "UNKNOWN"}
	note := func(err error) bool {
		if err != nil {
			told.Missing = append(told.Missing, err.Error())
		}
		return err == nil
	}
	alive, err := p.Written()
	told.Alive = note(err) && alive
	if up, ok := p.Up(told.Alive, now); ok {
		s.Up = up.Seconds()
	}
	newest, err := p.Newest()
	if note(err) {
		told.Last = p.Last(&newest.Tick)
		told.Age, told.Dated = p.Age(&newest.Tick, now)
		s.Table.Counts = loop.Counts{Ticks: newest.Ticks, Overruns: newest.Overruns, Skipped: newest.Dropped}
		s.SetTick(&newest.Tick)
	}
	c, err := p.Car()
	if note(err) {
		s.setCar(&c)
	}
	return s
}

// rowsOf returns the histograms as a status has them, without the streams that
// nobody measured.
func rowsOf(all *[telemetry.NumStreams]telemetry.Histogram) (rows []loop.Row) {
	for i := range all {
		h := &all[i]
		if h.TotalCount() == 0 {
			continue
		}
		rows = append(rows, loop.Row{
			Name: telemetry.Stream(i).String(), Count: h.TotalCount(),
			P50: h.At(50), P90: h.At(90), P99: h.At(99), P999: h.At(99.9), Max: h.Longest,
		})
	}
	return rows
}

// SetTick takes what a tick of the run says: the newest of its page, or an older one of
// its ring. They may be anybody's: no number is an index, and none that is not finite
// gets through.
func (s *Status) SetTick(t *telemetry.Tick) {
	s.Armed = t.Is(telemetry.TickArmed)
	s.Failsafe = strings.ToUpper(safety.Level(t.Level).String())
	s.Causes, s.Tripped = names(t.Causes), names(t.Tripped)
	s.Rung = fmt.Sprintf("rung %d", t.Rung)
	if ladder := quality.Ladder(); int(t.Rung) < len(ladder) {
		s.Rung = ladder[t.Rung].Name
	}
	s.Mode = brain.Mode(t.Mode).String()
	s.Link = robot.Link(t.Link).String()
	s.Speed, s.Steering = finite(t.Speed), finite(t.Turn)
	state := t.State()
	front := state.Range[robot.Front]
	s.Range, s.RangeOK = finite(front.Value), front.OK
	s.Beyond = front.OK && front.AtLeast
	if state.Battery.OK {
		s.Battery = finite(state.Battery.Value)
	}
	s.Driver = DriverStatus{
		Hand: brain.Driver(t.Hand).String(), Source: Printable(telemetry.Text(t.Source[:])),
		Throttle: finite(t.Throttle), Steering: finite(t.Rudder),
	}
	s.Place = PlaceStatus{
		X: float64(finite(t.X)), Y: float64(finite(t.Y)), Heading: float64(finite(t.Heading)),
		Off: float64(finite(t.Off)), Astray: float64(finite(t.Astray)),
	}
}

// names returns the names of causes.
func names(causes uint32) []string {
	if c := safety.Causes(causes); c != 0 {
		return strings.Split(c.String(), ",")
	}
	return nil
}

// finite returns a number, and 0 for what is none.
func finite(v float32) float32 {
	if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return v
}

// setCar takes what changes slowly.
func (s *Status) setCar(c *telemetry.Car) {
	m := &c.Machine
	s.Engine = telemetry.Text(c.Engine[:])
	s.Quality = Quality{
		Wanted: telemetry.Text(c.Wanted[:]), Why: telemetry.Text(c.Why[:]), Changes: c.Changes, Since: instant(c.Since),
		Mode: telemetry.Text(m.Power[:]), Share: reading(m.Share), Card: reading(c.Late.Share),
	}
	temp, known := telemetry.Known(m.Temperature)
	limit, bounded := telemetry.Known(m.Limit)
	if sensor := telemetry.Text(m.Sensor[:]); sensor != "" && known && bounded {
		q := &s.Quality
		q.Heat, q.Sensor, q.Temp, q.Limit = telemetry.Text(m.Heat[:]), sensor, &temp, &limit
	}
	s.Order = orderOf(&c.Order)
	if former := orderOf(&c.Former); former.Order != "" {
		s.Before = &former
	}
	if what := telemetry.Text(c.Hindered[:]); what != "" {
		s.Hindrance = &Hindrance{What: what, Remedy: telemetry.Text(c.Remedy[:])}
	}
	if phase := telemetry.Text(c.Card.Phase[:]); phase != "" {
		s.GPU = &GPUStatus{
			Phase: phase, Since: instant(c.Card.Since), Device: telemetry.Text(c.Card.Device[:]), PID: int(c.Card.PID),
			Starts: c.Card.Starts, Proofs: c.Card.Proofs, Failovers: c.Card.Failovers, Returns: c.Card.Returns,
			Error: telemetry.Text(c.Card.Error[:]),
			Late:  c.Late.Recent, LateOf: c.Late.Window, Behind: c.Late.Behind, StoodIn: c.Late.Ticks,
			Gauges: gaugesOf(&c.Card), Rays: raysOf(&c.Rays),
		}
	}
	s.Planner = Printable(telemetry.Text(c.Planner[:]))
	s.LogDropped, s.Refused = c.Dropped, c.Refused
	for i := range min(c.NumParameters, telemetry.MaxParameters) {
		s.Parameters = append(s.Parameters, parameterOf(&c.Parameters[i]))
	}
	for i := range min(c.NumConditions, telemetry.MaxConditions) {
		d := &c.Conditions[i]
		s.Conditions = append(s.Conditions, loop.Condition{
			Name: telemetry.Text(d.Name[:]), Value: telemetry.Text(d.Value[:]), Since: instant(d.Since),
			Cause: telemetry.Text(d.Cause[:]), Remedy: telemetry.Text(d.Remedy[:]),
		})
	}
}

// instant returns a wall time, zero for none.
func instant(ns int64) time.Time {
	if ns <= 0 {
		return time.Time{}
	}
	return time.Unix(0, ns)
}

// orderOf returns an order as a status has it.
func orderOf(o *telemetry.Order) OrderStatus {
	s := OrderStatus{
		Order: telemetry.Text(o.Text[:]), Number: o.Number, Standing: telemetry.Text(o.Standing[:]), Why: telemetry.Text(o.Why[:]),
		Driving: float64(finite(o.Driving)), Way: float64(finite(o.Way)), Over: o.Over != 0,
	}
	if left, ok := telemetry.Known(o.Left); ok {
		s.Left = &left
	}
	return s
}

// printPage says first whether what follows is true still, and last what lacks.
func (s Status) printPage(w io.Writer) {
	if s.Page == nil {
		return
	}
	fmt.Fprintf(w, "%s\n", s.Page.Line(time.Now()))
	for _, why := range s.Page.Missing {
		fmt.Fprintf(w, "    missing: %s\n", why)
	}
}

// FindPage returns the page to watch, of those whose control socket would be one of
// sockets: one that a daemon writes before all that none does, and of several the page of
// the daemon that was started last.
func FindPage(sockets []string) (path string, err error) {
	var newest time.Time // start of the best so far
	var lives bool       // whether its daemon does
	err = fmt.Errorf("daemon: page: %w", fs.ErrNotExist)
	for _, socket := range sockets {
		page := telemetry.PagePath(socket)
		p, wrong := telemetry.OpenPage(page)
		if wrong != nil {
			if path == "" && !errors.Is(wrong, fs.ErrNotExist) {
				err = Refusal(page, fmt.Errorf("daemon: %w", wrong))
			}
			continue
		}
		alive, unknown := p.Written()
		alive = alive && unknown == nil
		if since := p.Run().Since; path == "" || alive && !lives || alive == lives && since.After(newest) {
			path, newest, lives, err = page, since, alive, nil
		}
		err = errors.Join(err, p.Close())
	}
	return path, err
}

// reading returns a number that may be unknown.
func reading(v float32) Reading {
	f, known := telemetry.Known(v)
	if !known {
		return Reading{}
	}
	return Reading{f, true}
}

// gaugesOf returns a page's gauges of the graphics card.
func gaugesOf(c *telemetry.Card) Gauges {
	g := Gauges{Clock: reading(c.Clock), Load: reading(c.Load), Heat: reading(c.Temperature)}
	if c.Memory != telemetry.Unknown && c.Room != telemetry.Unknown {
		g.SetMemory(c.Memory, c.Room)
	}
	return g
}

// raysOf returns who casts the planner's rays, nil where nobody has wanted any.
func raysOf(r *telemetry.Rays) *RaysStatus {
	if r.Wanted == 0 {
		return nil
	}
	return &RaysStatus{
		Card: r.Card != 0, Why: Printable(telemetry.Text(r.Why[:])), Answered: r.Answered,
		Absent: r.Absent, Late: r.Late, Busy: r.Busy, Gone: r.Gone, Wrong: r.Wrong,
	}
}
