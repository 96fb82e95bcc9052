package field

// open begins an episode with the present context and orders the engine to fill
// the one of 1.5 s ago.
func (l *Library) open() {
	l.Head = (l.Head + 1) % MaxEpisodes
	l.Opened = min(l.Opened+1, MaxEpisodes)
	l.Episode[l.Head], l.Credit[l.Head] = l.Z, 0
	if l.Opened > episodesToFill {
		episode := l.back(episodesToFill)
		l.Order = Order{Kind: OrderFill, Episode: episode, Had: l.EpisodeKept[episode]}
		l.EpisodeKept[episode] = 0
	}
}

// back returns the episode that was opened n episodes before the newest.
func (l *Library) back(n int32) int32 { return (l.Head + MaxEpisodes - n) % MaxEpisodes }

// credit shares an outcome out among the filled episodes: phase is how many ticks
// ago the newest was opened.
func (l *Library) credit(r *RecallRates, o float32, phase int32) {
	for n := int32(episodesToFill); n < l.Opened; n++ {
		if age := n*r.EpisodeEvery + phase; age > episodesToFill*r.EpisodeEvery {
			l.Credit[l.back(n)] += float32(o * fading(r.Fade, age))
		}
	}
}

// conclude turns the oldest episode with credit into a pattern, or lets a known
// pattern's score learn from it. A episode without a context tells nothing.
func (l *Library) conclude(r *RecallRates, m *Matcher, patterns []float32) {
	for n := l.Opened - 1; n >= episodesToFill; n-- {
		episode := l.back(n)
		worth := outcome(l.Credit[episode])
		if worth == 0 {
			continue
		}
		l.Credit[episode] = 0
		if l.Episode[episode] == [NumSenses]float32{} {
			return
		}
		if k := l.known(r, m, patterns, episode); k >= 0 {
			l.confirm(k, episode, worth, r.Share)
		} else {
			l.write(l.place(), episode, worth)
		}
		return
	}
}

// known returns the pattern whose context is nearest to the episode's among those
// of the same situation and the same action, or -1.
func (l *Library) known(r *RecallRates, m *Matcher, patterns []float32, episode int32) int {
	m.Cosines(&l.Context, &l.Episode[episode], &m.cosine)
	c := &m.cosine
	done := profile(r, patterns, MaxPatterns+episode)
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
// MaxPatterns on, in one episode.
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

// confirm lets a known pattern learn how it turned out this time, and moves its
// context and its cells towards the episode.
func (l *Library) confirm(k int, episode int32, worth, share float32) {
	l.Score[k] += float32(scoreShare * (worth - l.Score[k]))
	l.Fresh[k] = 1
	if share == 0 {
		return
	}
	var z [NumSenses]float32
	var power lanes
	for i := range z {
		z[i] = l.Context[i][k] + float32(share*(l.Episode[episode][i]-l.Context[i][k]))
		power[i%Side] += float32(z[i] * z[i])
	}
	length := max(root(power.sum()), 1)
	for i := range z {
		l.Context[i][k] = z[i] / length
	}
	l.Count[writes]++
	l.Version[k] = l.Count[writes]
	had := int32(l.Kept[k])
	l.Kept[k] = float32(had | l.EpisodeKept[episode])
	l.Order = Order{Kind: OrderStore, Episode: episode, Pattern: int32(k), Had: had, Share: share}
}

// place returns a free pattern, or the least worthy one, by
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

// write makes a episode pattern k.
func (l *Library) write(k int, episode int32, worth float32) {
	for i, v := range l.Episode[episode] {
		l.Context[i][k] = v
	}
	l.Count[writes]++
	l.Score[k], l.Uses[k], l.Fresh[k], l.Version[k] = worth, 0, 1, l.Count[writes]
	l.Order = Order{Kind: OrderStore, Episode: episode, Pattern: int32(k), Had: int32(l.Kept[k]), Share: 1}
	l.Kept[k] = float32(l.EpisodeKept[episode])
}
