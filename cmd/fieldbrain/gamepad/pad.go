package gamepad

import (
	"fmt"
	"io"
	"sync"
)

// DeadZone is the share of a stick's way around its middle that counts as the middle:
// worn sticks rest up to a tenth beside it.
const DeadZone = 0.12

// A Press is a button that a person has pressed.
type Press uint8

// The presses.
const (
	PressNothing Press = iota
	PressStop          // B, circle: emergency stop
	PressGood          // the northern one, Y, triangle: what the car did was good
	PressBad           // the western one, X, square: it was bad
	PressWheel         // A, cross: give the wheel to the brain, or take it again
)

// A Pad is a gamepad whose events are read.
type Pad struct {
	model
	from    io.ReadCloser
	spans   map[uint16]span
	again   func(axis uint16) (int32, error) // asks the kernel where a stick stands
	dead    float64
	presses chan Press
	failed  error // why it ended; read after presses is closed

	mu     sync.Mutex
	at     map[uint16]int32
	events uint64
}

// newPad reads a device until it ends. spans must have the left stick.
func newPad(who model, from io.ReadCloser, spans map[uint16]span, dead float64, again func(uint16) (int32, error)) (*Pad, error) {
	p := &Pad{model: who, from: from, spans: spans, again: again, dead: dead, presses: make(chan Press, 64), at: map[uint16]int32{}}
	for _, axis := range []uint16{absX, absY, absRX} {
		s, has := spans[axis]
		if axis != absRX && !has {
			return nil, fmt.Errorf("%s has no left stick", who.name)
		}
		if !has {
			continue
		}
		if err := s.check(); err != nil {
			return nil, fmt.Errorf("%s: %w", who.name, err)
		}
		v, err := again(axis)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", who.name, err)
		}
		p.at[axis] = v
	}
	go p.read()
	return p, nil
}

// Name returns what the gamepad calls itself.
func (p *Pad) Name() string { return p.name }

// Presses returns the buttons as they are pressed. It is closed when the gamepad is
// gone.
func (p *Pad) Presses() <-chan Press { return p.presses }

// Err returns why the gamepad is gone, once Presses is closed.
func (p *Pad) Err() error { return p.failed }

// Close gives the gamepad up.
func (p *Pad) Close() error { return p.from.Close() }

// Wish returns what the sticks say, -1..1: forwards is the left one up; to the left is
// positive, by the stick that is farther out.
func (p *Pad) Wish() (throttle, steering float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	throttle = -p.spans[absY].share(p.at[absY], p.dead)
	steering = -p.spans[absX].share(p.at[absX], p.dead)
	if s, has := p.spans[absRX]; has {
		if right := -s.share(p.at[absRX], p.dead); right*right > steering*steering {
			steering = right
		}
	}
	return throttle + 0, steering + 0 // +0 makes a negative zero positive
}

// Events returns how many events the gamepad has given: sticks, buttons and all else.
func (p *Pad) Events() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.events
}

// read takes events in until the device ends.
func (p *Pad) read() {
	defer close(p.presses)
	var b [recordSize]byte
	for {
		if _, err := io.ReadFull(p.from, b[:]); err != nil {
			p.failed = fmt.Errorf("%s is gone: %w", p.name, err)
			return
		}
		if err := p.take(parse(&b)); err != nil {
			p.failed = fmt.Errorf("%s: %w", p.name, err)
			return
		}
	}
}

// take takes one event in.
func (p *Pad) take(r record) error {
	p.mu.Lock()
	p.events++
	p.mu.Unlock()
	switch {
	case r.kind == evSyn && r.code == synDropped:
		for axis := range p.spans {
			v, err := p.again(axis)
			if err != nil {
				return err
			}
			p.set(axis, v)
		}
	case r.kind == evAbs:
		if _, known := p.spans[r.code]; known {
			p.set(r.code, r.value)
		}
	case r.kind == evKey && r.value == 1:
		if b := p.buttons.press(r.code); b != PressNothing {
			p.presses <- b
		}
	}
	return nil
}

// set notes where a stick stands.
func (p *Pad) set(axis uint16, v int32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at[axis] = v
}
