package brain

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// An Order is what people want the car to do. The zero Order is what the parameters
// say: the start.
type Order struct {
	Do   Do
	X, Y float64 // m, of DoGoal, in the frame of the start: see Fix
}

// A Do is the kind of an order.
type Do uint8

// The kinds.
const (
	DoStart   Do = iota // what the parameters say: FollowLine, SeekGoal, Effort
	DoExplore           // plan towards what was not seen
	DoLine              // follow a dark line on the floor
	DoGoal              // drive to X, Y and stand there
	DoHome              // drive back to where the car stood at the start
	DoHold              // stand, armed
	DoManual            // stand, armed, until a person drives
)

var doNames = [...]string{"start", "explore", "line", "goal", "home", "hold", "manual"}

// String returns the word by which people order it.
func (d Do) String() string {
	if int(d) < len(doNames) {
		return doNames[d]
	}
	return "unknown"
}

// FarGoal is how far from the start a goal may be, in m along x and y: dead reckoning
// leads nowhere long before.
const FarGoal = 100.0

// ErrOrder is wrapped by everything that ParseOrder and Check refuse.
var ErrOrder = errors.New("say explore, line, goal X Y, home, hold or manual")

// ParseOrder reads an order as people say it: explore, line, goal X Y, home, hold or
// manual, with X and Y in metres. An error names what is wrong.
func ParseOrder(words string) (Order, error) {
	parts := strings.Fields(words)
	if len(parts) == 0 {
		return Order{}, fmt.Errorf("an order is missing: %w", ErrOrder)
	}
	o := Order{}
	for d := DoExplore; d <= DoManual; d++ {
		if doNames[d] == parts[0] {
			o.Do = d
		}
	}
	want := 1
	if o.Do == DoGoal {
		want = 3
	}
	switch {
	case o.Do == DoStart:
		return Order{}, fmt.Errorf("order %q is not known: %w", parts[0], ErrOrder)
	case len(parts) < want:
		return Order{}, fmt.Errorf("goal: Y is missing: %w, in metres from the start: X ahead, Y to the left", ErrOrder)
	case len(parts) > want:
		return Order{}, fmt.Errorf("%s: %q is too much: %w", parts[0], parts[want], ErrOrder)
	}
	if o.Do == DoGoal {
		for i, at := range []*float64{&o.X, &o.Y} {
			v, err := strconv.ParseFloat(parts[i+1], 64)
			if strings.ContainsAny(parts[i+1], "xX_") || err != nil && !errors.Is(err, strconv.ErrRange) {
				return Order{}, fmt.Errorf("goal: %c is %q, which is no number: say metres, such as goal 1.2 -0.4", "XY"[i], parts[i+1])
			}
			*at = v
		}
	}
	return o, o.Check()
}

// Check refuses an order that no car can carry out.
func (o Order) Check() error {
	if o.Do == DoStart || o.Do > DoManual {
		return fmt.Errorf("order %q is not known: %w", o.Do, ErrOrder)
	}
	for i, v := range []float64{o.X, o.Y} {
		switch {
		case !(math.Abs(v) <= FarGoal): // NaN fails
			return fmt.Errorf("goal: %c is %v m: choose -%v .. %v m from the start", "XY"[i], v, FarGoal, FarGoal)
		case v != 0 && o.Do != DoGoal:
			return fmt.Errorf("%s: %c is %v m, which belongs to goal: %w", o.Do, "XY"[i], v, ErrOrder)
		}
	}
	return nil
}

// String returns the order as people say it.
func (o Order) String() string {
	if o.Do == DoGoal {
		return fmt.Sprintf("goal %g %g", o.X, o.Y)
	}
	return o.Do.String()
}
