package field

// carry obeys the library's order of the last tick. The memory of patterns holds
// MaxPatterns patterns and then MaxEpisodes episodes.
func (q *Prep) carry() {
	o, r := &q.library.Order, &q.recall
	length := r.First[Strategic]
	episode := (MaxPatterns + o.Episode) * length
	for j := range Strategic {
		had := o.Had>>j&1 == 1
		to := func(at int32) []float32 { return q.patterns[at+r.First[j] : at+r.First[j+1]] }
		switch o.Kind {
		case OrderFill:
			if q.fill(to(episode), FirstStrategic+j, had) {
				q.library.EpisodeKept[o.Episode] |= 1 << j
			}
		case OrderStore:
			if had || q.library.EpisodeKept[o.Episode]>>j&1 == 1 {
				blend(to(o.Pattern*length), to(episode), o.Share)
			}
		}
	}
}

// fill copies the distinct cells of channel c and reports whether any is not 0.
// Unless it had some before, memory that would stay 0 is not touched.
func (q *Prep) fill(to []float32, c int, had bool) (kept bool) {
	s := &q.layout.Storage[c]
	pick := func(i int, v float32) {
		switch {
		case v != 0:
			to[i], kept = v, true
		case had:
			to[i] = 0
		}
	}
	if s.Thick == 1 && (q.layout.Step == Collapsed || s.Repeats == 1) {
		for i, v := range q.activations[s.Offset:][:len(to)] {
			pick(i, v)
		}
		return kept
	}
	for a := range s.Extent[0] {
		for b := range s.Extent[1] {
			for r := range Side {
				for bin := range s.Thick {
					if s.distinct(a, b, r) {
						pick(a*s.Pack[0]+b*s.Pack[1]+r*s.Pack[2]+bin, q.activations[s.Offset+(a*s.Extent[1]+b)*Side+r])
					}
				}
			}
		}
	}
	return kept
}

// distinct reports whether a stored cell is the first of those that hold the
// same value.
func (s *Storage) distinct(a, b, r int) bool {
	return (s.Local[0] || a == 0) && (s.Local[1] || b == 0) && (s.Local[2] || r == 0)
}

// blend moves cells a share of the way, all of it where share is 1.
func blend(to, from []float32, share float32) {
	if share == 1 {
		copy(to, from)
		return
	}
	for i, v := range from {
		to[i] = Settle(to[i] + float32(share*(v-to[i])))
	}
}

// Remember ends a tick: from its input and the marginals of its outputs it makes
// the context, finds the patterns that fit, and learns from outcomes. The engine
// calls it when Out is complete.
func (q *Prep) Remember(in *Input) {
	l, r := &q.library, &q.recall
	if r.Match == 0 {
		return
	}
	l.Order = Order{}
	if in.Tick%uint64(r.ContextEvery*int32(max(in.Quality.Match, 1))) == 0 {
		var raw [NumSenses]float32
		q.context(in, &raw)
		l.Whiten(&raw)
		l.Match(&q.Matcher, r.Keep, in.Quality.recalls())
	}
	if r.Learn == 0 {
		return
	}
	phase := int32(in.Tick % uint64(r.EpisodeEvery))
	if phase == 0 {
		l.open()
	}
	if o := outcome(in.Outcome); o != 0 {
		l.credit(r, o, phase)
	}
	if l.Order.Kind == OrderNone {
		l.conclude(r, &q.Matcher, q.patterns)
	}
}

// context describes the situation (B.5.5) by numbers within -2..2:
//
//	0..31   O(x), how blocked each bearing is
//	32..39  exp(-r/0.5 m) of the ranges
//	40..47  line: offset, confidence; goal: cos, sin; light: left less right, all; cliff; contact
//	48..63  min(1, F/5) of the perception channels
//
// A number that no sensor gives is 0.
func (q *Prep) context(in *Input, raw *[NumSenses]float32) {
	copy(raw[:], q.Out.Blocked[:])
	s := &in.Senses
	for i := range 8 {
		if v, known := s.value(SlotRange + i); known != 0 {
			raw[Side+i] = nearness(v)
		}
	}
	mark := raw[Side+8:]
	if v, known := s.value(SlotLine); known != 0 {
		mark[0] = float32(2*v) - 1
	}
	mark[1], _ = s.value(SlotLineTrust)
	d := in.Drive.bounded()
	mark[2], mark[3] = direction(d.Goal, d.GoalWeight)
	left, right := s.mean(SlotLight, SlotLight+8), s.mean(SlotLight+8, SlotLight+16)
	mark[4], mark[5] = left-right, float32(0.5*(left+right))
	for i := range 3 {
		v, _ := s.value(SlotCliff + i)
		mark[6] = max(mark[6], v)
	}
	mark[7], _ = s.value(SlotContact)
	for c := range FirstTrace {
		raw[NumSenses-FirstTrace+c] = min(1, q.Out.Marginals[c].Sum()/contextOutput)
	}
}
