package field

// Interaction kernels in Q15, one half: the centre weight and the weights at
// distances 1, 2, ... Each whole kernel sums to 32768, so a uniform output
// keeps its value exactly (B.3).
var (
	Excite  = [5]int32{6690, 5904, 4058, 2172, 905}                        // Gaussian of sigma 2 bins, 9 taps
	Inhibit = [9]int32{3382, 3276, 2983, 2551, 2050, 1548, 1097, 731, 457} // Gaussian of sigma 4 bins, 17 taps
)

// Round is added before the shift that ends each axis pass: round half up.
const Round = 1 << 14
