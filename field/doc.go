// Package field is a dynamic neural field: 64 channels of 32x32x32 cells whose
// activations form, keep and lose peaks, and in which a peak's place is a
// bearing, a range or a steering angle.
//
// # Equation
//
// Each channel follows Amari's equation, one step per tick of Dt (specification
// B.3):
//
//	u~ = u displaced by the body's own motion        (egocentric channels)
//	d  = u~ + nu LAP(u~)
//	b  = h + S - min(40, c_glob F) + c_exc G2*f - c_inh G4*f + c_pre p
//	u' = d + alpha (b - d) + q sqrt(alpha (2-alpha)) xi + recalled
//
// with f = phi(u~), phi(u) = t^2 (3-2t), t = clip((u+3)/6, 0, 1), and F the sum
// of f over the cells of the channel's own axes. Linear channels have no lateral
// terms and f = clip(u, 0, 1). A memory trace follows a channel's output where
// that exceeds one half and fades elsewhere; a leaky average follows it always;
// the three maps are written from range beams and cliff flags.
//
// The third line is the convex combination (1-alpha) d + alpha b, in the form
// that leaves u = h exactly where it is. Along an axis on which a channel is
// not localised it is uniform and stays so, bit for bit; that is why the
// collapsed step may store one slice of it.
//
// Recalled patterns (Library, Lead) add alpha g sum w_k score_k PAT_k to the preferences,
// and pull the free channels with g alpha(1 s) towards sum w_k PAT_k.
//
// # Symbols
//
//	u        activation                     Activation, Read
//	f, phi   output, interval sigmoid       Sigmoid, Ramp, Q15   0..1
//	h        resting level                  Regime.Resting
//	S        stimulus, clipped to -20..12   Term, Coupling, HeadingParams
//	G2, G4   interaction kernels            Excite, Inhibit      Q15, sigma 2 and 4 bins
//	c_exc    local excitation               Regime.Excitation
//	c_inh    local inhibition               Regime.Inhibition
//	c_glob   global inhibition              Regime.Global        per cell of output
//	F        total output                   Marginal.Total       cells
//	p, c_pre memory trace and its gain      Channel.Trace, Channel.Preshape
//	tau      time constant                  Channel.Tau          s
//	Dt       period                         Params.Period        s
//	alpha    1 - exp(-Dt/tau)               Alpha, Coef.Alpha    per update
//	nu       diffusion                      Channel.Diffusion    per 5 ms; Coef.Nu per update
//	q, xi    noise and its unit variate     Channel.Noise, Noise
//	s, e     senses and their error         Senses, Prediction   0..1
//	W, r     weights and regressor          Predictor            see B.5.5
//	mu       learning rate                  LearnParams.Rate     per frame
//	z        context                        Library.Z            length 1 at most
//	g, w_k   gate and weights of a match    Recall               0..1
//	psi      bearing, positive left         Bearing, BearingBin  rad
//	r        range from the body            Range, RangeBin      m
//	Phi, op  potential, operating point     Ascent               rad or throttle
//
// # Shapes
//
// A channel expanded is u[x][y][z], 32x32x32, z fastest; x is a bearing and
// periodic, y a range or throttle, z a feature value. Marginals and profiles
// are rows of 32 bins. How an engine stores the channels is a Layout.
//
// # Bounds
//
// With 0 < alpha <= 1 and nu <= 1/(2m) for m localised axes the noiseless
// update is a convex combination, so |u| never leaves
//
//	max(|u_0|, B),  B = |h| + 20 + 40 + c_exc + c_inh <= 155.
//
// Noise of |xi| < 3.47 adds at most 3.47 q sqrt((2-alpha)/alpha), the sum of
// the geometric series of its steps. Params.Validate rejects everything else.
//
// Fixed points without diffusion do not depend on Dt at all, because u = b holds
// there for every alpha. With diffusion they solve u = b + nu (1-alpha)/alpha
// LAP(u): the table of thresholds (B.4) belongs to nu = 0 and tau = 80 ms. With
// the default nu = 0.02 per 5 ms and that tau SEL1 detects at 3.51 instead of
// 3.16 and HYS1 at 3.01 instead of 2.78, and at Dt = 40 ms at 3.44 and 2.97.
//
// A Predictor's weights are bounded too. With y = W_i r a frame changes |W_i|^2
// by mu (t-y) (2y + mu rho (t-y)) / (1e-3 + r.r) before decay, where |t| <= 1 is the
// slot's change and rho = r.r / (1e-3 + r.r) < 1. For mu < 2 that is negative for
// large |y| and at most mu t^2 / (2-mu) / (r.r); r.r >= 1/4 because of the constant
// in r. The decay takes 2e-6 of |W_i|^2, so that |W_i| <= sqrt(2e6 mu / (2-mu)).
//
// # Accuracy
//
// Package reference computes the same equations in float64. One step from equal states
// differs by at most alpha E_b + 8 eps 64, with eps = 2^-24 and
//
//	E_b = 2^-16 ((m+1)(c_exc + c_inh) + n c_glob + 32 sum |w|) + 16 eps 64.
//
// Outputs are rounded to Q15, which costs half a unit, 2^-16, once, and again
// after each of m axis passes; the kernels' weights are positive and sum to 1,
// so a pass hands earlier errors on without enlarging them. The n outputs that
// are neither 0 nor 1 may all err the same way in F; a coupling of weight w
// sums at most 32 rounded outputs. The last term is the rounding of some 16
// operations on values below 64. The heading input adds its gains times the
// error of the maps; a displaced channel adds the slope of the channel times the
// error of the sampled place, 2^-18 bin. For DET1 E_b is 1.3e-3, for SEL3 with a
// peak of 100 cells 3e-3.
//
// Predictions from equal frames differ by about 1e-6 (senseError in the tests): they are
// sums of 193 rounded products, and learning accumulates their errors. A stimulus of a
// slot errs by 5/4 of that times its amplitude, NOVELTY by 300 times that for each slot, because errors of 0.02 already count as surprising.
//
// Over many steps errors die away where the field contracts: below u = -3 by
// 1-alpha per tick, at a peak at rest by its slowest mode. A constant error E_b
// of the drive thus ends as a few E_b of activation; the tests allow 8, and
// have not seen 2. Only the soft displacement of a wide memory peak contracts
// much more slowly, and rounding errors hardly push along it. Near a threshold
// nothing contracts: a peak appears in one trajectory and not in the other, and
// any difference becomes of order 10. The gate of a memory trace at f = 0.5 is
// such a place too. Free-running comparisons therefore use stimuli at least two
// units above every detection threshold or too weak for any output, and leave
// out trace cells whose source passed within 1e-3 of the gate; restarted ones,
// step by step, take any stimulus. Measured over 1000 ticks: relative L2 below
// 1e-4 of the field, largest error 1.3e-3.
//
// # Concurrency
//
// One goroutine owns an Engine or a Prep. Params, Layout, Coefs and
// Ascent are values or read-only once built and may be shared.
//
// # Errors
//
// Params.Validate joins every reason why the parameters are not stable, each
// with its inequality and numbers; nothing else here fails. Input.Add drops terms
// that hold NaN or infinity.
//
// # Source
//
//   - Amari 1977, Biological Cybernetics 27:77, doi:10.1007/BF00337259: the
//     equation and its instabilities.
//   - Bicho, Mallet, Schoener 2000, International Journal of Robotics Research
//     19:424: heading dynamics with range-weighted repellers.
//   - Lomp, Faubel, Schoener 2016, Frontiers in Neurorobotics,
//     doi:10.3389/fnbot.2016.00014: tuning of field architectures, the regimes.
//   - Appleby, MurmurHash3: the integer mixer of the noise.
package field
