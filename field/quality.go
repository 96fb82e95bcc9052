package field

// A Quality says how often the degradable parts of a step run, in ticks. Only
// the periods 1, 2, 4 and 8 exist. A part that runs every n-th tick uses the
// rates of n periods, so its time constants stay what they are. Its channels
// take turns, so that no tick runs all of them.
//
// Match and Recall may be left 0, which is their best.
type Quality struct {
	Perception  int // channels 0..15
	Traces      int // memory traces 16..31
	Associative int // FREE_0 to FREE_2, NOVELTY and USER_0 to USER_4
	Match       int // contexts of the pattern library: every 100 ms times this
	Recall      int // patterns that are recalled at once: 3 or 1
}

// Full returns the quality at which nothing is degraded (B.10).
func Full() Quality {
	return Quality{Perception: 1, Traces: 4, Associative: 1, Match: 1, Recall: len(Recall{}.Index)}
}

// Every returns the update period of channel c in ticks.
func (q Quality) Every(c int) int {
	switch {
	case c < FirstTrace:
		return q.Perception
	case c < ObstMap:
		return q.Traces
	case c >= FirstFree && c < Heading, c == Novelty, c >= FirstUser:
		return q.Associative
	}
	return 1
}

// recalls returns how many patterns are recalled at once.
func (q Quality) recalls() int {
	if q.Recall == 1 {
		return 1
	}
	return len(Recall{}.Index)
}

// Due reports whether channel c is updated in a tick.
func (q Quality) Due(c int, tick uint64) bool {
	return (tick+turn(c))%uint64(q.Every(c)) == 0
}

// turn is how many ticks before the others of its part channel c runs. Memory
// traces take turns only when they run every 8th tick: at full quality all of
// them run in the same one of four.
func turn(c int) uint64 {
	if c >= FirstTrace && c < ObstMap {
		return 4 * uint64(c)
	}
	return uint64(c)
}

// Valid reports whether every period is one that exists.
func (q Quality) Valid() bool {
	for _, n := range []int{q.Perception, q.Traces, q.Associative, max(q.Match, 1)} {
		if n != 1 && n != 2 && n != 4 && n != 8 {
			return false
		}
	}
	return q.Match >= 0 && (q.Recall == 0 || q.Recall == 1 || q.Recall == len(Recall{}.Index))
}
