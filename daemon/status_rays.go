package daemon

import "fmt"

// A RaysStatus says who casts the planner's rays, and counts the ticks that wanted some:
// those in which the card had the answer, and those in which the processor cast them
// itself, by the reason.
type RaysStatus struct {
	Card     bool   `json:"on_card"`       // the newest were the card's
	Why      string `json:"why,omitempty"` // they were not
	Answered uint64 `json:"answered_ticks"`
	Absent   uint64 `json:"absent_ticks"` // no card stepped the field
	Late     uint64 `json:"late_ticks"`   // its answer was not there in the next tick
	Busy     uint64 `json:"busy_ticks"`   // it was not done with the answer before, or late with the field
	Gone     uint64 `json:"gone_ticks"`   // it died, or its answer could not be true
	Wrong    uint64 `json:"wrong_ticks"`  // its answers differed from the processor's
}

// Line says who plans, and how often the card was wanted in vain.
func (r *RaysStatus) Line() string {
	line := "plans on the card"
	if !r.Card {
		line = "plans on the processor: " + r.Why
	}
	if r.Late+r.Busy+r.Gone+r.Wrong > 0 {
		line += fmt.Sprintf(" (rays of %d ticks, late %d, busy %d, gone %d, wrong %d)", r.Answered, r.Late, r.Busy, r.Gone, r.Wrong)
	}
	return line
}
