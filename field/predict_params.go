package field

import "fmt"

// LearnParams switch prediction and learning (B.5.5).
type LearnParams struct {
	Predict bool    // predict the senses at all; false: no error, no surprise, no learning
	Rate    float32 // mu, share of an error that one frame teaches; 0 learns nothing
}

// DefaultLearn returns prediction on, mu = 0.1.
func DefaultLearn() LearnParams { return LearnParams{Predict: true, Rate: 0.1} }

// validate checks that a repeated error shrinks. NaN fails both comparisons.
func (l *LearnParams) validate() error {
	if !(l.Rate >= 0 && l.Rate < 2) {
		return fmt.Errorf("field: learning rate mu = %.4g must be within 0 <= mu < 2: each frame leaves |1 - mu r.r/(1e-3 + r.r)| of a repeated error, which must stay below 1", l.Rate)
	}
	return nil
}

// Forgotten is the share of every weight per frame learned from (B.5.5).
const Forgotten = 1e-6

// Constants of B.5.5.
const (
	nlmsFloor     = 1e-3  // added to r.r
	fastShare     = 0.05  // per frame: E2
	usualShare    = 0.01  // per frame: usual size of the error
	slowShare     = 0.005 // per frame: mean and variance of the slot
	errorFloor    = 1e-5  // added to E2
	varianceFloor = 1e-3  // added to V2
	boostMost     = 0.25  // stimuli of a surprising slot grow by at most this share
	boostFull     = 0.2   // error at which they do
	surpriseMost  = 6     // A of a full surprise in NOVELTY
	surpriseUsed  = 4     // times the usual error
	surpriseNear  = 0.02  // error that is none
)
