package steer

// A move is one of the six elementary strokes.
type move int8

// The moves: forwards with the wheels left, straight, right; backwards likewise.
const (
	none     move = -1
	forwards move = 1 // straight
	moves         = 6
	retrace  move = moves // backwards on the way it came
)

// moveSet is a set of moves.
type moveSet uint8

// anyMove holds all of them.
const anyMove moveSet = 1<<(moves+1) - 1

// with is the set and a move.
func (b moveSet) with(m move) moveSet { return b | 1<<m }

// has reports whether a move is in the set.
func (b moveSet) has(m move) bool { return m >= 0 && b>>m&1 != 0 }

// gear is +1 forwards, -1 backwards.
func (m move) gear() float64 {
	if m >= moves/2 {
		return -1
	}
	return 1
}

// steering is the angle of the wheels of a car with a lock, both in rad.
func (m move) steering(lock float64) float64 {
	if m < 0 || m == retrace {
		return 0
	}
	return lock * float64(1-int(m)%(moves/2))
}
