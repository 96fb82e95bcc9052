package drive

import (
	"time"

	"fieldbrain/brain"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
)

// A Page writes a drive's telemetry page and flight ring. A nil one writes nothing.
type Page struct {
	w       *telemetry.Writer
	tick    telemetry.Tick
	look    telemetry.Look
	virtual bool // time stands still within a tick: no stage has a length
}

// NewPage returns a page that writes with w, which stays the caller's.
func NewPage(w *telemetry.Writer) *Page { return &Page{w: w} }

// publishEvery is how many ticks lie between two pictures of what changes slowly.
const publishEvery = 20

// ended writes a tick that has just ended.
func (p *Page) ended(m *car.Mind, trace *brain.Trace, s loop.Sample, counts loop.Counts) {
	if p == nil {
		return
	}
	t := &p.tick
	s.Release = s.Start
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
}

// describe writes what changes slowly.
func (p *Page) describe(m *car.Mind, now time.Duration) {
	c := telemetry.Nothing()
	c.Wall, c.Mono = time.Now().UnixNano(), int64(now)
	telemetry.SetText(c.Engine[:], m.Engine.Name())
	b := m.Brain.Remote().Status()
	telemetry.SetText(c.Rung[:], brain.Ladder()[b.Quality.Rung].Name)
	telemetry.SetText(c.Why[:], b.Quality.Why.String())
	telemetry.SetText(c.Mode[:], b.Mode.String())
	telemetry.SetText(c.Order.Text[:], b.Errand.Order.String())
	telemetry.SetText(c.Order.Standing[:], b.Errand.Standing.String())
	c.Order.Number, c.Order.Way = b.Errand.Number, float32(b.Errand.Way)
	p.w.Car(&c)
}
