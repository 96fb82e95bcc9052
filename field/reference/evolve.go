package reference

import (
	"math"

	"fieldbrain/field"
)

// evolve returns the next activation of an Amari or linear channel (B.3):
//
//	d  = u~ + nu LAP(u~)
//	b  = h + S - min(40, c_glob F) + c_exc (G2*f) - c_inh (G4*f) + c_pre p
//	u' = (1-alpha) d + alpha b + q sqrt(alpha (2-alpha)) xi + recalled
//
// with f = phi(u~) and F = sum f. Linear channels have no lateral terms.
func (r *Field) evolve(c int, in *field.Input, s array) array {
	ch := &r.params.Table[c]
	regime := ch.Regime
	dt, tau := r.seconds(c, in), ch.Tau.Seconds()
	if c == field.Heading && in.Drive.OnLine {
		tau = r.params.LineTau.Seconds()
	}
	a := alpha(dt, tau)
	nu := float64(ch.Diffusion) * dt / 0.005
	if m := ch.Mask.Axes(); m > 0 {
		nu = min(nu, 1/float64(2*m))
	}
	q := float64(ch.Noise) * math.Sqrt(a*(2-a))
	key := field.TickKey(in.Tick, r.params.Key)

	u, f := r.u[c], r.f[c]
	if ch.Egocentric {
		u = displaced(u, in, float64(regime.Resting))
		f = output(regime.Kind, u)
	}
	lateral := newArray(u.n, 0)
	if regime.Kind == field.Amari {
		lateral = interaction(regime, ch.Mask, f)
	}
	drive, target, rate := r.recalled(c, dt)
	next, i := newArray(u.n, 0), -1
	next.each(func(x, y, z int, v *float64) {
		i++
		d := u.at(x, y, z)
		if nu != 0 {
			d += nu * laplacian(u, ch.Mask, x, y, z)
		}
		b := float64(regime.Resting) + min(max(s.at(x, y, z), -20), 12) + lateral.at(x, y, z)
		if ch.Trace >= 0 {
			b += float64(ch.Preshape) * r.u[ch.Trace].at(x, y, z)
		}
		if drive != nil {
			b += drive[i]
		}
		*v = (1-a)*d + a*b
		if target != nil { // (1-alpha-g) d + alpha b + g Pbar
			*v += rate * (target[i] - d)
		}
		if ch.Noise != 0 {
			*v += q * float64(field.Noise((x*field.Side+y)*field.Side+z, c, key))
		}
	})
	return next
}

// interaction returns c_exc (G2*f) - c_inh (G4*f) - min(40, c_glob F).
func interaction(regime field.Regime, m field.Mask, f array) array {
	total := f.sum()
	if total == 0 { // the three terms are 0 too
		return f
	}
	excite := convolve(f, m, field.Excite())
	inhibit := newArray(f.n, 0)
	if regime.Inhibition != 0 {
		inhibit = convolve(f, m, field.Inhibit())
	}
	sum := newArray(f.n, 0)
	for i := range sum.v {
		sum.v[i] = float64(regime.Excitation)*excite.v[i] - float64(regime.Inhibition)*inhibit.v[i] -
			min(40, float64(regime.Global)*total)
	}
	return sum
}

// convolve spreads f with the Gaussian of the taps, one localised axis after the
// other: around the circle along X, over the ends of Y and Z into nothing.
func convolve(f array, m field.Mask, half []int32) array {
	for axis, name := range []field.Mask{field.X, field.Y, field.Z} {
		if m&name == 0 {
			continue
		}
		sum := newArray(f.n, 0)
		f.each(func(x, y, z int, v *float64) {
			if *v == 0 {
				return
			}
			for k := 1 - len(half); k < len(half); k++ {
				to := [3]int{x, y, z}
				to[axis] += k
				if axis == 0 || to[axis] >= 0 && to[axis] < field.Side {
					*sum.cell(to[0], to[1], to[2]) += float64(half[max(k, -k)]) / field.One * *v
				}
			}
		})
		f = sum
	}
	return f
}

// laplacian returns the sum over the localised axes of the second differences:
// periodic along X, without flux through the ends of Y and Z.
func laplacian(u array, m field.Mask, x, y, z int) float64 {
	centre, sum := u.at(x, y, z), 0.0
	for axis, name := range []field.Mask{field.X, field.Y, field.Z} {
		if m&name == 0 {
			continue
		}
		for _, k := range []int{-1, 1} {
			at := [3]int{x, y, z}
			at[axis] += k
			if axis == 0 || at[axis] >= 0 && at[axis] < field.Side {
				sum += u.at(at[0], at[1], at[2]) - centre
			}
		}
	}
	return sum
}

// motion returns the tick's displacement, limited to 1 m and one turn, and no
// motion for NaN.
func motion(in *field.Input) (forward, turn float64) {
	forward = min(max(float64(in.Forward), -1), 1)
	turn = min(max(float64(in.Turn), -2*math.Pi), 2*math.Pi)
	if math.IsNaN(forward) {
		forward = 0
	}
	if math.IsNaN(turn) {
		turn = 0
	}
	return forward, turn
}

// displaced returns the old array as the body now sees it (B.5.1): a static
// feature now at (x, y) was at
//
//	x0 = x + (Dth - d sin(psi_x)/r_y) / BinAngle,  y0 = y + d cos(psi_x) / (k r_y)
//
// sampled bilinearly, with outside beyond the ends of the range axis. A channel
// without range axis is turned only.
func displaced(u array, in *field.Input, outside float64) array {
	d, turn := motion(in)
	k := math.Log(40) / 25
	moved := newArray(u.n, 0)
	moved.each(func(x, y, z int, v *float64) {
		x0, y0 := float64(x)+turn/field.BinAngle, float64(y)
		if u.n[1] == field.Side {
			psi, near := field.Bearing(float64(x)), 1/field.Range(float64(y))
			x0 -= d * math.Sin(psi) * near / field.BinAngle
			y0 += d * math.Cos(psi) * near / k
		}
		i, j := math.Floor(x0), math.Floor(y0)
		wx, wy := x0-i, y0-j
		sample := func(i, j float64) float64 {
			if j < 0 || j >= field.Side {
				return outside
			}
			return u.at(int(i), int(j), z)
		}
		*v = (1-wx)*(1-wy)*sample(i, j) + wx*(1-wy)*sample(i+1, j) +
			(1-wx)*wy*sample(i, j+1) + wx*wy*sample(i+1, j+1)
	})
	return moved
}

// follow advances a memory trace or a leaky average of its source (B.5.2):
//
//	memory   p += alpha(build-up) (f - p) where f > 0.5, else p *= exp(-Dt/decay)
//	average  p += alpha(tau) (f - p)
func (r *Field) follow(c int, in *field.Input) {
	ch := &r.params.Table[c]
	dt := r.seconds(c, in)
	a, keep := alpha(dt, ch.Tau.Seconds()), math.Exp(-dt/ch.Decay.Seconds())
	r.u[c].each(func(x, y, z int, p *float64) {
		f := r.f[ch.Source].at(x, y, z)
		if ch.Regime.Kind == field.Memory && f <= 0.5 {
			*p *= keep
			return
		}
		*p += a * (f - *p)
	})
	r.f[c] = output(ch.Regime.Kind, r.u[c])
}
