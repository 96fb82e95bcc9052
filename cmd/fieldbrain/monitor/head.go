package monitor

import (
	"fmt"
	"math"
	"strings"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot"
)

// drawHead draws the state, why the car stands, what it is about, its motors and its
// sensors, and returns how many rows that took.
func (m *Monitor) drawHead(c canvas) int {
	s := &m.scene
	if s.wrong != "" {
		c.fill(0, ' ', c.style(alarm))
		c.text(0, 0, "no page: nothing is known of a run", c.style(alarm))
		return 1
	}
	state := c.style(bold)
	switch {
	case s.status.Failsafe == "STOPPED", s.status.Failsafe == "LATCHED", s.status.Page != nil && !s.status.Page.Alive:
		state = c.style(alarm)
	case s.status.Armed:
		state = c.style(good)
	}
	c.fill(0, ' ', state)
	c.text(0, 0, m.headline(), state)
	row := 1
	put := func(line string, of shade) {
		if line != "" && row < c.height-1 {
			c.text(row, 0, line, c.style(of))
			row++
		}
	}
	put(m.death(), bad)
	if s.back == 0 { // of another instant the ring knows none of these
		m.drawCause(put)
	}
	put(m.driving(), warn)
	if s.back == 0 {
		put(m.changed(), warn)
	}
	put(m.motors(), ordinary)
	for _, line := range wrap(m.sensors(), c.width, max(1, c.height/12)) {
		put(line, ordinary)
	}
	if c.height >= 30 {
		put(s.status.Place.Line(), ordinary)
		put(m.machine(), ordinary)
	}
	if s.status.GPU != nil {
		put(s.status.GPU.Line(), ordinary)
	}
	return row
}

// drawCause says why the car stands or is slow, with the remedy, else what it is about.
func (m *Monitor) drawCause(put func(line string, of shade)) {
	h := m.scene.status.Hindrance
	if h == nil {
		put(m.scene.status.Order.Line(), ordinary)
		return
	}
	put(h.What, bad)
	if h.Remedy != "" {
		put("remedy: "+h.Remedy, warn)
	}
}

// headline is the state in one line, the most important words first.
func (m *Monitor) headline() string {
	s := &m.scene
	armed := "disarmed"
	if s.status.Armed {
		armed = "ARMED"
	}
	line := fmt.Sprintf("%s  %s  %s", armed, s.status.Failsafe, s.status.Mode)
	switch {
	case s.back > 0:
		line = fmt.Sprintf("%s BACK  %s", clock(s.back), line)
	case m.paused:
		line = "PAUSED  " + line
	}
	body := s.run.Body
	if s.run.World != "" {
		body += " " + s.run.World
	}
	line = fmt.Sprintf("%s  %s  link %s  quality %s  %s%s", line, body, s.status.Link, s.status.Rung, m.up(), s.status.Engine)
	if s.status.GPU != nil {
		line += "  " + s.status.GPU.Short()
	}
	return line
}

// death says that the run has ended, or stands, and since when; nothing while it ticks.
func (m *Monitor) death() string {
	s := &m.scene
	p := s.status.Page
	ago, lasting := "", ""
	if d := s.now.Sub(p.Last).Round(time.Second); d >= 0 { // the clock may have been set back since
		ago, lasting = fmt.Sprintf("%v ago, ", d), fmt.Sprintf("for %v, ", d)
	}
	switch {
	case p.Ticks():
		return ""
	case p.Alive:
		return p.Line(s.now)
	case !p.Ended.IsZero():
		return fmt.Sprintf("ENDED in order %sat %s; its last tick:", ago, p.Last.Format("15:04:05"))
	case p.Last.IsZero():
		return "DEAD before its first tick"
	}
	return fmt.Sprintf("DEAD %ssince %s, without an orderly end; its last tick:", lasting, p.Last.Format("15:04:05"))
}

// wrap breaks a list whose entries are two spaces apart into lines, at most so many.
func wrap(list string, width, most int) (lines []string) {
	for _, word := range strings.Split(list, "  ") {
		n := len(lines)
		switch {
		case n > 0 && (n == most || len(lines[n-1])+2+len(word) <= width):
			lines[n-1] += "  " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}

// driving says which person drives, or has fallen silent; nothing of the brain.
func (m *Monitor) driving() string {
	d := m.scene.status.Driver
	if d.Hand == brain.DriverPerson.String() {
		return "driven by " + d.Source // a tick holds what it says only if it said it then
	}
	return d.Line()
}

// changed names the parameters that people have changed since the start.
func (m *Monitor) changed() string {
	var list []string
	for i := range m.scene.status.Parameters {
		if p := &m.scene.status.Parameters[i]; p.Changed() {
			list = append(list, p.Line())
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "changed: " + strings.Join(list, "  ")
}

// up is for how long the run has been going, or went; nothing where nobody can tell.
func (m *Monitor) up() string {
	s := &m.scene
	if s.status.Up <= 0 {
		return ""
	}
	return "up " + clock(max(0, time.Duration(s.status.Up*float64(time.Second))-s.back)) + "  "
}

// clock is a length of time as hours, minutes and seconds.
func clock(d time.Duration) string {
	n := int64(d / time.Second)
	if n >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", n/3600, n/60%60, n%60)
	}
	return fmt.Sprintf("%d:%02d", n/60, n%60)
}

// degrees of a radian.
const degrees = 180 / math.Pi

// motors says what the motors are told.
func (m *Monitor) motors() string {
	t := &m.scene.shown
	var flags []string
	if t.Is(telemetry.TickBrake) {
		flags = append(flags, "brake")
	}
	if !t.Is(telemetry.TickEnable) {
		flags = append(flags, "inert")
	}
	line := fmt.Sprintf("motors %+.2f m/s  steer %+.0f deg  told %+.2f m/s %+.0f deg  look %+.0f/%+.0f deg",
		sound(t.Speed), sound(t.Turn)*degrees, sound(t.Wheel), sound(t.Steering)*degrees,
		sound(t.LookPan)*degrees, sound(t.LookTilt)*degrees)
	return strings.TrimSpace(line + "  " + strings.Join(flags, " "))
}

// sound returns a number, and 0 for what is none.
func sound(v float32) float64 {
	f, _ := telemetry.Known(v)
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return 0
	}
	return f
}

// sensors lists the readings of those sensors that the car has, with their age.
func (m *Monitor) sensors() string {
	t := &m.scene.shown
	state := t.State()
	var b strings.Builder
	add := func(name, value string, r robot.Reading) {
		if r.At == 0 && !r.OK {
			return // not fitted
		}
		if !r.OK {
			value = "none"
		}
		fmt.Fprintf(&b, "%s %s %s  ", name, value, age(state.Now-r.Ready()))
	}
	sectors := robot.SectorNames()
	for i, r := range state.Range {
		value := fmt.Sprintf("%.2fm", sound(r.Value))
		if r.AtLeast {
			value = ">" + value
		}
		add(sectors[i], value, r)
	}
	floor := state.Floor
	oldest := floor[robot.FloorLeft]
	var spots [robot.NumFloor]string
	for i, r := range floor {
		spots[i] = "-"
		if r.OK {
			spots[i] = fmt.Sprintf("%.2f", sound(r.Value))
		}
		if r.Ready() < oldest.Ready() {
			oldest = r
		}
	}
	add("floor", strings.Join(spots[:], "/"), oldest)
	add("battery", fmt.Sprintf("%.1fV", sound(state.Battery.Value)), state.Battery)
	add("yaw", fmt.Sprintf("%+.2frad/s", sound(state.Yaw.Value)), state.Yaw)
	add("wheel", fmt.Sprintf("%+.2fm/s", sound(state.Speed.Value)), state.Speed)
	if state.Target.Bearing.OK {
		add("target", fmt.Sprintf("%+.0fdeg", sound(state.Target.Bearing.Value)*degrees), state.Target.Bearing)
	}
	return strings.TrimSpace(b.String())
}

// age is how old a reading is, in ms.
func age(d time.Duration) string {
	if d > 10*time.Second {
		return fmt.Sprintf("(%.0fs)", d.Seconds())
	}
	return fmt.Sprintf("(%dms)", max(0, d.Milliseconds()))
}

// machine is the computer in one line.
func (m *Monitor) machine() string { return m.scene.status.Quality.Line(m.scene.status.Rung) }

// drawFoot draws the last answer, or the keys.
func (m *Monitor) drawFoot(c canvas) {
	if m.said != "" && m.o.Now().Sub(m.saidAt) < saidFor {
		style := c.style(good)
		if m.saidBad {
			style = c.style(bad)
		}
		c.text(0, 0, m.said, style)
		return
	}
	orders := "e STOP  space hold  a arm  d disarm  m drive  "
	if m.o.Order == nil {
		orders = ""
	}
	if m.driver != nil {
		throttle, steering := m.hand.want(m.o.Now())
		c.text(0, 0, fmt.Sprintf("YOU DRIVE %+.1f %+.1f: arrows  space stand  1-9 speed  m give back  e STOP", throttle, steering), c.style(warn))
		return
	}
	c.text(0, 0, orders+"<> back  p pause  ? help  q "+m.o.Quits, c.style(dim))
}

// drawHelp lists the keys.
func (m *Monitor) drawHelp(c canvas) {
	c.title("keys")
	for i, k := range keys {
		c.text(1+i, 1, fmt.Sprintf("%-11s %s", k.key, k.does), c.style(ordinary))
	}
}
