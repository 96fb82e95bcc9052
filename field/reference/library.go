package reference

import (
	"math"

	"fieldbrain/field"
)

// A Library is the pattern library of B.5.5 in float64, as it is written
// there: the oracle that Library is judged against.
type Library struct {
	Context  [field.NumSenses]float64 // z
	Gate     float64
	Matches  []Match // best first, at most three
	Patterns [field.MaxPatterns]Pattern

	mean, variance [field.NumSenses]float64
	seen           float64
	episodes       []*episode // newest first
}

// A Match is one pattern that fits.
type Match struct {
	Pattern        int
	Cosine, Weight float64
}

// A Pattern is a situation, what the car did in it and how it turned out.
type Pattern struct {
	Used               bool
	Context            [field.NumSenses]float64
	Score, Uses, Fresh float64
	Cells              [field.Strategic][]float64 // distinct cells of channels 32..47
}

type episode struct {
	context [field.NumSenses]float64
	cells   [field.Strategic][]float64
	credit  float64
	age     int // ticks
}

// Library returns the reference's patterns.
func (r *Field) Library() *Library { return &r.library }

// remember ends a tick.
func (r *Field) remember(in *field.Input, blocked [field.Side]float64) {
	l, p := &r.library, &r.params
	if !p.Recall.Match {
		return
	}
	dt := p.Period.Seconds()
	contexts, episodes := int(math.Round(0.1/dt)), int(math.Round(0.5/dt))
	if int(in.Tick)%(contexts*max(in.Quality.Match, 1)) == 0 {
		l.whiten(r.situation(in, blocked))
		l.match(in.Quality.Recall)
	}
	if !p.Recall.Learn {
		return
	}
	for _, s := range l.episodes {
		s.age++
	}
	copied := false
	if int(in.Tick)%episodes == 0 {
		copied = l.open(3*episodes, r.strategic)
	}
	for _, s := range l.episodes {
		if o := float64(in.Outcome); !math.IsNaN(o) && s.age > 3*episodes {
			s.credit += min(max(o, -1), 1) * math.Exp(-float64(s.age)*dt/15)
		}
	}
	if !copied {
		l.conclude(float64(p.Recall.Share))
	}
}

// situation returns the raw context.
func (r *Field) situation(in *field.Input, blocked [field.Side]float64) (raw [field.NumSenses]float64) {
	s := &in.Senses
	value := func(slot int) float64 {
		if s.Valid>>slot&1 == 0 || s.S[slot] != s.S[slot] {
			return 0
		}
		return min(max(float64(s.S[slot]), 0), 1)
	}
	copy(raw[:], blocked[:])
	for i := range 8 {
		if s.Valid>>(field.SlotRange+i)&1 == 1 {
			raw[32+i] = math.Exp(-4 * value(field.SlotRange+i) / 0.5)
		}
	}
	if s.Valid>>field.SlotLine&1 == 1 {
		raw[40] = 2*value(field.SlotLine) - 1
	}
	raw[41] = value(field.SlotLineTrust)
	if w := share(in.Drive.GoalWeight, in.Drive.Goal); w > 0 {
		raw[42], raw[43] = w*math.Cos(float64(in.Drive.Goal)), w*math.Sin(float64(in.Drive.Goal))
	}
	var light [2]float64
	for side := range light {
		n := 0.0
		for column := range 8 {
			slot := field.SlotLight + 8*side + column
			light[side] += value(slot)
			n += float64(s.Valid >> slot & 1)
		}
		light[side] /= max(n, 1)
	}
	raw[44], raw[45] = light[0]-light[1], (light[0]+light[1])/2
	raw[46] = max(value(field.SlotCliff), value(field.SlotCliff+1), value(field.SlotCliff+2))
	raw[47] = value(field.SlotContact)
	for c := range field.FirstTrace {
		raw[48+c] = min(1, r.f[c].sum()/5)
	}
	return raw
}

// whiten is z = (raw - mean)/sqrt(var + 1e-3), clipped to +-3 and to length 1.
func (l *Library) whiten(raw [field.NumSenses]float64) {
	l.seen++
	share := max(1/l.seen, 0.002)
	power := 0.0
	for i, v := range raw {
		l.mean[i] += share * (v - l.mean[i])
		d := v - l.mean[i]
		l.variance[i] += share * (d*d - l.variance[i])
		l.Context[i] = min(max(d/math.Sqrt(l.variance[i]+1e-3), -3), 3)
		power += l.Context[i] * l.Context[i]
	}
	l.Context = shortened(l.Context, power)
}

// shortened brings a vector to length 1 unless it is shorter.
func shortened(v [field.NumSenses]float64, power float64) [field.NumSenses]float64 {
	for i := range v {
		v[i] /= max(math.Sqrt(power), 1)
	}
	return v
}

func product(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// match finds the patterns with the nearest contexts by looking for the best one
// of those left, three times or once.
func (l *Library) match(most int) {
	before := -1
	if l.Gate > 0 {
		before = l.Matches[0].Pattern
	}
	taken := map[int]bool{}
	l.Matches, l.Gate = nil, 0
	for most != 1 && len(l.Matches) < 3 || len(l.Matches) < 1 {
		best := l.nearest(taken)
		if best.Pattern < 0 {
			break
		}
		taken[best.Pattern] = true
		l.Matches = append(l.Matches, best)
	}
	l.weigh()
	for k := range l.Patterns {
		l.Patterns[k].Fresh *= math.Exp(-0.1 / 3600)
	}
	if len(l.Matches) == 0 {
		return
	}
	if l.Gate = min(max((l.Matches[0].Cosine-0.5)/0.3, 0), 1); l.Gate > 0 {
		k := &l.Patterns[l.Matches[0].Pattern]
		k.Fresh = 1
		if before != l.Matches[0].Pattern {
			k.Uses++
		}
	}
}

// nearest returns the pattern with the nearest context of those that are not
// taken, or Pattern -1.
func (l *Library) nearest(taken map[int]bool) Match {
	best := Match{Pattern: -1}
	for k := range l.Patterns {
		if !l.Patterns[k].Used || taken[k] {
			continue
		}
		if c := product(l.Context[:], l.Patterns[k].Context[:]); best.Pattern < 0 || c > best.Cosine {
			best = Match{Pattern: k, Cosine: c}
		}
	}
	return best
}

// weigh is w_k = exp(8 c_k) / sum exp(8 c).
func (l *Library) weigh() {
	sum := 0.0
	for _, m := range l.Matches {
		sum += math.Exp(8 * m.Cosine)
	}
	for i := range l.Matches {
		l.Matches[i].Weight = math.Exp(8*l.Matches[i].Cosine) / sum
	}
}

// open begins an episode and fills the one of 1.5 s ago.
func (l *Library) open(ripe int, cells func() [field.Strategic][]float64) (filled bool) {
	l.episodes = append([]*episode{{context: l.Context}}, l.episodes...)
	l.episodes = l.episodes[:min(len(l.episodes), 32)]
	for _, s := range l.episodes {
		if s.age == ripe {
			s.cells, filled = cells(), true
		}
	}
	return filled
}

// strategic returns the distinct cells of channels 32..47.
func (r *Field) strategic() (cells [field.Strategic][]float64) {
	for j := range cells {
		cells[j] = append([]float64(nil), r.u[field.FirstStrategic+j].v...)
	}
	return cells
}

// conclude turns the oldest episode with credit into a pattern or a better score.
func (l *Library) conclude(share float64) {
	for i := len(l.episodes) - 1; i >= 0; i-- {
		s := l.episodes[i]
		if s.credit == 0 {
			continue
		}
		worth := min(max(s.credit, -1), 1)
		s.credit = 0
		if product(s.context[:], s.context[:]) == 0 {
			return
		}
		if k := l.known(s); k != nil {
			k.Score += 0.5 * (worth - k.Score)
			k.Fresh = 1
			k.approach(s, share)
			return
		}
		*l.place() = Pattern{Used: true, Context: s.context, Score: worth, Fresh: 1, Cells: copies(s.cells)}
		return
	}
}

func copies(cells [field.Strategic][]float64) (out [field.Strategic][]float64) {
	for j := range cells {
		out[j] = append([]float64(nil), cells[j]...)
	}
	return out
}

// known returns the pattern of the nearest context in which the same was done.
func (l *Library) known(s *episode) (best *Pattern) {
	nearest := 0.85
	for k := range l.Patterns {
		p := &l.Patterns[k]
		c := product(p.Context[:], s.context[:])
		if !p.Used || c <= nearest {
			continue
		}
		a, b := p.Cells[field.HeadTrace-field.FirstStrategic], s.cells[field.HeadTrace-field.FirstStrategic]
		aa, bb := product(a, a), product(b, b)
		if same := aa == 0 && bb == 0; same || product(a, b) > 0.6*math.Sqrt(aa*bb) {
			best, nearest = p, c
		}
	}
	return best
}

// approach moves a pattern and its context towards an episode.
func (p *Pattern) approach(s *episode, share float64) {
	power := 0.0
	for i := range p.Context {
		p.Context[i] += share * (s.context[i] - p.Context[i])
		power += p.Context[i] * p.Context[i]
	}
	if share > 0 {
		p.Context = shortened(p.Context, power)
	}
	for j := range p.Cells {
		for i := range p.Cells[j] {
			p.Cells[j][i] += share * (s.cells[j][i] - p.Cells[j][i])
		}
	}
}

// place returns where the next pattern goes.
func (l *Library) place() *Pattern {
	best, least := 0, math.Inf(1)
	for k := range l.Patterns {
		p := &l.Patterns[k]
		if !p.Used {
			return p
		}
		if v := math.Abs(p.Score) * p.Fresh * (1 + 0.1*p.Uses); v < least {
			best, least = k, v
		}
	}
	return &l.Patterns[best]
}

// recalled returns what the matched patterns add to channel c in a tick: a drive
// for the preferences, or the cells they pull to and at what rate.
func (r *Field) recalled(c int, dt float64) (drive, target []float64, rate float64) {
	l, n := &r.library, r.u[c].size()
	prefers := c >= field.HeadPref && c < field.PlanHead
	pulled := c >= field.FirstFree && c < field.Heading
	if l.Gate == 0 || !prefers && !pulled {
		return nil, nil, 0
	}
	from := c - field.FirstStrategic // of the pattern's cells
	if prefers {
		from = field.HeadTrace - field.FirstStrategic + c - field.HeadPref
	}
	sum, kept := make([]float64, n), false
	for _, m := range l.Matches {
		p := &l.Patterns[m.Pattern]
		w := m.Weight
		if prefers {
			w *= l.Gate * p.Score
		}
		for i, v := range p.Cells[from] {
			sum[i] += w * v
			kept = kept || v != 0
		}
	}
	switch {
	case !kept:
		return nil, nil, 0
	case pulled:
		return nil, sum, alpha(dt, 1) * l.Gate
	}
	return sum, nil, 0
}
