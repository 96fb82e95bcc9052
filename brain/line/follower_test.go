package line_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/brain/line"
)

func TestSees(t *testing.T) {
	const light, dark = 0.29, 0.09
	tests := []struct {
		name    string
		l, m, r float32
		offset  float64
		seen    bool
	}{
		{"centred", light, dark, light, 0, true},
		{"left", dark, light, light, 1, true},
		{"right", light, light, dark, -1, true},
		{"between middle and right", light, dark, dark, -0.5, true},
		{"nothing", light, light, light, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBar(5*time.Millisecond, 0.2)
			b.see(tt.l, tt.m, tt.r, 0.2, 0)
			if l := &b.l; (l.Confidence() > 0.5) != tt.seen || tt.seen && math.Abs(l.Offset()-tt.offset) > 0.06 {
				t.Errorf("offset %.2f confidence %.2f, want %.2f seen %v", l.Offset(), l.Confidence(), tt.offset, tt.seen)
			}
			if b.l.Following() != tt.seen {
				t.Errorf("following %v before a line was ever seen, want %v", b.l.Following(), tt.seen)
			}
		})
	}
}

func TestLostLineIsSearchedOnItsLastSide(t *testing.T) {
	b := newBar(5*time.Millisecond, 0.2)
	l := &b.l
	for _, right := range [...]float32{0.09, 0.09, 0.23, 0.25} { // out to the side of the bar
		b.see(0.3, 0.3, right, 0.2, 0)
	}
	for range 40 { // 0.2 s without it
		b.see(0.3, 0.3, 0.3, 0.2, 0)
	}
	bearing, weight := l.Pull()
	if bearing != -search || weight != 1 || l.Slow() != 0.5 {
		t.Errorf("lost to the right: bearing %.2f weight %.1f speed %.1f, want %.2f 1 0.5", bearing, weight, l.Slow(), -search)
	}
	for range 1200 {
		b.see(0.3, 0.3, 0.3, 0.2, 0)
	}
	if l.Following() || !l.Forgotten() {
		t.Error("after 6 s the line is still followed or remembered")
	}
	b.k.Fresh = false
	b.see(0.29, 0.09, 0.29, 0.2, 0)
	if l.Confidence() != 0 {
		t.Error("old floor readings count as a line")
	}
}

// TestBlind: a car whose floor sensors hang while it follows a line neither searches for it nor
// forgets it, until they tell of it again; where it looks for edges its reflexes see to that.
func TestBlind(t *testing.T) {
	for _, edges := range []bool{false, true} {
		b := newBar(5*time.Millisecond, 0.2)
		b.k.Edges = edges
		b.drive(0.5, 0, true, nil)
		b.k.Frozen = true
		if b.drive(0.01, 0, true, nil); b.l.Blind() == edges || !b.l.Following() || b.kept().Lost != 0 {
			t.Errorf("it looks for edges %v: blind %v, follows %v, searched for %v s", edges, b.l.Blind(), b.l.Following(), b.kept().Lost)
		}
		b.k.Frozen = false
		if b.drive(0.01, 0, true, nil); b.l.Blind() || b.l.Confidence() != 1 {
			t.Errorf("it looks for edges %v, sensors that live again: blind %v, %+v", edges, b.l.Blind(), b.l)
		}
	}
}

// TestPassBeginsAnew: whom a person drives, or nobody sends along a line, begins anew with the
// next one; who is told to stand goes on from there.
func TestPassBeginsAnew(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    line.Passage
		kept bool
	}{
		{"follows", line.Passage{Wanted: true, Drives: true}, true},
		{"told to stand", line.Passage{Holds: true}, true},
		{"driven by a person", line.Passage{Wanted: true, Driven: true}, false},
		{"sent elsewhere", line.Passage{Drives: true}, false},
	} {
		b := newBar(5*time.Millisecond, 0.2)
		b.drive(0.5, 0, true, nil)
		if b.l.Pass(&tt.p); b.kept().Found != tt.kept {
			t.Errorf("%s: a line is known %v, want %v", tt.name, b.kept().Found, tt.kept)
		}
	}
}
