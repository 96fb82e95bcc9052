package sweep

import (
	"slices"
	"strings"
)

// A Tally holds the results of a batch's jobs, each once.
type Tally struct {
	batch  *Batch
	place  map[string]int // of a job in the batch
	first  []*Result
	second []*Result
	odd    map[string]*Result // other results of a job, by worker and digest
	added  int
	redone int // results that came although another of the same job had
}

// NewTally returns an empty tally.
func NewTally(p *Batch) *Tally {
	t := &Tally{
		batch: p, place: make(map[string]int, len(p.Jobs)),
		first: make([]*Result, len(p.Jobs)), second: make([]*Result, len(p.Jobs)), odd: map[string]*Result{},
	}
	for i := range p.Jobs {
		t.place[p.Jobs[i].ID] = i
	}
	return t
}

// Add takes a job's result. Of a job that has one it keeps the first, and notes
// another that differs. It reports whether the job is of the batch.
func (t *Tally) Add(r *Result) bool { return t.add(t.first, r) }

// Again takes what the second worker made of a job.
func (t *Tally) Again(r *Result) bool {
	i, known := t.place[r.ID]
	return known && t.batch.Jobs[i].Twice && t.add(t.second, r)
}

// Odd takes a result that the store refused because there was one already.
func (t *Tally) Odd(r *Result) bool {
	i, known := t.place[r.ID]
	if known && (t.first[i] == nil || t.first[i].Digest() != r.Digest()) {
		t.odd[r.ID+" "+r.Worker+" "+r.Digest()] = r
	}
	return known
}

// add keeps the first result of a job.
func (t *Tally) add(to []*Result, r *Result) bool {
	i, known := t.place[r.ID]
	switch {
	case !known:
	case to[i] == nil:
		to[i] = r
		t.added++
	default:
		if to[i].Worker != r.Worker || !to[i].Ended.Equal(r.Ended) {
			t.redone++
		}
		if to[i].Digest() != r.Digest() {
			t.odd[r.ID+" "+r.Worker+" "+r.Digest()] = r
		}
	}
	return known
}

// Sweep is the ID of the batch.
func (t *Tally) Sweep() string { return t.batch.ID }

// Wanted is how many results make the sweep complete, those of second workers
// included.
func (t *Tally) Wanted() int {
	n := len(t.batch.Jobs)
	for i := range t.batch.Jobs {
		if t.batch.Jobs[i].Twice {
			n++
		}
	}
	return n
}

// Done is how many of them there are.
func (t *Tally) Done() int { return t.added }

// Missing lists jobs without a result.
func (t *Tally) Missing() (list []Job) {
	for i, r := range t.first {
		if r == nil {
			list = append(list, t.batch.Jobs[i])
		}
	}
	return list
}

// Unchecked lists jobs with a result that a second worker shall drive and has not,
// each as the first worker left it.
func (t *Tally) Unchecked() (list []*Result) {
	for i, r := range t.first {
		if r != nil && r.Twice && t.second[i] == nil {
			list = append(list, r)
		}
	}
	return list
}

// Results lists the first results, in the batch's order.
func (t *Tally) Results() (list []*Result) {
	for _, r := range t.first {
		if r != nil {
			list = append(list, r)
		}
	}
	return list
}

// Digests returns every job's digest, by its name.
func (t *Tally) Digests() map[string]string {
	all := make(map[string]string, len(t.first))
	for _, r := range t.Results() {
		all[r.ID] = r.Digest()
	}
	return all
}

// A Difference is two runs of one drive that came to different ends.
type Difference struct {
	Job  Job    `json:"job"`
	Why  string `json:"why"` // two workers, or two engines
	One  string `json:"one"` // who drove
	Came string `json:"one_came_to"`
	Two  string `json:"two"`
	To   string `json:"two_came_to"`
}

// differ returns the difference between two results.
func differ(why string, a, b *Result) Difference {
	return Difference{Job: a.Job, Why: why, One: a.By(), Came: a.Digest(), Two: b.By(), To: b.Digest()}
}

// A Check says what driving twice has shown.
type Check struct {
	Wanted   int `json:"wanted"`   // jobs chosen
	Compared int `json:"compared"` // on two workers
	Alone    int `json:"alone"`    // on one worker twice: there was no other
	Equal    int `json:"equal"`    // of both
}

// check compares what was driven twice.
func (t *Tally) check() (c Check, found []Difference) {
	for i := range t.batch.Jobs {
		if !t.batch.Jobs[i].Twice {
			continue
		}
		c.Wanted++
		a, b := t.first[i], t.second[i]
		switch {
		case a == nil || b == nil:
			continue
		case a.Worker == b.Worker:
			c.Alone++
		default:
			c.Compared++
		}
		if a.Digest() == b.Digest() {
			c.Equal++
		} else {
			found = append(found, differ("two runs", a, b))
		}
	}
	names := make([]string, 0, len(t.odd))
	for name := range t.odd {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		id, _, _ := strings.Cut(name, " ")
		if a := t.first[t.place[id]]; a != nil && a.Digest() != t.odd[name].Digest() {
			found = append(found, differ("two runs", a, t.odd[name]))
		}
	}
	return c, found
}

// engines compares drives that differ in nothing but what stepped the field.
func (t *Tally) engines() (compared int, found []Difference) {
	type drive struct{ world, file, pilot, values string }
	first := map[drive]map[uint64]*Result{}
	for _, r := range t.Results() {
		if r.Drive == nil {
			continue
		}
		d := drive{r.World, r.File, r.Pilot, label(r.Values)}
		if first[d] == nil {
			first[d] = map[uint64]*Result{}
		}
		a := first[d][r.Seed]
		if a == nil {
			first[d][r.Seed] = r
			continue
		}
		compared++
		if a.Digest() != r.Digest() {
			found = append(found, differ("two engines", a, r))
		}
	}
	return compared, found
}
