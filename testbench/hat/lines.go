package hat

import "time"

// The lines a driver drives.
const (
	resetLine = iota
	leftLine
	rightLine
)

// lines is the state of the board's inputs, and the last converted value of
// each ADC channel for the frozen-sensor fault.
type lines struct {
	reset  bool   // as the host drives it
	deaf   bool   // the wire is off
	pulses uint64 // falling edges of reset at the controller
	held   [8]uint16
}

// An output is one line of the host that ends at the board.
type output struct {
	board *Board
	line  int
}

// Set drives the line. Reset low drops every output of the controller at once.
func (o output) Set(high bool) error {
	b := o.board
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.catchUp()
	switch o.line {
	case leftLine:
		b.out.Left = high
	case rightLine:
		b.out.Right = high
	case resetLine:
		b.lines.reset = high
		b.level(now)
	}
	return nil
}

// level brings the controller's reset pin up to date.
func (b *Board) level(now time.Duration) {
	low := !b.lines.reset && !b.lines.deaf
	if b.mcu.held == low {
		return
	}
	b.mcu.held = low
	if low {
		b.lines.pulses++
	}
	b.reboot(now)
}

// minTrigger is the shortest trigger pulse an HC-SR04 obeys.
const minTrigger = 10 * time.Microsecond

// A trigger is a sonar's trigger line.
type trigger struct {
	board *Board
	sonar int
}

// Set drives the line; sound goes out on the falling edge of a long enough
// pulse, unless an echo is still awaited.
func (t trigger) Set(high bool) error {
	b := t.board
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.catchUp()
	s := &b.sonars[t.sonar]
	switch {
	case high && !s.trigger:
		s.raised = now
	case !high && s.trigger && now-s.raised >= minTrigger && now >= s.busy:
		b.ping(t.sonar, now)
	}
	s.trigger = high
	return nil
}
