package car

import (
	"errors"
	"sync/atomic"
	"time"

	"fieldbrain/brain/belief"
	"fieldbrain/brain/plan"
	"fieldbrain/gpu"
)

// Rays lets a graphics card cast the planner's rays, as plan.Caster wants it, and counts
// how that goes. The first answers of every card are held against the processor's own, and
// one that differs is that card's last. The loop's thread owns it; any goroutine may call
// State.
type Rays struct {
	card     func() *gpu.Engine // that may be asked, nil for none
	patience time.Duration      // with an answer: none where the tick is of real time

	asked    *gpu.Engine // the newest one
	trials   int         // answers of it that have been held against the processor's
	wrong    bool        // one of them differed
	has      bool        // it has job.Grid
	belief   *belief.Belief
	question *plan.Question // the newest
	job      gpu.PlanJob
	answer   gpu.PlanAnswer
	fan      belief.Fan // of a trial

	counts [numWhys]atomic.Uint64
	why    atomic.Uint32 // a why, of the newest question
	missed atomic.Uint32 // a why, of the newest question that the processor answered
	row    atomic.Uint32 // answers in a row since a question without one
}

// raysTrials is how many answers of a card are held against the processor's: those to
// some hundred rows.
const raysTrials = 32

// A why says why the processor casts the rays of a question, cardCasts that it need not.
type why uint32

const (
	nobodyAsked why = iota
	cardCasts
	noCard
	cardLate
	cardBusy
	cardGone
	cardWrong
	numWhys
)

// String says why, nothing where there is no reason.
func (w why) String() string {
	return [numWhys]string{
		noCard: "no card steps the field", cardLate: "the card's answer was late",
		cardBusy: "the card was not done with the answer before, or late with the field", cardGone: "the card's program ended",
		cardWrong: "the card's answers differ from the processor's",
	}[w]
}

// NewRays returns the rays of whatever card there is when a question comes. The function
// is called in the tick, on its thread.
func NewRays(card func() *gpu.Engine) *Rays { return &Rays{card: card} }

// A RaysState says who casts the planner's rays, and counts questions, one per tick that
// plans: those that a card answered in time, and those that the processor answered
// itself, within the tick that needed the answer.
type RaysState struct {
	Asked bool   // there has been a question
	Card  bool   // the newest was answered by a card
	Why   string // not, empty while Card
	Last  string // why the processor answered the newest that it did, empty where it never did
	Row   uint32 // questions that a card answered since one that it did not

	Answered uint64 // by a card
	Absent   uint64 // no card was there
	Late     uint64 // its answer was not there in the next tick
	Busy     uint64 // it was still about the answer before, or late with its steps
	Gone     uint64 // it died, or told what cannot be true, meanwhile
	Wrong    uint64 // its answer was not the processor's, or an answer of it had not been
}

// State returns who casts, and the counts; while a question is under way they may be of
// two.
func (r *Rays) State() RaysState {
	w := why(r.why.Load())
	count := func(w why) uint64 { return r.counts[w].Load() }
	return RaysState{
		Asked: w != nobodyAsked, Card: w == cardCasts, Why: w.String(), Last: why(r.missed.Load()).String(), Row: r.row.Load(),
		Answered: count(cardCasts), Absent: count(noCard), Late: count(cardLate),
		Busy: count(cardBusy), Gone: count(cardGone), Wrong: count(cardWrong),
	}
}

// note counts how a question ended.
func (r *Rays) note(w why) bool {
	r.counts[w].Add(1)
	r.why.Store(uint32(w))
	if w != cardCasts {
		r.missed.Store(uint32(w))
		r.row.Store(0)
	} else if n := r.row.Load(); n+1 != 0 {
		r.row.Store(n + 1)
	}
	return w == cardCasts
}

// Ask implements plan.Caster: it hands a job to the card.
func (r *Rays) Ask(b *belief.Belief, q *plan.Question) bool {
	e := r.card()
	if e == nil || e.Err() != nil {
		return r.note(noCard)
	}
	if e != r.asked {
		r.asked, r.trials, r.wrong, r.has = e, 0, false, false
	}
	if r.wrong {
		return r.note(cardWrong)
	}
	r.put(b, q)
	if err := e.Plan(&r.job); errors.Is(err, gpu.ErrBusy) {
		return r.note(cardBusy)
	} else if err != nil {
		return r.note(cardGone)
	}
	r.belief, r.question, r.has = b, q, true
	return true
}

// put makes a question a job, a fan per row. The grid goes along when it has changed.
func (r *Rays) put(b *belief.Belief, q *plan.Question) {
	j := &r.job
	j.Parts, j.NumFans = 0, int32(q.Count)
	if !r.has || !b.Has(&j.Grid) {
		b.Grid(&j.Grid)
		j.Parts |= gpu.PlanTakesGrid
		r.has = false // until it takes the job
	}
	if q.Seen != nil {
		j.Seen = *q.Seen
		j.Parts |= gpu.PlanTakesSeen
	}
	for i, row := range q.Rows[:q.Count] {
		at, part, _ := b.Locate(row.From) // which a question's rows have
		j.Fans[i] = gpu.PlanFan{
			Origin: gpu.PlanOrigin{At: at, Part: part},
			First:  int32(row.First), Row: int32(row.Row), Stride: 1, Count: 1,
		}
	}
}

// Answer implements plan.Caster.
func (r *Rays) Answer(to *plan.Answer) bool {
	if !r.asked.AwaitPlan(&r.answer, r.patience) {
		if r.asked.Err() != nil {
			return r.note(cardGone)
		}
		return r.note(cardLate)
	}
	if r.trials < raysTrials && !r.equal() {
		r.wrong = true
		return r.note(cardWrong)
	}
	for i := range r.question.Count {
		f := &r.answer.Fans[i]
		to[i] = plan.Gains{Gain: f.Gain, Visits: f.Visits}
	}
	return r.note(cardCasts)
}

// equal reports whether the answer is the one that the processor finds.
func (r *Rays) equal() bool {
	r.trials++
	for i, row := range r.question.Rows[:r.question.Count] {
		r.fan = belief.Fan{First: row.First, Row: row.Row, Count: 1, Stride: 1}
		r.belief.Cast(row.From, r.question.Seen, &r.fan)
		if f := &r.answer.Fans[i]; f.Gain != r.fan.Gain || f.Visits != r.fan.Visits {
			return false
		}
	}
	return true
}
