package field

import (
	"math"

	"fieldbrain/field/exact"
)

// The shape of the field. It is fixed: kernels, layouts and recordings depend
// on it.
const (
	Side     = 32                 // cells along each axis
	Plane    = Side * Side        // cells of one x plane
	Cells    = Side * Side * Side // cells of one channel
	Channels = 64                 // channels of the field
	One      = 32768              // an output of 1 in Q15
)

// A Mask names the axes on which a channel is localised. Along the others the
// channel is uniform, exactly and for ever (see the package comment).
type Mask uint8

// The three axes and the combinations the channel table uses.
const (
	X   Mask = 1 << iota // bearing, periodic
	Y                    // range or throttle, bounded
	Z                    // feature value, bounded
	XY       = X | Y
	XZ       = X | Z
	XYZ      = X | Y | Z

	Uniform Mask = 0 // localised on no axis: one number
)

// Axes returns on how many axes the mask is localised.
func (m Mask) Axes() int { return int(m&1) + int(m>>1&1) + int(m>>2&1) }

// Cells returns how many distinct cells a channel of this mask has.
func (m Mask) Cells() int {
	n := 1
	for range m.Axes() {
		n *= Side
	}
	return n
}

// String returns the axes' letters, or "-".
func (m Mask) String() string {
	if m == Uniform {
		return "-"
	}
	s := ""
	for i, name := range []string{"X", "Y", "Z"} {
		if m>>i&1 == 1 {
			s += name
		}
	}
	return s
}

// Geometry of the axes (B.1). Bearing: 32 bins of 11.25 deg over the full
// circle, bin 16 straight ahead. Range: logarithmic, bin 3 at 5 cm and bin 28
// at 2 m; bins 0..2 and 29..31 are guard bins.
const (
	BinAngle  = 2 * math.Pi / Side   // rad per bin of X
	Ahead     = 16                   // bin of bearing 0
	rangeZero = 0.05                 // m at bin 3
	rangeLog  = 0.147555178164557533 // ln(40)/25: growth of the range per bin
)

// Bearing returns the bearing of bin x in radians, positive to the left.
func Bearing(x float64) float64 { return float64((x - Ahead) * BinAngle) }

// BearingBin returns the (fractional) X bin of a bearing in radians, in
// [0, 32).
func BearingBin(psi float64) float64 {
	b := float64(psi/BinAngle) + Ahead
	return b - float64(Side*math.Floor(b/Side))
}

// Range returns the range of bin y in metres.
func Range(y float64) float64 { return float64(rangeZero * exact.Exp(float64(rangeLog*(y-3)))) }

// RangeBin returns the (fractional) Y bin of a range in metres; ranges are
// taken as at least 1 cm.
func RangeBin(r float64) float64 {
	return float64(exact.Log(max(r, 0.01)/rangeZero)/rangeLog) + 3
}

// ThrottleBin returns the Y bin of a throttle in -1..1, and Throttle the
// reverse: bin 3 is full reverse, 15.5 rest, 28 full speed.
func ThrottleBin(t float64) float64 { return 15.5 + float64(12.5*t) }

// Throttle returns the throttle of bin y.
func Throttle(y float64) float64 { return (y - 15.5) / 12.5 }

// FeatureBin returns the Z bin of a feature value in 0..1.
func FeatureBin(v float64) float64 { return 3 + float64(25*v) }
