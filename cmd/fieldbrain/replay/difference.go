package replay

import (
	"fmt"
	"math"
	"strings"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon/recording"
	"fieldbrain/robot"
)

// A Difference is the first tick that came out otherwise.
type Difference struct {
	Tick    uint64        `json:"tick"`
	At      time.Duration `json:"at_ns"` // on the body's clock
	What    []string      `json:"what"`  // each as recorded and as replayed
	Because string        `json:"because"`
	Before  []string      `json:"before"` // the ticks before, as recorded
}

// compare returns what differs between a tick as recorded and as replayed, or nil.
func compare(was, is *recording.Tick) *Difference {
	var what []string
	note := func(differs bool, format string, args ...any) {
		if differs {
			what = append(what, fmt.Sprintf(format, args...))
		}
	}
	note(was.Rung != is.Rung, "rung %d, replayed %d", was.Rung, is.Rung)
	note(was.Answer != 0 && was.Answer != is.Answer, "the field's answer %016x, replayed %016x", was.Answer, is.Answer)
	note(was.Field != is.Field, "the whole field %016x, replayed %016x", was.Field, is.Field)
	note(was.Causes != is.Causes, "causes against motion [%v], replayed [%v]", was.Causes, is.Causes)
	for i, a := range numbers(&was.Told) {
		b := numbers(&is.Told)[i]
		note(math.Float32bits(a) != math.Float32bits(b), "%s %v, replayed %v", quantities[i], a, b)
	}
	note(was.Told.Brake != is.Told.Brake, "brake %v, replayed %v", was.Told.Brake, is.Told.Brake)
	note(was.Told.Enable != is.Told.Enable, "enable %v, replayed %v", was.Told.Enable, is.Told.Enable)
	note(was.Told.IgnoreBattery != is.Told.IgnoreBattery, "nominal %v, replayed %v", was.Told.IgnoreBattery, is.Told.IgnoreBattery)
	note(was.Told.At != is.Told.At || was.Told.SensedAt != is.Told.SensedAt, "instants %v and %v of the command, replayed %v and %v",
		was.Told.At, was.Told.SensedAt, is.Told.At, is.Told.SensedAt)
	if what == nil {
		return nil
	}
	return &Difference{Tick: was.Input.Tick, At: was.At(), What: what}
}

// quantities names the numbers of a command.
var quantities = [...]string{"speed (m/s)", "steering (rad)", "pan (rad)", "tilt (rad)"}

// numbers returns a command's numbers in that order.
func numbers(c *robot.Command) [4]float32 { return [4]float32{c.Speed, c.Steering, c.Pan, c.Tilt} }

// equal reports whether two commands are the same, bit for bit.
func equal(a, b *robot.Command) bool {
	for i, v := range numbers(a) {
		if math.Float32bits(v) != math.Float32bits(numbers(b)[i]) {
			return false
		}
	}
	return a.At == b.At && a.SensedAt == b.SensedAt && a.Brake == b.Brake && a.Enable == b.Enable && a.IgnoreBattery == b.IgnoreBattery
}

// because says where a first difference comes from, as far as the tick shows it.
func (s *Session) because(was, is *recording.Tick) string {
	var why []string
	switch {
	case was.Rung != is.Rung:
		why = append(why, "the governor chose another rung from the same durations: its rules, engine.quality or engine.budget differ")
	case was.Answer != 0 && was.Answer != is.Answer && equal(&was.Told, &is.Told):
		why = append(why, "the field came out otherwise, and the command does not show it yet: what enters the field, or what steps it, differs")
	case was.Answer != 0 && was.Answer != is.Answer:
		why = append(why, "the field came out otherwise: what enters it, or what steps it, differs")
	case was.Field != is.Field:
		why = append(why, "cells of the field differ that no sum shows: what steps it, or what it has learned, differs")
	case was.Causes != is.Causes:
		why = append(why, "the field is the same, the reflexes judged otherwise: their thresholds or rules differ")
	default:
		why = append(why, "field and causes are the same: decoding or reflexes make another command of them")
	}
	if was.Input.Fault || was.Failed {
		why = append(why, "engine or body refused in this tick of the recording")
	}
	if s.report.Engine != s.report.Again {
		why = append(why, fmt.Sprintf("recorded with engine %s, replayed with %s", s.report.Engine, s.report.Again))
	}
	if len(s.report.Differ) > 0 {
		why = append(why, "file and program do not share: "+strings.Join(s.report.Differ, ", "))
	}
	return strings.Join(append(why, "recorded by "+s.report.Program), "; ")
}

// kept is how many ticks before a difference are shown.
const kept = 5

// A past keeps the last ticks, and which comes next.
type past struct {
	ticks [kept]recording.Tick
	n     int
	next  uint64
}

// keep keeps a tick.
func (p *past) keep(t *recording.Tick) {
	p.ticks[p.n%kept] = *t
	p.n++
}

// lines tells of the last ticks, the newest last.
func (p *past) lines() (lines []string) {
	for i := max(0, p.n-kept); i < p.n; i++ {
		lines = append(lines, Line(&p.ticks[i%kept]))
	}
	return lines
}

// Line tells of a tick as people read it.
func Line(t *recording.Tick) string {
	front := "-"
	if r := t.Input.State.Range[robot.Front]; r.OK {
		front = fmt.Sprintf("%.2f", r.Value)
		if r.AtLeast {
			front = "beyond " + front
		}
	}
	line := fmt.Sprintf("tick %d at %.3f s: front %s m, heading %.3f rad (mass %.2f), told %.3f m/s and %.3f rad, rung %d",
		t.Input.Tick, t.At().Seconds(), front, t.Bearing, t.Mass, t.Told.Speed, t.Told.Steering, t.Rung)
	if t.Causes != 0 {
		line += fmt.Sprintf(", held by %v", t.Causes)
	}
	for _, a := range t.Input.Calls[:min(t.Input.NumCalls, brain.MaxCalls)] {
		line += ", " + a.Do.String()
	}
	if t.Input.Asked != brain.AskNothing {
		line += ", asked " + t.Input.Asked.String()
	}
	return line
}
