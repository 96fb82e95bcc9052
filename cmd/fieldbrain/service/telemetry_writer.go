package service

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/quality"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/recording"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot"
)

// A telemetryWriter writes the page and the flight ring: its tick on the loop's thread, the
// rest on the watch's.
type telemetryWriter struct {
	w    *telemetry.Writer
	mind *car.Mind

	tick telemetry.Tick // the loop's thread only
	look telemetry.Look

	car        telemetry.Car // the watch's only, as the next
	parameters []daemon.ParameterStatus
	degraded   []loop.Condition
}

// newScribe makes the files beside the control socket.
func (s *Service) newTelemetryWriter(clock robot.Clock) error {
	set := &s.settings
	o := telemetry.Options{
		Page: telemetry.PagePath(s.control.Path()), Length: time.Duration(set.Telemetry.Length),
		Identity: telemetry.Identity{
			Program: s.version, Body: set.Body.Kind, Period: time.Duration(set.Loop.Period), Now: clock.Now(),
		},
	}
	if o.Length > 0 {
		o.Ring = telemetry.RingPath(s.control.Path())
	}
	if set.Body.Kind == "sim" {
		o.World = set.Body.Scenario
	}
	w, err := telemetry.New(o)
	if err != nil {
		return err
	}
	if !w.InMemory() && set.Body.Kind == "picarx" {
		s.conditions.Set(loop.Condition{
			Name: "telemetry", Value: "page and flight ring lie on a disk, whose write-back can delay a tick",
			Cause:  "no file system of memory at " + o.Page,
			Remedy: "put control.socket where the unit has it, below /run, or write telemetry.length = \"0s\"",
		})
	}
	s.telemetry = &telemetryWriter{w: w, mind: s.car.Mind}
	s.noteTelemetry()
	return nil
}

// after writes the tick that has just ended, on the loop's thread.
func (s *telemetryWriter) after(trace *brain.Trace, sample loop.Sample, response time.Duration, counts loop.Counts) {
	t, b := &s.tick, s.mind.Brain
	t.Set(b, trace, sample)
	t.SetParts(s.mind.Engine)
	if response > 0 {
		t.SetLength(telemetry.Response, response)
	}
	if card := s.mind.GPU; card != nil {
		f := card.Failover.State()
		t.SetEngine(f.Primary, f.Standby)
	}
	s.w.Tick(t, counts)
	s.look.Number, s.look.Output = trace.Tick, b.Output()
	s.look.Ground, s.look.At = b.Around()
	s.w.Collect(&s.look)
}

// noteScribe writes what changes slowly, and keeps visible that nothing is written.
func (s *Service) noteTelemetry() {
	if s.telemetry == nil {
		return
	}
	s.describeCar(&s.telemetry.car)
	s.telemetry.w.Car(&s.telemetry.car)
	s.telemetry.w.Publish()
	if err := s.telemetry.w.Err(); err != nil {
		s.conditions.Set(telemetryCondition(err))
	}
}

// telemetryCondition says that the run cannot be read after its death.
func telemetryCondition(err error) loop.Condition {
	c := loop.Condition{
		Name: "telemetry", Value: "no page and no flight ring are written; the car drives on", Cause: err.Error(),
		Remedy: "see the cause, then start the daemon again",
	}
	if errors.Is(err, os.ErrPermission) {
		c.Remedy = "let the daemon write where its control socket lies, or choose another control.socket"
	}
	if errors.Is(err, syscall.EFBIG) {
		c.Remedy = recording.RaiseLimit
	} else if daemon.NoRoom(err) {
		c.Remedy = "make room there, or write a shorter telemetry.length, or 0s for no ring"
	}
	return c
}

// noteLost keeps visible that what is written has lost its name.
func (s *Service) noteLost() {
	if s.telemetry == nil {
		return
	}
	err := s.telemetry.w.Lost()
	s.conditions.Put(lostCondition(err), err != nil)
}

// lostCondition says that nobody finds page or ring.
func lostCondition(err error) loop.Condition {
	c := loop.Condition{
		Name: "telemetry-files", Value: "page or flight ring have lost their names: top, the web page and, after a death, status find none; the car drives on",
		Remedy: "keep whatever clears this folder away from it, and start the daemon again when the car may stand",
	}
	if err != nil {
		c.Cause = strings.ReplaceAll(err.Error(), "\n", "; ")
	}
	return c
}

// endScribe says that the run ended in order, and gives the files up. Those of a start that
// failed before its first tick say nothing: what the run before left has its names back.
func (s *Service) endScribe() error {
	if s.telemetry == nil {
		return nil
	}
	s.noteTelemetry() // the last word
	end := s.telemetry.w.Close
	if s.loop.Counts().Ticks == 0 {
		end = s.telemetry.w.Withdraw
	}
	err := end()
	s.telemetry = nil
	return err
}

// describeCar fills in what changes slowly.
func (s *Service) describeCar(c *telemetry.Car) {
	b := s.car.Brain.Remote().Status()
	*c = telemetry.Nothing()
	c.Wall, c.Mono = time.Now().UnixNano(), int64(s.clock.Now())
	q := s.quality.Get()
	telemetry.SetText(c.Engine[:], s.car.Engine.Name())
	telemetry.SetText(c.Rung[:], quality.Ladder()[b.Quality.Rung].Name)
	telemetry.SetText(c.Wanted[:], q.Wanted)
	telemetry.SetText(c.Why[:], b.Quality.Why.String())
	telemetry.SetText(c.Mode[:], b.Mode.String())
	telemetry.SetText(c.Planner[:], b.Planner)
	c.Changes = b.Quality.Changes
	if !q.Since.IsZero() {
		c.Since = q.Since.UnixNano()
	}
	s.describeMachine(&c.Machine, &q)
	daemon.NewOrderStatus(b.Mission).SetPage(&c.Order)
	if b.Mission.Number > 0 {
		daemon.NewOrderStatus(b.Before).SetPage(&c.Former)
	}
	daemon.Hindered(&b, s.settings.Body.Kind == "sim").SetPage(c)
	if s.car.GPU != nil {
		describeCard(c, s.cardStatus(s.car.GPU))
	}
	list := &s.telemetry.parameters
	*list = daemon.Parameters((*list)[:0], s.car.Brain.Remote())
	c.NumParameters = uint32(min(len(*list), telemetry.MaxParameters))
	for i := range c.NumParameters {
		(*list)[i].SetPage(&c.Parameters[i])
	}
	c.Dropped, c.Refused = s.log.Dropped(), s.control.Refused()
	degraded := s.conditions.ListInto(s.telemetry.degraded)
	s.telemetry.degraded = degraded
	c.NumConditions = uint32(len(degraded))
	for i := range min(len(degraded), telemetry.MaxConditions) {
		from, to := &degraded[i], &c.Conditions[i]
		telemetry.SetText(to.Name[:], from.Name)
		telemetry.SetText(to.Value[:], from.Value)
		telemetry.SetText(to.Cause[:], from.Cause)
		telemetry.SetText(to.Remedy[:], from.Remedy)
		to.Since = from.Since.UnixNano()
	}
}

// describeMachine fills in the computer's part.
func (s *Service) describeMachine(m *telemetry.Machine, q *daemon.Quality) {
	u := &s.usage
	if t := q.Thermal(); t.Sensor != "" {
		m.Temperature, m.Limit = float32(t.Temp), float32(t.Limit)
	}
	telemetry.SetText(m.Sensor[:], q.Sensor)
	telemetry.SetText(m.Heat[:], q.Heat)
	telemetry.SetText(m.Power[:], q.Mode)
	set(&m.Share, q.Share)
	set(&s.telemetry.car.Late.Share, q.Card)
	set(&m.Load, u.Load)
	set(&m.Clock, u.Clock)
	set(&m.Fastest, u.Fastest)
	if u.Throttled.OK {
		m.Throttled = uint64(u.Throttled.Value)
	}
	i := s.witness.Newest()
	m.Stolen, m.Collected, m.Waited = int64(i.Stolen), int64(i.Collected), int64(i.Waited)
}

// set writes a number that somebody knows.
func set(to *float32, from daemon.Reading) {
	if from.OK {
		*to = float32(from.Value)
	}
}

// describeCard fills in the graphics card's part.
func describeCard(car *telemetry.Car, g *daemon.GPUStatus) {
	c, late := &car.Card, &car.Late
	late.Recent, late.Window, late.Behind, late.Ticks = g.Late, g.LateOf, g.Behind, g.StoodIn
	if r := g.Rays; r != nil {
		car.Rays = telemetry.Rays{
			Wanted: 1, Answered: r.Answered, Absent: r.Absent, Late: r.Late, Busy: r.Busy, Gone: r.Gone,
			Wrong: r.Wrong,
		}
		if r.Card {
			car.Rays.Card = 1
		}
		telemetry.SetText(car.Rays.Why[:], r.Why)
	}
	telemetry.SetText(c.Phase[:], g.Phase)
	telemetry.SetText(c.Device[:], g.Device)
	telemetry.SetText(c.Error[:], strings.TrimSpace(g.Error))
	c.Since, c.PID = g.Since.UnixNano(), uint32(g.PID)
	set(&c.Clock, g.Gauges.Clock)
	set(&c.Load, g.Gauges.Load)
	set(&c.Temperature, g.Gauges.Heat)
	if g.Gauges.Room.OK {
		c.Memory, c.Room = uint64(g.Gauges.Memory.Value), uint64(g.Gauges.Room.Value)
	}
	c.Starts, c.Proofs, c.Failovers, c.Returns = g.Starts, g.Proofs, g.Failovers, g.Returns
}
