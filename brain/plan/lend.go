package plan

import "fieldbrain/brain/belief"

// A Caster casts rays somewhere else, such as on a graphics card, while the tick goes on.
// Neither method waits, allocates or locks.
type Caster interface {
	// Ask hands a question about a belief over and reports whether it was taken. Belief
	// and question stay as they are until Answer is called, or Ask again: then nobody
	// wants the answer any more.
	Ask(b *belief.Belief, q *Question) bool
	// Answer writes the answer to the question taken last, its rows in the question's
	// order, and reports whether it has it. It is called once; who has none then is late.
	Answer(to *Answer) bool
}

// A Question is the rays of one tick: the rows that its work casts, and those that it may
// cast, as the answer to others decides.
type Question struct {
	Rows  [Actions]Row
	Count int
	Seen  *belief.Seen // cells that count as known; nil for none
}

// A Row is one row of a fan: belief.Columns rays.
type Row struct {
	From  belief.Place // within the grid
	First int          // azimuth 0..255
	Row   int          // elevation 0..31
}

// An Answer is what the rows of a question gain.
type Answer [Actions]Gains

// Gains are what belief.Fan counts of one row.
type Gains struct {
	Gain   [belief.Columns]int32 // per azimuth, bits in Q15
	Visits int64                 // cells looked at
}

// lent is the work of the newest tick while its rays are with somebody else, who has
// until the next tick. Nothing that the work reads changes before Reclaim, so it comes out
// as if it had been done at once.
type lent struct {
	caster Caster // nil for none
	waits  bool   // the work is not done
	have   bool   // answer is that to asked
	at     int    // parent that asked is about
	asked  Question
	answer Answer
}

// Lend lets somebody else cast rays from the next tick on; nil for nobody. The plans stay
// the same, bit for bit. Whoever lends calls Reclaim in every tick.
func (t *Tree) Lend(c Caster) { t.lent.caster = c }

// Owes reports whether work of the newest tick waits for Reclaim.
func (t *Tree) Owes() bool { return t.lent.waits }

// Reclaim does the work that waits: with the answer where there is one, else it casts the
// rays itself. It is called before belief or ground change after the tick, and never ends
// a plan.
func (t *Tree) Reclaim(b *belief.Belief) {
	l := &t.lent
	if !l.waits {
		return
	}
	l.have = l.caster != nil && l.caster.Answer(&l.answer)
	t.Finish(b)
}

// Finish is Reclaim without asking for the answer.
func (t *Tree) Finish(b *belief.Belief) {
	l := &t.lent
	if !l.waits {
		return
	}
	l.waits = false
	t.work(b)
	l.have = false
}

// Forget lets what was lent be nobody's: the tree has become another.
func (t *Tree) Forget() { t.lent.waits = false }

// lend hands the tick's rays to somebody who casts them until the next tick. A tick in
// which the level may end is done at once: behind it are scores that choose other rays,
// or the plan itself.
func (t *Tree) lend(b *belief.Belief) bool {
	l := &t.lent
	if l.caster == nil || t.left <= 0 || t.least() < t.left {
		return false
	}
	t.question(b)
	l.waits = l.asked.Count > 0 && l.caster.Ask(b, &l.asked)
	return l.waits
}

// least is how many units of work at least the level has left.
func (t *Tree) least() int {
	pose := t.wanted - t.rows
	switch {
	case !t.looked:
		return pose + spreading + Actions*firstRows
	case t.at == t.breadth:
		return 0
	}
	return pose + firstRows*(Actions-1-t.action+Actions*(t.breadth-1-t.at))
}

// question writes down the rows that this tick may cast, of the look around or of one
// parent.
func (t *Tree) question(b *belief.Belief) {
	q, left, most := &t.lent.asked, t.left, t.effort.Rays/unit
	q.Count, q.Seen, t.lent.at = 0, nil, t.at
	end := most // of the pose under way
	if t.rows >= firstRows {
		end = t.wanted
	}
	if !t.looked {
		q.put(b, t.eye(t.situation.State), t.fan.First, t.rows, min(end, t.rows+left))
		return
	}
	if t.level > 0 { // the first overlay is empty
		q.Seen = &t.seen[t.level&1][t.at]
	}
	rows, need := t.rows, t.wanted-t.rows
	for a := t.action; a < Actions && left > 0; a++ {
		s := &t.paths.End[a]
		q.put(b, t.eye(*s), belief.Ahead(float64(s.Heading)), rows, min(end, rows+left))
		left -= need
		rows, need, end = 0, firstRows, most
	}
}

// put adds rows of a fan, in their order, as far as there is room. Outside the grid no
// ray gains anything, and nobody need be asked.
func (q *Question) put(b *belief.Belief, from belief.Place, first, row, end int) {
	if _, _, inside := b.Locate(from); !inside {
		return
	}
	for ; row < end && q.Count < len(q.Rows); row++ {
		q.Rows[q.Count] = Row{From: from, First: first, Row: rowOrder[row]}
		q.Count++
	}
}

// add adds what the answer says of a row of a parent's fan and reports whether it does.
func (l *lent) add(at int, from belief.Place, f *belief.Fan) bool {
	if !l.have || l.at != at { // another parent has another overlay
		return false
	}
	row := Row{From: from, First: f.First, Row: f.Row}
	for i := range l.asked.Rows[:l.asked.Count] {
		if l.asked.Rows[i] != row {
			continue
		}
		g := &l.answer[i]
		for c, gain := range g.Gain {
			f.Gain[c] += gain
		}
		f.Visits += g.Visits
		return true
	}
	return false
}
