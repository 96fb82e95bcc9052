package drive

import (
	"cmp"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"time"

	"fieldbrain/robot/safety"
	"fieldbrain/testbench"
)

// A held counts for how long each cause of the reflexes kept the car standing.
type held struct {
	lasted [safety.NumCauses]time.Duration
	stands [safety.NumCauses]time.Duration // for which it has stood with one that refuses to drive forward
	begun  bool                            // last is an instant: in real time the clock does not begin at 0
	last   time.Duration                   // the tick before
	barred [safety.NumCauses]time.Duration // likewise, that refuse arming, with which a disarmed car stood
}

// heldLong is how long a cause must have held the car to be named: a bring-up takes a
// quarter of a second of every drive.
const heldLong = 2 * time.Second

// tick counts the causes of a tick with which a car stands still; that it is disarmed
// counts where nothing else keeps it so. stands says that the wheels are told to.
func (h *held) tick(now time.Duration, causes safety.Causes, stands bool) {
	since := now - h.last
	if !h.begun {
		since, h.begun = 0, true
	}
	h.last = now
	if h.refused(causes, since, stands); causes.Level() < safety.Stopped {
		return
	}
	if others := causes &^ safety.Disarmed; others.Level() >= safety.Stopped {
		causes = others
	} else if others != 0 {
		h.bar(others, since)
	}
	for rest := causes; rest != 0; rest &= rest - 1 {
		if one := rest & -rest; one.Level() >= safety.Stopped {
			h.lasted[bits.TrailingZeros32(uint32(one))] += since
		}
	}
}

// refused counts the causes that refuse to drive forward, where the car stood for long with
// one: mostly it backs away, or turns.
func (h *held) refused(causes safety.Causes, since time.Duration, stands bool) {
	for i, f := range safety.Faults() {
		switch {
		case f.Level != safety.Hold:
		case stands && causes.Has(f.Cause) && causes.Level() == safety.Hold:
			was := h.stands[i]
			if h.stands[i] += since; h.stands[i] >= heldLong {
				h.lasted[i] += since
				if was < heldLong { // now what came before counts, too
					h.lasted[i] += was
				}
			}
		default:
			h.stands[i] = 0
		}
	}
}

// bar counts which of the causes beside disarmed refuse arming.
func (h *held) bar(causes safety.Causes, since time.Duration) {
	for i, f := range safety.Faults() {
		if f.Blocks && causes.Has(f.Cause) {
			h.barred[i] += since
		}
	}
}

// bars returns those that did so for long.
func (h *held) bars() (causes safety.Causes) {
	for i, f := range safety.Faults() {
		if h.barred[i] >= heldLong {
			causes |= f.Cause
		}
	}
	return causes
}

// result names those that held the car for long, the longest first. A car that disarmed
// itself was disarmed by something; one that was never armed was perhaps refused.
func (h *held) result(tripped safety.Causes) (list []testbench.Held) {
	for i, f := range safety.Faults() {
		if h.lasted[i] < heldLong {
			continue
		}
		why := f.Means
		if by := tripped &^ safety.Disarmed; f.Cause == safety.Disarmed && by != 0 {
			why = "it disarmed itself: " + by.Words()
		} else if bars := h.bars(); f.Cause == safety.Disarmed && bars != 0 {
			why = "arming is refused: " + bars.Words()
		}
		list = append(list, testbench.Held{Cause: f.Name, Seconds: h.lasted[i].Round(time.Millisecond).Seconds(), Why: why})
	}
	slices.SortStableFunc(list, func(a, b testbench.Held) int { return cmp.Compare(b.Seconds, a.Seconds) })
	return list
}

// describeHeld prints what held the car.
func describeHeld(w io.Writer, list []testbench.Held) {
	for _, h := range list {
		fmt.Fprintf(w, "  held for %.1f s by %s: %s\n", h.Seconds, h.Cause, h.Why)
	}
}
