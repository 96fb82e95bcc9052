package service

import (
	"errors"
	"path/filepath"
	"strings"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/forensics"
	"fieldbrain/daemon/loop"
)

// missesName is the folder of the bundles within the service's own, and the ending of
// the one beside a control socket.
const missesName = "misses"

// MissesFolder returns where a daemon of a configuration keeps what it finds out about
// missed ticks, or nothing where it keeps none.
func MissesFolder(c config.Config, socket string, getenv func(string) string) string {
	switch {
	case c.Forensics.Path == "off":
		return ""
	case c.Forensics.Path != "":
		return c.Forensics.Path
	case c.Body.Kind == "picarx":
		return filepath.Join(ownFolder(getenv), missesName)
	}
	return MissesBeside(socket)
}

// MissesBeside returns the folder beside a control socket.
func MissesBeside(socket string) string {
	return strings.TrimSuffix(socket, ".sock") + "." + missesName
}

// MissesFolders returns where bundles may lie that nobody has named: the service's
// folder, and those beside the control sockets.
func MissesFolders(sockets []string, getenv func(string) string) []string {
	list := []string{filepath.Join(ownFolder(getenv), missesName)}
	for _, s := range sockets {
		list = append(list, MissesBeside(s))
	}
	return list
}

// newInspector makes what finds out why ticks are late.
func (s *Service) newInspector(getenv func(string) string) {
	o := forensics.Options{
		Period: time.Duration(s.settings.Loop.Period), Witness: s.witness, Program: s.version,
		Body: s.settings.Body.Kind, Surroundings: s.surroundings, Trace: s.settings.Forensics.Trace,
	}
	if folder := MissesFolder(s.settings, s.control.Path(), getenv); folder != "" {
		o.Archive = forensics.NewArchive(folder, int64(s.settings.Forensics.Quota)<<20)
	}
	s.inspector = forensics.NewInspector(o)
	if err := s.inspector.Err(); err != nil {
		s.conditions.Set(archiveCondition(err))
	}
}

// noted notes a tick, on the loop's thread.
func (s *Service) noted(sample loop.Sample, response time.Duration) {
	p := forensics.Parts{Response: response}
	if timed, is := s.car.Engine.(interface {
		Parts() (doorbell, evolve, match time.Duration)
	}); is {
		p.Doorbell, p.Evolve, p.Match = timed.Parts()
	}
	s.inspector.Put(s.trace, sample, p)
}

// surroundings fills in what only the service knows, on the watch's goroutine.
func (s *Service) surroundings(e *forensics.Evidence) {
	b := s.car.Brain.Remote().Status()
	e.Engine, e.Armed, e.Off = s.car.Engine.Name(), b.Safety.Armed, s.heap.Get().Off
	d := s.car.Driver.Stats()
	e.Bus = forensics.Bus{
		Link: b.State.Link.String(), Transactions: d.Transactions, Errors: d.Errors,
		Retries: d.Retries, Stalls: d.Stalls, Lates: d.Lates, Resets: d.Resets,
	}
	if d.LastError != nil {
		e.Bus.LastError = d.LastError.Error()
	}
	q := s.quality.Get()
	m := &e.Machine
	t := q.Thermal()
	m.Sensor, m.Power, m.Temperature, m.Limit = t.Sensor, t.Mode, t.Temp, t.Limit
	u := &s.usage
	m.Clock, m.Fastest, m.Load, m.Share = known(u.Clock), known(u.Fastest), known(u.Load), known(u.Share)
}

// known returns a reading, 0 where there is none.
func known(r daemon.Reading) float64 {
	if !r.OK {
		return 0
	}
	return r.Value
}

// missShown is how long people see why a tick was late.
const missShown = time.Minute

// noteMisses looks for missed ticks, and keeps visible for a while why there were any.
func (s *Service) noteMisses() {
	s.inspector.Look(s.clock.Now(), uint64(known(s.usage.Throttled)))
	n := s.inspector.Newest()
	shown := n != nil && time.Since(n.At) < missShown
	s.conditions.Put(missCondition(n), shown)
	if err := s.inspector.Err(); err != nil {
		s.conditions.Set(archiveCondition(err))
	} else if n != nil {
		s.conditions.Clear(archiveName)
	}
}

// missCondition explains a missed tick; the value changes with the cause alone, so
// that the log gets a line for each new one.
func missCondition(n *forensics.Noted) loop.Condition {
	if n == nil {
		return loop.Condition{Name: missName}
	}
	return loop.Condition{
		Name: missName, Value: "ticks missed their deadline: " + string(n.Cause),
		Cause: n.Sentence, Remedy: n.Remedy + "; fieldbrain misses lists the evidence",
	}
}

// Names of the conditions.
const (
	missName    = "miss"
	archiveName = "misses"
)

// archiveCondition says that the evidence is lost.
func archiveCondition(err error) loop.Condition {
	c := loop.Condition{
		Name: archiveName, Value: "what was found out about missed ticks is not kept; the car drives on", Cause: err.Error(),
		Remedy: "let the daemon write there, choose another forensics.path, or \"off\"",
	}
	if daemon.NoRoom(err) {
		c.Remedy = "free space on the disk, or choose another forensics.path; the next bundle tries again"
	}
	if errors.Is(err, forensics.ErrTrace) {
		c.Value, c.Remedy = "Go's execution trace is not kept", "end what else traces this program, or write forensics.trace = false"
	}
	return c
}
