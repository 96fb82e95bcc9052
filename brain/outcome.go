package brain

// What events are worth (B.5.5), in -1..1.
const (
	goalReached = 1.0
	gotAway     = 0.5 // an escape is over and the way was free for 2 s
	stalledAt   = -0.5
	atTheEdge   = -0.7

	goalNear = 0.3  // m: the goal is reached
	goalLeft = 0.45 // m: and may be reached again
	freeTime = 2.0  // s
)

// outcomes notices events that are good or bad, each once: the library remembers
// with them what the car did in the seconds before.
type outcomes struct {
	at      bool    // the goal is reached
	backing bool    // an escape was under way in the last tick
	free    float64 // s since it ended, 0 while none is waited for
	stalls  uint64
	escapes uint64
	edge    bool
}

// A moment tells the outcomes how one tick stands. Escapes, stalls and reflexes are
// those of the tick before.
type moment struct {
	dt       float64 // s
	goalSeen bool
	goal     float64 // m, distance of the goal where it is seen
	driving  bool    // the reflexes let the car move
	escaping bool
	escapes  uint64  // since the start
	stalls   uint64  // since the start
	edge     bool    // a reflex holds the car at an edge
	told     float32 // what people said
}

// judge returns what this tick's events are worth together.
func (o *outcomes) judge(m *moment) float32 {
	sum := float64(m.told)
	near := m.goalSeen && m.goal < goalNear
	if near && !o.at && m.driving {
		sum += goalReached
	}
	if near || o.at && m.goalSeen && m.goal > goalLeft {
		o.at = near
	}
	sum += o.away(m)
	if o.stalls != m.stalls {
		o.stalls = m.stalls
		sum += stalledAt
	}
	if m.edge && !o.edge {
		sum += atTheEdge
	}
	o.edge = m.edge
	return float32(sum)
}

// away judges escapes: one that is followed by another did not help.
func (o *outcomes) away(m *moment) float64 {
	ended := o.backing && !m.escaping
	o.backing = m.escaping
	if m.escaping || !m.driving || o.escapes != m.escapes {
		o.escapes, o.free = m.escapes, 0
	}
	if ended && m.driving {
		o.free = m.dt
		return 0
	}
	if o.free == 0 {
		return 0
	}
	if o.free += m.dt; o.free < freeTime {
		return 0
	}
	o.free = 0
	return gotAway
}
