// Package ablation takes the field's own contribution away, one part at a time, so
// that a bench can say what it is worth: the same brain with the same senses, maps,
// wishes, library and reflexes, whose heading somebody else decides, or which
// remembers the goal in another way.
//
//	neural     the field as it is
//	attractor  one equation for the heading, attracted and repelled by its input
//	argmax     the bearing at which the input is largest, at every tick anew
//	lowpass    the same of the input through a low pass with HEADING's time constant
//	point      the field decides; the goal is remembered as one point, dead reckoned
//	forget     the field decides; goal, obstacles and edges are forgotten at once
//
// # Equation
//
// An Engine steps the whole field and then overwrites what the brain reads. The
// first three replacements read S(x), the input of HEADING (field.HeadingParams), in
// which everything that draws or repels the heading has its weight:
//
//	attractor  dphi/dt = sum_x rate S+(x) sin(psi_x - phi)
//	                   - sum_x push S-(x) (psi_x - phi) exp(-(psi_x - phi)^2 / 2 reach^2) + noise
//	argmax     phi = argmax_x S(x)
//	lowpass    s' = s + alpha (S - s), phi = argmax_x s(x)
//
// S+ and S- are its positive and its negative part. All three decide something only
// from the input on at which HEADING's regime detects (B.4: 2.78), and until it falls
// below that at which it loses its peak (1.18). The brain reads the decision as a
// bump of output of the field's own mass, 5.1 cells, so that ascent, confidence and
// planner work on as before. HEAD_TRACE, from which the library learns what the car
// did, follows the bump.
//
// # Symbols
//
//	S      input of HEADING           field.Output.Heading
//	phi    heading decided            rad, positive left
//	psi_x  bearing of bin x           rad
//	alpha  1 - exp(-Dt/tau)           per tick
//
// # Concurrency
//
// One goroutine owns an Engine, as any engine.
//
// # Errors
//
// Parse refuses an unknown name with the list of those there are. An Engine fails
// where the engine inside does.
//
// # Source
//
//   - Bicho, Mallet, Schoener 2000, International Journal of Robotics Research
//     19:424, doi:10.1177/02783640022066968: the attractor dynamics of the heading.
//   - docs/specification.md, B.4: thresholds and mass of the regime HYS1.
package ablation
