package drive

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"fieldbrain/brain"
)

// ByHand is what a person does besides giving orders: drive for a while, or say how
// good the last seconds were.
type ByHand struct {
	Throttle, Steering float32       // -1..1, see brain.ManualInput
	For                time.Duration // then the person lets go; 0: this is a label
	Outcome            float32       // of a label, 1 good, -1 bad
}

// byHandWords is how often a person in the simulator speaks.
const byHandWords = 50 * time.Millisecond

// errByHand says how to drive.
var errByHand = errors.New("say drive THROTTLE STEERING LENGTH, the shares from -1 to 1, such as drive 0.5 -0.2 3s")

// parseByHand reads what a person does by hand; is reports whether it is that.
func parseByHand(words string) (hand *ByHand, is bool, err error) {
	parts := strings.Fields(words)
	if len(parts) == 0 {
		return nil, false, nil
	}
	switch parts[0] {
	case "good":
		hand = &ByHand{Outcome: 1}
	case "bad":
		hand = &ByHand{Outcome: -1}
	case "drive":
		hand, err = parseDrive(parts[1:])
		return hand, true, err
	default:
		return nil, false, nil
	}
	if len(parts) > 1 {
		err = fmt.Errorf("%s: %q is too much", parts[0], parts[1])
	}
	return hand, true, err
}

// parseDrive reads throttle, steering and length.
func parseDrive(parts []string) (*ByHand, error) {
	if len(parts) != 3 {
		return nil, errByHand
	}
	hand := &ByHand{}
	for i, to := range []*float32{&hand.Throttle, &hand.Steering} {
		v, err := strconv.ParseFloat(parts[i], 32)
		if err != nil || !(v >= -1 && v <= 1) { // NaN fails
			return nil, fmt.Errorf("drive: %q is no share: %w", parts[i], errByHand)
		}
		*to = float32(v)
	}
	d, err := time.ParseDuration(parts[2])
	if err != nil || d <= 0 {
		return nil, fmt.Errorf("drive: %q is no length: %w", parts[2], errByHand)
	}
	hand.For = d
	return hand, nil
}

// A manualScript drives as a person does for a while.
type manualScript struct {
	says        brain.ManualInput // DriverPerson while the person drives
	next, until time.Duration
}

// begin does what a person does by hand.
func (w *manualScript) begin(hand *ByHand, now time.Duration, b *brain.Brain) {
	if hand.For == 0 {
		b.Remote().Outcome(hand.Outcome)
		return
	}
	w.says = brain.ManualInput{
		Driver: brain.DriverPerson, Throttle: hand.Throttle, Steering: hand.Steering,
		Source: brain.Source{'s', 'c', 'r', 'i', 'p', 't'},
	}
	w.next, w.until = now, now+hand.For
}

// tick says the person's words when they are due.
func (w *manualScript) tick(now time.Duration, b *brain.Brain) {
	switch {
	case w.says.Driver != brain.DriverPerson:
	case now >= w.until:
		w.says = brain.ManualInput{}
		b.Remote().Steer(brain.ManualInput{Driver: brain.DriverBrain})
	case now >= w.next:
		w.next += byHandWords
		b.Remote().Steer(w.says)
	}
}
