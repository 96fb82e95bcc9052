package field

// Sigmoid is the interval sigmoid phi(u) = t^2 (3 - 2t) with
// t = clip((u+3)/6, 0, 1): exactly 0 for u <= -3, exactly 1 for u >= 3, slope
// 0.25 at 0. Every product and sum is rounded separately to float32.
func Sigmoid(u float32) float32 {
	t := min(max(float32((u+3)*(1.0/6)), 0), 1)
	return float32(float32(t*t) * (3 - float32(2*t)))
}

// Ramp is the output of linear channels, traces and maps: clip(u, 0, 1).
func Ramp(u float32) float32 { return min(max(u, 0), 1) }

// Q15 rounds an output in [0, 1] to the integer the kernels sum.
func Q15(f float32) uint16 { return uint16(int32(float32(f*One) + 0.5)) }

// Faint is the magnitude below which a decaying value is 0. Traces, maps and
// linear channels shrink by a factor each tick; without it they would end as
// subnormal numbers, on which processors are a hundred times slower.
const Faint = 1e-30

// Settle returns v, or 0 where it has become faint.
func Settle(v float32) float32 {
	if v < Faint && v > -Faint {
		return 0
	}
	return v
}

// Output returns the channel's output at activation u in Q15.
func (k Kind) Output(u float32) uint16 {
	if k == Amari {
		return Q15(Sigmoid(u))
	}
	return Q15(Ramp(u))
}
