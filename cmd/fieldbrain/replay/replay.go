package replay

import (
	"errors"
	"fmt"
	"io"
	"math"
	"syscall"
	"time"

	"fieldbrain/brain"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon/recording"
	"fieldbrain/field"
	"fieldbrain/robot/safety"
)

// Options say how a recording is replayed.
type Options struct {
	Change func(s *Setup) // makes the brain another one, may be nil
	Onward bool           // go on after a difference, to say how much differs
	// Start is the brain to begin with, in place of the recorded beginning; the source begins
	// no later than it (Chain.Seek). It may be nil.
	Start    *recording.Frozen
	Until    time.Duration            // of the recording, 0 all of it
	Differ   []string                 // members that file and program do not share, for the report
	Progress func(done time.Duration) // of the recording, called ten times a second of it; may be nil

	before uint64            // this tick and those behind it are left out, 0: none
	end    time.Duration     // instant behind which ticks are left out, 0: none
	next   *recording.Frozen // what the brain must be at the end, for the report; may be nil
}

// A Report says how a replay went.
type Report struct {
	Program string        `json:"program"` // that recorded
	World   string        `json:"world,omitempty"`
	Engine  string        `json:"engine"`          // of the recording
	Again   string        `json:"replayed_engine"` // of the replay
	Begun   uint64        `json:"first_tick"`      // replayed
	Ticks   uint64        `json:"ticks"`           // replayed
	Answers uint64        `json:"answers"`         // of the field compared among them; a flight ring keeps none
	Fields  uint64        `json:"field_hashes"`    // whole fields compared among them
	Length  time.Duration `json:"length_ns"`       // of the recording, as far as it was replayed
	Took    time.Duration `json:"took_ns"`
	Busy    time.Duration `json:"processor_ns"` // that the process had meanwhile
	Hash    string        `json:"field"`        // of the whole field at the end

	Joints int           `json:"joints"` // frozen brains at which parts met, each as the part before left it, to the last byte
	joins  bool          // it ended as Options.next is
	last   time.Duration // instant of the last tick

	Causes safety.Causes `json:"causes"` // that came up in the replay, as bits

	First   *Difference `json:"first_difference,omitempty"`
	Others  uint64      `json:"differing_ticks"`      // in which the command or the field's answer differs
	Told    uint64      `json:"differing_commands"`   // in which the command differs
	Speed   float64     `json:"speed_differs_mps"`    // largest difference of the commanded speed
	Turn    float64     `json:"steering_differs_rad"` // largest difference of the commanded steering
	Stopped string      `json:"stopped,omitempty"`    // why not all of it was replayed
	Differ  []string    `json:"other_members,omitempty"`
}

// Exact reports whether everything that was recorded was replayed, bit for bit.
func (r *Report) Exact() bool { return r.First == nil && r.Stopped == "" && r.Ticks > 0 }

// Factor returns how much faster than real time the replay was.
func (r *Report) Factor() float64 { return r.Length.Seconds() / max(r.Took.Seconds(), 1e-9) }

// A Session replays one recording.
type Session struct {
	source Source
	mind   *car.Mind
	player *brain.Player
	report Report
	setup  Setup
	past   past
	thawed bool // the brain was frozen: nobody has looked through its numbers
}

// A Source gives ticks in their order, as recording.Reader does.
type Source interface {
	// Next reads the next tick; see recording.Reader.
	Next(t *recording.Tick) error
}

// Run replays what a source has, from its first tick; h is the head of its first file.
func Run(r Source, h *recording.Head, o Options) (*Report, error) {
	setup, err := ReadSetup(h)
	if err != nil {
		return nil, named(r, err)
	}
	s := &Session{source: r, player: brain.NewPlayer(), setup: setup}
	s.report = Report{Program: h.Program, World: setup.World, Engine: setup.Engine, Differ: o.Differ}
	if setup.Config.Engine.Kind == "cuda" {
		setup.Config.Engine.Kind = "auto" // the processor computes the same
	}
	if o.Change != nil {
		o.Change(&setup)
	}
	begin := beginning{h.Brain, setup.Learned}
	if o.Start != nil {
		begin = beginning{o.Start.Data, true}
	}
	if s.mind, s.thawed, err = setup.build(begin, s.player, s.player); err != nil {
		return nil, named(r, err)
	}
	s.report.Again = s.mind.Engine.Name()
	began, busy := time.Now(), processorTime()
	s.report.Begun = s.mind.Brain.Ticks()
	err = s.play(o)
	s.report.Took, s.report.Busy = time.Since(began), processorTime()-busy
	s.report.Hash = fmt.Sprintf("%016x", field.Hash(s.mind.Engine))
	if err == nil && o.next != nil {
		s.report.joins, err = s.is(o.next)
	}
	return &s.report, errors.Join(err, s.mind.Close())
}

// named puts the file before an error about what a recording begins with.
func named(r Source, err error) error {
	if files, are := r.(*Chain); are {
		return fmt.Errorf("%s: %w", files.all[0], err)
	}
	return err
}

// processorTime returns what this process has had of the processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// play replays tick by tick.
func (s *Session) play(o Options) (err error) {
	if s.thawed {
		defer func() {
			if p := recover(); p != nil { // numbers that no tick makes
				err = fmt.Errorf("replay: %w: no brain was ever as the frozen one of tick %d: %v", recording.ErrDamaged, s.report.Begun, p)
			}
		}()
	}
	var t recording.Tick
	var begun, told time.Duration
	start := o.Start
	for n := 0; ; n++ {
		if more, err := s.next(&t, start); !more {
			return err
		}
		start = nil
		if n == 0 {
			begun, told = t.At(), t.At()
		}
		if o.over(&t, begun) {
			return nil
		}
		if why := s.whole(&t, n == 0); why != "" {
			s.report.Stopped = why
			return nil
		}
		if d := s.tick(&t); d != nil && !o.Onward {
			return nil
		}
		s.report.Length, s.report.last = t.At()-begun, t.At()
		if o.Progress != nil && t.At()-told >= 100*time.Millisecond {
			told = t.At()
			o.Progress(t.At() - begun)
		}
	}
}

// next reads the next tick, of those before the frozen brain none, and reports whether
// there is one. What cuts a recording off ends it like its end, and the report says so.
func (s *Session) next(t *recording.Tick, from *recording.Frozen) (more bool, err error) {
	for {
		switch err := s.source.Next(t); {
		case errors.Is(err, io.EOF):
			return false, nil
		case errors.Is(err, recording.ErrCut), errors.Is(err, recording.ErrDamaged):
			s.report.Stopped = err.Error()
			return false, nil
		case err != nil:
			return false, err
		case from == nil || t.Input.Tick >= from.Tick:
			return true, nil
		}
	}
}

// over reports whether a tick is behind the last one that is asked for; begun is the
// instant of the first.
func (o *Options) over(t *recording.Tick, begun time.Duration) bool {
	return o.before > 0 && t.Input.Tick >= o.before || o.Until > 0 && t.At()-begun > o.Until || o.end > 0 && t.At() > o.end
}

// lack returns why ticks are missing before the newest, as far as the source knows.
func (s *Session) lack() string {
	if files, are := s.source.(interface{ Left() error }); are && files.Left() != nil {
		return files.Left().Error()
	}
	return "the disk was slow, full or gone, or a flight ring damaged"
}

// whole returns why the recording does not say what a tick began with, nothing where it
// does.
func (s *Session) whole(t *recording.Tick, first bool) string {
	next := s.past.next
	if first {
		next = s.mind.Brain.Ticks()
	}
	switch n := t.Input.Tick; {
	case n != next && first:
		return fmt.Sprintf("the recording begins with tick %d, and the brain that went into that tick is not in it", n)
	case n < next:
		return fmt.Sprintf("tick %d follows tick %d: another drive begins there, or the files are not in their order; name the files of one drive", n, next-1)
	case n != next:
		return fmt.Sprintf("%d ticks are missing before tick %d: %s, and nobody can say how the brain came through them; --from a time behind them begins with the next frozen brain", n-next, n, s.lack())
	case t.Partly:
		return fmt.Sprintf("the flight ring has no room for what reached tick %d (it takes one order, one setting and four calls between two ticks, and stages of up to 4.29 s): record with --record", n)
	case !t.Input.Whole():
		return fmt.Sprintf("tick %d was told %d things, of which the recording has %d", n, t.Input.NumCalls, brain.MaxCalls)
	}
	return ""
}

// tick replays one tick and compares what came out.
func (s *Session) tick(t *recording.Tick) *Difference {
	trace := s.player.Tick(s.mind.Brain, &t.Input)
	r := &s.report
	r.Ticks++
	r.Causes |= trace.Causes
	again := recording.Tick{
		Input: t.Input, Told: trace.Command, Causes: trace.Causes, Rung: trace.Rung, Failed: t.Failed,
		Answer: recording.Answer(s.mind.Brain.Output()),
	}
	if t.Answer != 0 {
		r.Answers++
	}
	if t.Field != 0 {
		again.Field = field.Hash(s.mind.Engine)
		r.Fields++
	}
	d := compare(t, &again)
	s.past.keep(t)
	s.past.next = t.Input.Tick + 1
	if d == nil {
		return nil
	}
	r.Others++
	if !equal(&t.Told, &again.Told) {
		r.Told++
		r.Speed = max(r.Speed, math.Abs(float64(t.Told.Speed-again.Told.Speed)))
		r.Turn = max(r.Turn, math.Abs(float64(t.Told.Steering-again.Told.Steering)))
	}
	if r.First == nil {
		d.Because = s.because(t, &again)
		d.Before = s.past.lines()
		r.First = d
	}
	return d
}
