package hat

import (
	"math"
	"time"

	"fieldbrain/robot/picarx"
)

const (
	burst     = 450 * time.Microsecond // from the trigger's fall to the echo's rise
	queueSize = 16                     // events the kernel keeps per line
	forever   = time.Duration(math.MaxInt64)
)

// A sonar is one HC-SR04: its trigger and the edges of its echo line, those to
// come included.
type sonar struct {
	sector  int
	trigger bool
	raised  time.Duration // instant the trigger rose
	busy    time.Duration // instant until which a new trigger is ignored
	width   time.Duration // of the last echo, for EchoHold

	rise, fall time.Duration // of the newest pulse
	seq        uint32
	edges      [queueSize]picarx.Edge // ascending; read when their instant has passed
	first, n   int
}

// ping sends sound and lays down the echo's edges.
func (b *Board) ping(i int, now time.Duration) {
	s := &b.sonars[i]
	t := now - b.start
	b.stats.Pings++

	width := b.params.NoEcho
	if distance, ok := b.plant.Range(i, now); ok {
		width = time.Duration(2 * distance / b.params.SoundSpeed * float64(time.Second))
	}
	if b.forced(EchoHold, t, i) != nil && s.width != 0 {
		width = s.width
	}
	s.width = width
	if b.mcu.off || b.strikes(EchoLost, t, i) != nil {
		return
	}
	if f := b.strikes(EchoGhost, t, i); f != nil {
		width = 80 * time.Microsecond
		if f.Value > 0 {
			width = time.Duration(f.Value * float64(time.Second))
		}
	}
	s.rise, s.fall = now+burst, now+burst+width
	if f := b.strikes(EchoStuck, t, i); f != nil {
		s.fall = forever
		if f.Until != 0 {
			s.fall = max(b.start+f.Until, s.rise+width)
		}
	}
	s.busy = s.fall
	b.edge(i, s.rise, true)
	if s.fall != forever {
		b.edge(i, s.fall, false)
	}
}

// edge queues one edge unless it gets lost; its number is used up either way.
func (b *Board) edge(i int, at time.Duration, rising bool) {
	s := &b.sonars[i]
	s.seq++
	if b.strikes(EdgeLost, at-b.start, i) != nil {
		return
	}
	if b.strikes(EdgeSwap, at-b.start, i) != nil {
		rising = !rising
	}
	if s.n == queueSize { // the kernel drops the oldest
		s.first, s.n = (s.first+1)%queueSize, s.n-1
	}
	s.edges[(s.first+s.n)%queueSize] = picarx.Edge{At: at, Rising: rising, Seq: s.seq}
	s.n++
}

// NextEdge returns the instant of the earliest unread echo edge, and whether
// there is one. In virtual time it says when a sampler would wake up.
func (b *Board) NextEdge() (time.Duration, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at, ok := forever, false
	for i := range b.sonars {
		if s := &b.sonars[i]; s.n > 0 && s.edges[s.first].At < at {
			at, ok = s.edges[s.first].At, true
		}
	}
	return at, ok
}

// An echo is a sonar's echo line.
type echo struct {
	board *Board
	sonar int
}

// Next implements picarx.Input.
func (e echo) Next(edge *picarx.Edge) bool {
	b := e.board
	b.mu.Lock()
	defer b.mu.Unlock()
	s := &b.sonars[e.sonar]
	if s.n == 0 || s.edges[s.first].At > b.clock.Now() {
		return false
	}
	*edge = s.edges[s.first]
	s.first, s.n = (s.first+1)%queueSize, s.n-1
	return true
}

// Wait implements picarx.Input.
func (e echo) Wait(d time.Duration) {
	b := e.board
	b.mu.Lock()
	until := b.clock.Now() + d
	if s := &b.sonars[e.sonar]; s.n > 0 {
		until = min(until, s.edges[s.first].At)
	}
	b.mu.Unlock()
	b.clock.SleepUntil(until)
}

// Level implements picarx.Input.
func (e echo) Level() (bool, error) {
	b := e.board
	b.mu.Lock()
	defer b.mu.Unlock()
	s := &b.sonars[e.sonar]
	now := b.clock.Now()
	return now >= s.rise && now < s.fall, nil
}
