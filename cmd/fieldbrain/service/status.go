package service

import (
	"os"
	"strings"
	"time"

	"fieldbrain/brain/quality"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon"
	"fieldbrain/robot"
)

// Status gathers the daemon's state from published copies.
func (s *Service) Status() daemon.Status {
	var status daemon.Status
	s.gather(&status)
	return status
}

// gather is Status in the memory of an older one.
func (s *Service) gather(into *daemon.Status) {
	*into = daemon.Status{
		Version: s.version, PID: os.Getpid(), Since: s.since, Up: time.Since(s.since).Seconds(),
		Body: s.settings.Body.Kind, Conditions: s.conditions.ListInto(into.Conditions),
		Table:      s.recorder.TableInto(into.Table.Rows, s.loop.Counts()),
		LogDropped: s.log.Dropped(), Refused: s.control.Refused(),
		Quality: s.quality.Get(), Heap: s.heapStatus(into.Heap),
		Memory: into.Memory, Before: into.Before, Parameters: into.Parameters,
	}
	describe(s.car.Mind, into)
	if s.car.GPU != nil {
		into.GPU = s.cardStatus(s.car.GPU)
	}
	if recorder := s.recording.Load(); recorder != nil {
		r := recorder.Status()
		into.Recording = &r
	}
	if s.autosave == nil {
		into.Memory = nil
		return
	}
	if into.Memory == nil {
		into.Memory = new(daemon.MemoryStatus)
	}
	*into.Memory = s.autosave.told.Get()
}

// heapStatus returns what the collector's watch has seen, in the memory of an older one, and
// nil where it has not looked yet or there is none.
func (s *Service) heapStatus(into *daemon.HeapStatus) *daemon.HeapStatus {
	h := s.heap.Get()
	if h.Used == 0 {
		return nil
	}
	if into == nil {
		into = new(daemon.HeapStatus)
	}
	*into = h
	return into
}

// A page is the memory of the answers to requests for the status.
type page struct {
	status daemon.Status
	answer daemon.Answer
	form   *daemon.AnswerEncoder
}

// statusText returns appendStatus for the control socket. A defect in it stops the
// car and the program, as one in any other answer does.
func (s *Service) statusText(fault func(error)) func(dst []byte) []byte {
	return func(dst []byte) (line []byte) {
		err := shielded("status", func() error { line = s.appendStatus(dst); return nil })
		if err != nil {
			fault(err)
			return s.page.form.Append(dst, &daemon.Answer{Error: lastAnswer})
		}
		return line
	}
}

// appendStatus appends the answer to a request for the status. The control socket
// lets one at a time do so.
func (s *Service) appendStatus(dst []byte) []byte {
	p := &s.page
	s.gather(&p.status)
	p.answer = daemon.Answer{OK: true, Status: &p.status}
	return p.form.Append(dst, &p.answer)
}

// describe fills in the car's part of the status.
func describe(m *car.Mind, s *daemon.Status) {
	b := m.Brain.Remote().Status()
	s.Engine, s.Rung = m.Engine.Name(), quality.Ladder()[b.Quality.Rung].Name
	s.Quality.Why, s.Quality.Changes = b.Quality.Why.String(), b.Quality.Changes
	s.Armed, s.Failsafe = b.Safety.Armed, strings.ToUpper(b.Safety.Level.String())
	if b.Safety.Causes != 0 {
		s.Causes = strings.Split(b.Safety.Causes.String(), ",")
	}
	if b.Safety.Tripped != 0 {
		s.Tripped = strings.Split(b.Safety.Tripped.String(), ",")
	}
	s.Hindrance = daemon.Hindered(&b, s.Body == "sim")
	s.Order, s.Place = daemon.NewOrderStatus(b.Mission), daemon.NewPlaceStatus(b.Fix)
	s.Driver = daemon.NewDriverStatus(b.Driver)
	s.Parameters = daemon.Parameters(s.Parameters[:0], m.Brain.Remote())
	if b.Mission.Number == 0 {
		s.Before = nil
	} else {
		if s.Before == nil {
			s.Before = new(daemon.OrderStatus)
		}
		*s.Before = daemon.NewOrderStatus(b.Before)
	}
	s.Mode, s.Planner = b.Mode.String(), b.Planner
	s.Speed, s.Steering = b.Trace.Command.Speed, b.Trace.Command.Steering
	front := b.State.Range[robot.Front]
	s.Range, s.RangeOK, s.Beyond = front.Value, front.OK, front.OK && front.AtLeast
	if b.State.Battery.OK {
		s.Battery = b.State.Battery.Value
	}
	s.Link = b.State.Link.String()
}
