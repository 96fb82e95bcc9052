package web

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot/safety"
)

// stillFor is how long a living daemon may go without a tick before it counts as ill.
const stillFor = time.Second

// A Health says whether the car's brain lives, and what is wrong with it.
type Health struct {
	Healthy  bool      `json:"healthy"`            // it lives and ticks
	Alive    bool      `json:"alive"`              // its process does
	LastTick time.Time `json:"last_tick,omitzero"` // wall time
	Reasons  []string  `json:"reasons"`            // why it is not healthy
	Degraded []string  `json:"degraded,omitempty"` // what works less well than it should
	Failsafe string    `json:"failsafe,omitempty"` // NORMAL .. LATCHED
	Causes   []string  `json:"causes,omitempty"`   // why not NORMAL
	Dead     string    `json:"died_how,omitempty"` // in order, or not
}

// health answers 200 while the brain lives and ticks, else 503. With ?strict a degraded
// part is enough for 503. Strangers may ask; only those who may look hear the reasons.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	path, _ := s.watch.shown()
	h := Check(path, time.Now())
	if why := s.watch.why(); path == "" && why != "" {
		h.Reasons = []string{daemon.Printable(why)}
	}
	strict := r.URL.Query().Has("strict")
	code := http.StatusOK
	if !h.Healthy || strict && len(h.Degraded) > 0 {
		code = http.StatusServiceUnavailable
	}
	if has, _ := s.roleOf(r); has < watcher {
		answer(w, code, map[string]bool{"healthy": h.Healthy, "alive": h.Alive})
		return
	}
	answer(w, code, h)
}

// Check returns how the run of a page stands.
func Check(path string, now time.Time) Health {
	h := Health{Reasons: []string{}}
	if path == "" {
		h.Reasons = append(h.Reasons, "no daemon has left a page")
		return h
	}
	p, err := telemetry.OpenPage(path)
	if err != nil {
		h.Reasons = append(h.Reasons, daemon.Printable(err.Error()))
		return h
	}
	defer p.Close()
	if h.Alive, err = p.Written(); err != nil {
		h.Reasons = append(h.Reasons, daemon.Printable(err.Error()))
	}
	newest, err := p.Newest()
	if err != nil {
		h.Reasons = append(h.Reasons, daemon.Printable(err.Error()))
		return h
	}
	h.LastTick = p.Last(&newest.Tick)
	h.Failsafe = strings.ToUpper(safety.Level(newest.Tick.Level).String())
	h.Causes = causesOf(newest.Tick.Causes)
	ago, dated := p.Age(&newest.Tick, now)
	switch run := p.Run(); {
	case !h.Alive && !run.Ended.IsZero():
		h.Dead = "in order"
		h.Reasons = append(h.Reasons, "the daemon ended in order at "+run.Ended.Format(time.RFC3339))
	case !h.Alive:
		h.Dead = "without an orderly end"
		h.Reasons = append(h.Reasons, "the daemon is dead since "+h.LastTick.Format(time.RFC3339))
	case !dated:
		h.Reasons = append(h.Reasons, "its newest tick lies in the future, at "+h.LastTick.Format(time.RFC3339)+": the clock was set, and nobody can tell whether it ticks")
	case ago > stillFor:
		h.Reasons = append(h.Reasons, fmt.Sprintf("no tick for %v", ago.Round(time.Millisecond)))
	}
	h.Healthy = len(h.Reasons) == 0
	h.Degraded = degraded(p)
	return h
}

// degraded names the degraded parts that the page has room for.
func degraded(p *telemetry.Page) (list []string) {
	c, err := p.Car()
	if err != nil {
		return []string{daemon.Printable(err.Error())}
	}
	for i := range min(c.NumConditions, telemetry.MaxConditions) {
		d := &c.Conditions[i]
		list = append(list, daemon.Printable(telemetry.Text(d.Name[:])+": "+telemetry.Text(d.Value[:])))
	}
	return list
}
