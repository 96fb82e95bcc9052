package field

// open begins a slot with the present context and orders the one of 1.5 s ago to
// be filled.
func (l *Library) open() {
	l.Head = (l.Head + 1) % MaxSlots
	l.Opened = min(l.Opened+1, MaxSlots)
	l.Slot[l.Head], l.Credit[l.Head] = l.Z, 0
	if l.Opened > slotsToFill {
		slot := l.back(slotsToFill)
		l.Order = Order{Kind: OrderFill, Slot: slot, Had: l.SlotKept[slot]}
		l.SlotKept[slot] = 0
	}
}

// back returns the slot that was opened n slots before the newest.
func (l *Library) back(n int32) int32 { return (l.Head + MaxSlots - n) % MaxSlots }

// credit shares an outcome out among the filled slots: phase is how many ticks
// ago the newest was opened.
func (l *Library) credit(r *RecallRates, o float32, phase int32) {
	for n := int32(slotsToFill); n < l.Opened; n++ {
		if age := n*r.SlotEvery + phase; age > slotsToFill*r.SlotEvery {
			l.Credit[l.back(n)] += float32(o * fading(r.Fade, age))
		}
	}
}

// settle turns the oldest slot with credit into a pattern, or into what a known
// pattern is worth. A slot without a context tells nothing.
func (l *Library) settle(r *RecallRates, m *Matcher, patterns []float32) {
	for n := l.Opened - 1; n >= slotsToFill; n-- {
		slot := l.back(n)
		worth := outcome(l.Credit[slot])
		if worth == 0 {
			continue
		}
		l.Credit[slot] = 0
		if l.Slot[slot] == [NumSenses]float32{} {
			return
		}
		if k := l.known(r, m, patterns, slot); k >= 0 {
			l.confirm(k, slot, worth, r.Share)
		} else {
			l.write(l.place(), slot, worth)
		}
		return
	}
}

// known returns the pattern of the same situation in which the same was done,
// the one with the nearest context, or -1.
func (l *Library) known(r *RecallRates, m *Matcher, patterns []float32, slot int32) int {
	m.Cosines(&l.Context, &l.Slot[slot], &m.cosine)
	c := &m.cosine
	done := profile(r, patterns, MaxPatterns+slot)
	best := -1
	for k := range MaxPatterns {
		if l.Version[k] == 0 || !(c[k] > sameContext) || best >= 0 && !(c[k] > c[best]) {
			continue
		}
		if alike(done, profile(r, patterns, int32(k))) {
			best = k
		}
	}
	return best
}

// profile returns the cells of HEAD_TRACE in one pattern, or, counted from
// MaxPatterns on, in one slot.
func profile(r *RecallRates, patterns []float32, n int32) []float32 {
	at := n * r.First[Strategic]
	return patterns[at+r.First[HeadTrace-FirstStrategic] : at+r.First[HeadTrace-FirstStrategic+1]]
}

// alike reports whether the cosine of two profiles exceeds 0.6. Two that are 0
// everywhere are alike.
func alike(a, b []float32) bool {
	ab, aa, bb := float32(0), float32(0), float32(0)
	for i := range a {
		ab += float32(a[i] * b[i])
		aa += float32(a[i] * a[i])
		bb += float32(b[i] * b[i])
	}
	if aa == 0 || bb == 0 {
		return aa == bb
	}
	return ab > float32(sameProfile*float32(root(aa)*root(bb)))
}

// confirm lets a known pattern learn how it turned out this time, and moves it
// towards what was seen and done.
func (l *Library) confirm(k int, slot int32, worth, share float32) {
	l.Score[k] += float32(scoreShare * (worth - l.Score[k]))
	l.Fresh[k] = 1
	if share == 0 {
		return
	}
	var z [NumSenses]float32
	var power lanes
	for i := range z {
		z[i] = l.Context[i][k] + float32(share*(l.Slot[slot][i]-l.Context[i][k]))
		power[i%Side] += float32(z[i] * z[i])
	}
	length := max(root(power.sum()), 1)
	for i := range z {
		l.Context[i][k] = z[i] / length
	}
	l.Count[writes]++
	l.Version[k] = l.Count[writes]
	had := int32(l.Kept[k])
	l.Kept[k] = float32(had | l.SlotKept[slot])
	l.Order = Order{Kind: OrderStore, Slot: slot, Pattern: int32(k), Had: had, Share: share}
}

// place returns a free pattern, or the one that is worth least:
// |score| exp(-age/1 h) (1 + 0.1 uses).
func (l *Library) place() int {
	best, least := 0, float32(0)
	for k := range MaxPatterns {
		if l.Version[k] == 0 {
			return k
		}
		value := float32(float32(max(l.Score[k], -l.Score[k])*l.Fresh[k]) * (1 + float32(usesWorth*l.Uses[k])))
		if k == 0 || value < least {
			best, least = k, value
		}
	}
	return best
}

// write makes a slot pattern k.
func (l *Library) write(k int, slot int32, worth float32) {
	for i, v := range l.Slot[slot] {
		l.Context[i][k] = v
	}
	l.Count[writes]++
	l.Score[k], l.Uses[k], l.Fresh[k], l.Version[k] = worth, 0, 1, l.Count[writes]
	l.Order = Order{Kind: OrderStore, Slot: slot, Pattern: int32(k), Had: int32(l.Kept[k]), Share: 1}
	l.Kept[k] = float32(l.SlotKept[slot])
}
