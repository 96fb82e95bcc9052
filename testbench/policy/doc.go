// Package policy is a small neural network that drives: what it sees, what it wants,
// the file that keeps it, and the pilot that lets it drive in the bench.
//
// # Equation
//
// Every Decide a Policy sees the observation x and keeps the memory h:
//
//	h_j  += leak_j (s(W_j x + U_j h) - h_j)       s(z) = z/(1 + |z|)
//	turn  = a x + b h,  drive = c x + d h
//
// x is 1, a side, the closeness of every beam, that of the front once more at a
// shorter scale, the speed and the steering that the body was last told. Closeness is
//
//	K/(K + r) clip((Oldest - age)/(Oldest - Fresh), 0, 1)     r the newest range, in m
//
// so that a reading which no ping renews fades, and nothing is what no sensor said. A half of the
// units has leak 1, the others forget in 0.16 s and more.
//
// The network is evaluated twice, the second time for the car in a mirror (left and
// right beams exchanged, side and steering negated, a memory of its own); the wishes
// are
//
//	steering = lock clip((turn - turn')/2, -1, 1)
//	speed    = cruise clip((drive + drive')/2, -Back, 1)
//
// so that what it learns on one side it knows on the other. Side, 1 and -1, lets it
// prefer one where left and right look alike. Every product is rounded on its own: the
// same readings give the same wishes on every machine.
//
// # Concurrency
//
// A Policy is never written after it was made, and may be shared. A Driver belongs to
// the goroutine that ticks; its tick does not allocate.
//
// # Errors
//
// Decode and Read return a *FileError that names the file and what to do. A seat
// refuses a policy for other sensors.
//
// # Source
//
// Elman, Finding structure in time, Cognitive Science 14, 1990,
// doi:10.1207/s15516709cog1402_1, with leaky units: Jaeger and others, Optimization
// and applications of echo state networks with leaky-integrator neurons, Neural
// Networks 20, 2007, doi:10.1016/j.neunet.2007.04.016.
package policy
