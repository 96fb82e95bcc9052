package field

// MaxCouplings is how many pointwise couplings the parameters may have.
const MaxCouplings = 8

// MaxRows is how many terms a tick may have in all.
const MaxRows = MaxTerms + 1 + MaxSpots

// A Frame is everything the evolve pass of one tick reads besides the field
// itself. It holds no pointers and the C engines have the same
// struct: go generate ./gpu/kernels writes it.
type Frame struct {
	Coef [Channels]Coef // coefficients for this tick's update period
	Run  [Channels]int32

	TickKey      uint32 // keys the noise
	NumCouplings int32

	// Terms: the terms of channel c are Index[Start[c]:Start[c+1]]. Those of the
	// input come first, then the heading input, then the surprises.
	Start [Channels + 1]int32
	Index [MaxRows]int32
	Amp   [MaxRows]float32
	Rows  [MaxRows][3]Row // profiles along X, Y, Z

	// Couplings: target, weight, and the source's output on the target's
	// packed cells. A weight of 0 marks a silent source.
	To     [MaxCouplings]int32
	Weight [MaxCouplings]float32
	Proj   [MaxCouplings][Plane]float32

	Leads [Leads]Lead // of channels 40..42 and 45..47

	Warp Warp
	Maps Maps
}
