package safety

// A trail is the ground behind the rear axle that the car has driven over
// forwards, as the steering of every centimetre of it: what carried the car
// carries it back. No sensor looks at the floor behind, so with cliff detection
// on this is all the ground there is to back away over, and the way back over it
// is the way it came.
//
// It is reckoned from what the wheels were told. A wheel that slips slips both
// ways; wheels that turned against something the car did not move lengthen the
// trail by that.
type trail struct {
	steps [trailSteps]float32 // rad, ring
	top   int                 // index of the newest step
	n     int                 // how many there are
	part  float32             // m driven beyond the newest
}

const (
	trailSteps = 128
	trailStep  = 0.01 // m
)

// drive notes a way of m metres, negative backwards, with the wheels at an angle.
func (t *trail) drive(m, steering float32) {
	for t.part += m; t.part >= trailStep; t.part -= trailStep {
		t.top = (t.top + 1) % trailSteps
		t.steps[t.top] = steering
		t.n = min(t.n+1, trailSteps)
	}
	for ; t.part < 0 && t.n > 0; t.part += trailStep {
		t.top = (t.top + trailSteps - 1) % trailSteps
		t.n--
	}
	t.part = max(t.part, 0)
}

// left returns how far back it goes, in m.
func (t *trail) left() float32 { return float32(float32(t.n)*trailStep) + t.part }

// steering returns the angle in rad that leads back along it.
func (t *trail) steering() float32 { return t.steps[t.top] }

// grant forgets it, because the car may have been carried elsewhere, and puts m
// metres straight back in its place.
func (t *trail) grant(m float32) {
	*t = trail{}
	t.drive(m, 0)
}
