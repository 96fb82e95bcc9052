package field

import (
	"errors"
	"fmt"
	"time"

	"fieldbrain/field/exact"
)

// LibraryParams say which patterns the library remembers and recalls (B.5.5).
type LibraryParams struct {
	Match   bool    // make contexts, match them, let the best patterns lead the preferences
	Learn   bool    // make patterns of episodes with an outcome; false: recall the present ones only
	Context bool    // the predictor reads the context
	Share   float32 // of the way a stored pattern and its context go towards one that confirms it
}

// DefaultLibrary returns everything on, as the daemon has it: Default, a field
// alone, has it off. Decision 0013 says why this Share.
func DefaultLibrary() LibraryParams {
	return LibraryParams{Match: true, Learn: true, Context: true, Share: 0.25}
}

// Constants of B.5.5.
const (
	contextPause   = 100 * time.Millisecond
	episodePause   = 500 * time.Millisecond
	episodesToFill = 3 // an episode is filled 1.5 s after its context
	creditTau      = 15 * time.Second
	forgetTau      = time.Hour
	freeTau        = time.Second // channels 45..47 towards the recalled ones

	whitenShare   = 0.002 // per context, once 1/n has come down to it
	whitenFloor   = 1e-3  // added to the variance
	whitenMost    = 3     // standard deviations
	gateLow       = 0.5   // cosine at which recall begins
	gateWidth     = 0.3
	matchSharp    = 8 // of the softmax
	sameContext   = 0.85
	sameProfile   = 0.6
	scoreShare    = 0.5
	usesWorth     = 0.1
	contextRange  = 0.5 // m
	contextOutput = 5   // cells of output that count as all
)

// validate checks the recall against the channels it leads.
func (p *Params) validateLibrary() error {
	l := &p.Recall
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf("field: recall: "+format, args...)) }
	if !(l.Share >= 0 && l.Share <= 1) {
		fail("share %v must be within 0..1", l.Share)
	}
	if l.Learn && !l.Match {
		fail("learning needs the match: switch Match on or Learn off")
	}
	if !l.Match {
		return errors.Join(errs...)
	}
	for n, c := range led {
		ch := &p.Table[c]
		if ch.Regime.Kind != Linear {
			fail("channel %d %s must be linear: it is led by recalled patterns", c, ch.Name)
		}
		if from := &p.Table[ledBy[n]]; from.Mask != ch.Mask {
			fail("channel %d %s has the axes %v, %s, which it recalls, has %v", c, ch.Name, ch.Mask, from.Name, from.Mask)
		}
		if ledBy[n] != c || ch.Tau <= 0 {
			continue
		}
		longest := p.Period << (periods - 1)
		if sum := Alpha(longest, ch.Tau) + Alpha(longest, freeTau); sum > 1 {
			fail("channel %d %s: alpha + alpha(1 s) = %.4g per update of %v exceeds 1: raise its tau %v", c, ch.Name, sum, longest, ch.Tau)
		}
	}
	return errors.Join(errs...)
}

// led are the channels that recalled patterns lead, ledBy the channels of a
// pattern that lead them.
var (
	led   = [Leads]int{HeadPref, HeadPref + 1, HeadPref + 2, FirstFree, FirstFree + 1, FirstFree + 2}
	ledBy = [Leads]int{HeadTrace, HeadTrace + 1, HeadTrace + 2, FirstFree, FirstFree + 1, FirstFree + 2}
)

// Leads is how many channels recalled patterns lead.
const Leads = 6

// LeadOf returns which of the leads channel c follows, or -1.
func LeadOf(c int) int {
	switch {
	case c >= HeadPref && c < HeadPref+3:
		return c - HeadPref
	case c >= FirstFree && c < FirstFree+3:
		return c - FirstFree + 3
	}
	return -1
}

// lead returns the share of the way to the recalled pattern that channel c goes
// in one update of dt at full gate, 0 where none leads it.
func (p *Params) lead(c int, dt time.Duration, alpha float64) float64 {
	n := LeadOf(c)
	if n < 0 || !p.Recall.Match {
		return 0
	}
	if ledBy[n] == c {
		return Alpha(dt, freeTau)
	}
	return alpha
}

// A Shelf says where each strategic channel lies in a pattern: the distinct
// cells of channel 32+j begin at Shelf[j], and Shelf[16] is the length of a
// pattern.
type Shelf = [Strategic + 1]int32

// NewShelf returns the shelf of a channel table. A pattern of the default table
// has 104,672 cells.
func NewShelf(table *[Channels]Channel) (s Shelf) {
	for j := range Strategic {
		s[j+1] = s[j] + int32(table[FirstStrategic+j].Mask.Cells())
	}
	return s
}

// PatternCells is how many float32 the patterns and the episodes of valid params
// need, 0 without recall: 42 MB and 13 MB of the default table. They are touched
// only as they fill.
func (p *Params) PatternCells() int {
	if !p.Recall.Match {
		return 0
	}
	return (MaxPatterns + MaxEpisodes) * int(NewShelf(&p.Table)[Strategic])
}

// outcome limits an event to -1..1; NaN counts as 0.
func outcome(o float32) float32 {
	if o != o {
		return 0
	}
	return min(max(o, -1), 1)
}

// nearness returns exp(-r/0.5 m) of a range slot that holds s.
func nearness(s float32) float32 {
	return float32(exact.Exp(float64(float32(-farthest / contextRange * s))))
}

// fading returns the share of an outcome that an action of that age gets.
func fading(rate float64, ticks int32) float32 {
	return float32(exact.Exp(float64(float64(ticks) * rate)))
}

// direction returns weight times cos and sin of an angle, rad.
func direction(angle, weight float32) (cos, sin float32) {
	if weight == 0 {
		return 0, 0
	}
	a := float64(limited(angle, 100))
	return float32(weight * float32(exact.Cos(a))), float32(weight * float32(exact.Sin(a)))
}
