package field

// NumSenses is the length of the sensory vector (B.5.0).
const NumSenses = 64

// The slots the tick or the brain address by number. Values are normalised to
// 0..1 as the table of B.5.0 says.
const (
	SlotRange      = 0  // 0..7: ranges in the order 0, +30, -30, +60, -60, +90, -90, 180 deg; r / 4 m
	SlotFloor      = 8  // 8..10: reflectance left, middle, right
	SlotLine       = 11 // line offset, (e + 1) / 2
	SlotLineTrust  = 12 // confidence of the line
	SlotCliff      = 13 // 13..15: edge flags left, middle, right
	SlotSteering   = 16 // (delta / 30 deg + 1) / 2
	SlotSpeed      = 17 // speed told, (v / v_max + 1) / 2
	SlotDuty       = 18 // 18, 19: left and right wheel, as the speed
	SlotPan        = 20 // (pan + 90 deg) / 180 deg
	SlotTilt       = 21 // (tilt + 35 deg) / 100 deg
	SlotBattery    = 22 // (V - 6.0) / 2.4
	SlotYaw        = 23 // (w / (4 rad/s) + 1) / 2
	SlotOwnSpeed   = 24 // estimated, (v / v_max + 1) / 2
	SlotContact    = 25 // contact or stall flag
	SlotLight      = 32 // 32..47: luminance, 16 columns from left to right
	SlotTarget     = 56 // bearing of the target, (b / 60 deg + 1) / 2
	SlotElevation  = 57 // elevation of the target, the same
	SlotSize       = 58 // its apparent size
	SlotTargetSure = 59 // confidence of the target
)

// Senses are the sensory vector of one tick. A slot without a value is not
// valid and contributes nothing: no stimulus, no error, no learning.
type Senses struct {
	S     [NumSenses]float32 // normalised to 0..1; read only where valid
	Valid uint64             // bit i: slot i holds a value
	Frame bool               // the vector is a new one: prediction runs in this tick
}

// Set fills one slot. It takes NaN for no value.
func (s *Senses) Set(slot int, v float32) {
	s.Valid &^= 1 << slot
	if v == v {
		s.S[slot] = min(max(v, 0), 1)
		s.Valid |= 1 << slot
	}
}

// value returns what a slot holds, within 0..1, and 1 if it is valid, else 0
// and 0: whatever the caller wrote, nothing that is not a number gets further.
func (s *Senses) value(slot int) (v, known float32) {
	v = s.S[slot]
	if s.Valid>>slot&1 == 0 || v != v {
		return 0, 0
	}
	return min(max(v, 0), 1), 1
}

// mean returns the mean of the valid slots from..to-1, 0 where none is.
func (s *Senses) mean(from, to int) float32 {
	sum, n := float32(0), float32(0)
	for i := from; i < to; i++ {
		v, known := s.value(i)
		sum += v
		n += known
	}
	return sum / max(n, 1)
}

// A Spot is where the surprise of one slot appears in the NOVELTY channel: at
// the place where the slot's own stimulus is (B.5.2).
//
//	slots           bearing               range                                  sigma, bins
//	0..7   ranges   that of the sensor    4 m s + 0.06 m cos psi, from the       2
//	                                      body's reference point (B.6)
//	8..10  floor    bins 18, 16, 14       0.10 m, where the floor bar looks      1.2, so that they
//	                                                                             hardly add up
//	25     contact  ahead                 0.10 m                                 2
//	56     target   60 deg (2 s - 1)      1 m                                    2
//
// All others have no place. Line and cliffs are derived from the floor, whose
// surprise would count twice; confidences and the body's own motion have no
// direction; the camera's columns wait for a camera.
type Spot struct {
	Slot    int32
	Ranging int32   // 1: Y follows from the range, 0: Y as it stands
	X, Turn float32 // bins: the bearing is X + Turn s
	Y       float32 // bins, or m to add to 4 m s
	Width   float32 // bins, sigma along X and Y
}

// MaxSpots is how many slots may have a place.
const MaxSpots = 16

// Constants of the places.
const (
	farthest   = 4    // m at s = 1
	sensorLead = 0.06 // m, sonar face ahead of the reference point (B.6)
)

// term returns amplitude and place of the surprise of a slot that holds s: what
// NOVELTY gets from it in this tick.
func (p *Spot) term(s, amplitude float32) Term {
	y := p.Y
	if p.Ranging != 0 {
		y = float32(RangeBin(float64(float32(farthest*s) + p.Y)))
	}
	return Term{
		Channel: Novelty, A: amplitude,
		Centre: [3]float32{p.X + float32(p.Turn*s), y}, Sigma: [3]float32{p.Width, p.Width},
	}
}
