package field

// The interaction kernels stand here in Q15, one half each: the centre weight and
// the weights at distances 1, 2, ... Each whole kernel sums to 32768, so that a
// uniform output keeps its value exactly (B.3).

// Excite returns the Gaussian of sigma 2 bins, 9 taps.
func Excite() []int32 { return []int32{6690, 5904, 4058, 2172, 905} }

// Inhibit returns the Gaussian of sigma 4 bins, 17 taps.
func Inhibit() []int32 { return []int32{3382, 3276, 2983, 2551, 2050, 1548, 1097, 731, 457} }

// Round is added before the shift that ends each axis pass: round half up.
const Round = 1 << 14
