package drive

import (
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/quality"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/cmd/fieldbrain/replay"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
)

// A Page writes a drive's telemetry page and flight ring, and into the ring whole brains,
// from which a replay begins. A nil one writes nothing.
type Page struct {
	Program string        // version that drives
	Ring    time.Duration // length of the flight ring, 0 without one

	w       *telemetry.Writer
	cold    *freezer
	err     error
	tick    telemetry.Tick
	look    telemetry.Look
	virtual bool // time stands still within a tick: no stage has a length
}

// NewPage returns a page that writes with w, which stays the caller's.
func NewPage(w *telemetry.Writer) *Page { return &Page{w: w} }

// publishEvery is how many ticks lie between two pictures of what changes slowly.
const publishEvery = 20

// A ring has a whole brain of its start, and in virtual time two more for each time that
// it goes round, as far as they are less than this apart: then one of them has all its
// ticks behind it. In real time nobody has the time between two ticks to pack one.
const ringStillMost = 5 * time.Minute

// begin writes what the mind was built with, and how it begins.
func (p *Page) begin(c config.Config, m *car.Mind, world string) (err error) {
	if p == nil || p.Ring <= 0 {
		return nil
	}
	if p.cold, err = newFreezer(m, p.Program, min(p.Ring/2, ringStillMost)); err != nil || p.cold == nil {
		return err
	}
	setup := replay.SetupOf(c, &m.Seat, m.Engine, world)
	head, err := setup.Head(p.Program)
	if err == nil {
		err = p.w.Setup(head.Setup)
	}
	if err != nil {
		return err
	}
	still, err := p.cold.take(m, 0)
	if err != nil {
		return err
	}
	return p.w.Freeze(still.Tick, still.At, still.Data)
}

// freeze keeps a brain in the ring when one is due.
func (p *Page) freeze(m *car.Mind, now time.Duration) {
	still, err := p.cold.between(m, now)
	if still != nil {
		err = p.w.Freeze(still.Tick, still.At, still.Data)
	}
	if err != nil {
		p.err = err
	}
}

// Err says why a brain is not in the ring, nil where all are.
func (p *Page) Err() error { return p.err }

// ended writes a tick that has just ended.
func (p *Page) ended(m *car.Mind, trace *brain.Trace, s loop.Sample, counts loop.Counts) {
	if p == nil {
		return
	}
	t := &p.tick
	t.Set(m.Brain, trace, s)
	t.SetParts(m.Engine)
	if p.virtual {
		for _, stream := range []telemetry.Stream{
			telemetry.Sense, telemetry.Encode, telemetry.Plan, telemetry.Step, telemetry.Decode,
			telemetry.Reflex, telemetry.Act, telemetry.Wake,
		} {
			t.SetLength(stream, -1)
		}
	}
	p.w.Tick(t, counts)
	p.look.Number, p.look.Output = trace.Tick, m.Brain.Output()
	p.look.Ground, p.look.At = m.Brain.Around()
	p.w.Collect(&p.look)
	if trace.Tick%publishEvery == 0 {
		p.w.Publish()
		p.describe(m, s.End)
	}
	if p.virtual {
		p.freeze(m, trace.Now)
	}
}

// describe writes what changes slowly.
func (p *Page) describe(m *car.Mind, now time.Duration) {
	c := telemetry.Nothing()
	c.Wall, c.Mono = time.Now().UnixNano(), int64(now)
	telemetry.SetText(c.Engine[:], m.Engine.Name())
	b := m.Brain.Remote().Status()
	telemetry.SetText(c.Rung[:], quality.Ladder()[b.Quality.Rung].Name)
	telemetry.SetText(c.Wanted[:], quality.Names()[int(b.Settings[brain.ParameterQuality])])
	telemetry.SetText(c.Why[:], b.Quality.Why.String())
	c.Changes = b.Quality.Changes
	telemetry.SetText(c.Mode[:], b.Mode.String())
	telemetry.SetText(c.Planner[:], b.Planner)
	daemon.NewOrderStatus(b.Mission).SetPage(&c.Order)
	if b.Mission.Number > 0 {
		daemon.NewOrderStatus(b.Before).SetPage(&c.Former)
	}
	daemon.Hindered(&b, true).SetPage(&c)
	p.w.Car(&c)
}
