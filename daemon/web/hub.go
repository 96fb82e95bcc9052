package web

import (
	"encoding/json"
	"sync"
)

// A kind of frame is one of which a browser wants the newest alone.
type kind int

// The kinds in the order in which a browser gets them.
const (
	kindTrouble kind = iota
	kindRun
	kindStatus
	kindGround
	kindField
	kindTick
	numKinds
)

var kindNames = [numKinds]string{"trouble", "run", "status", "ground", "field", "tick"}

// Bounds of what a hub keeps for browsers that come later.
const (
	maxTrail   = 8192 // points: 245 m of the way at 3 cm
	maxJournal = 512  // events
)

// A frame is encoded once, whoever gets it.
type frame struct {
	number uint64 // of all frames of the hub, 0: there is none
	text   []byte // one line of JSON
}

// A hub keeps the newest frame of each kind, the trail and the journal, and tells
// browsers that something is new.
type hub struct {
	woken chan struct{} // somebody has come: the watch shall look at once

	mu       sync.Mutex
	changed  chan struct{} // closed at the next change
	number   uint64
	frames   [numKinds]frame
	run      uint64 // runs so far: with each the trail begins anew
	way      list[point]
	stories  list[event]
	watchers int
}

// A list grows at its end and forgets its beginning.
type list[T any] struct {
	first int // number of the first item that is kept
	items []T
}

// add appends items and keeps so many at most.
func (l *list[T]) add(items []T, most int) {
	l.items = append(l.items, items...)
	if over := len(l.items) - most; over > 0 {
		over = max(over, most/8) // so that not every addition moves everything
		l.items = append([]T(nil), l.items[over:]...)
		l.first += over
	}
}

// after returns the items from a number on, and the number of the first of them.
func (l *list[T]) after(n int) (items []T, first int) {
	first = max(n, l.first)
	if first >= l.first+len(l.items) {
		return nil, first
	}
	return l.items[first-l.first:], first
}

func newHub() *hub {
	return &hub{woken: make(chan struct{}, 1), changed: make(chan struct{})}
}

// put makes a frame the newest of its kind.
func (h *hub) put(k kind, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		return // a value of ours that JSON cannot write: a test finds it
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.number++
	h.frames[k] = frame{h.number, text}
	if k != kindTrouble {
		h.frames[kindTrouble] = frame{}
	}
	h.tell()
}

// tell wakes everybody who waits. The caller holds the lock.
func (h *hub) tell() {
	close(h.changed)
	h.changed = make(chan struct{})
}

// reset forgets the run before.
func (h *hub) reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.frames = [numKinds]frame{}
	h.run++
	h.way = list[point]{}
	h.tell()
}

// trail lengthens the trail.
func (h *hub) trail(points []point) {
	if len(points) == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.way.add(points, maxTrail)
	h.tell()
}

// journal adds events.
func (h *hub) journal(events []event) {
	if len(events) == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stories.add(events, maxJournal)
	h.tell()
}

// watched reports whether anybody looks.
func (h *hub) watched() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.watchers > 0
}

// come counts somebody who looks until leave is called.
func (h *hub) come() (leave func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.watchers++
	select {
	case h.woken <- struct{}{}:
	default:
	}
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.watchers--
	}
}

// A place is how far a browser has read.
type place struct {
	run     uint64
	frames  [numKinds]uint64
	way     int
	stories int
}

// A part is one event of a stream.
type part struct {
	name string
	text []byte
}

// since returns what is new since a place, moves the place, and returns what is closed
// when there is more.
func (h *hub) since(p *place) (parts []part, changed <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if p.run != h.run {
		p.run, p.way = h.run, 0
	}
	for k, f := range h.frames {
		if f.number > p.frames[k] {
			p.frames[k] = f.number
			parts = append(parts, part{kindNames[k], f.text})
		}
	}
	points, first := h.way.after(p.way)
	if len(points) > 0 {
		parts = append(parts, encoded("trail", map[string]any{"first": first, "points": points}))
		p.way = first + len(points)
	}
	stories, _ := h.stories.after(p.stories)
	if len(stories) > 0 {
		parts = append(parts, encoded("journal", stories))
		p.stories = h.stories.first + len(h.stories.items)
	}
	return parts, h.changed
}

func encoded(name string, v any) part {
	text, err := json.Marshal(v)
	if err != nil {
		text = []byte("null")
	}
	return part{name, text}
}
