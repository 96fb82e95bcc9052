// Package train lets a policy learn to drive: an evolution strategy over its weights,
// judged by drives of a fleet of simulated cars in worlds of the train set.
//
// # Equation
//
// The search is CMA-ES with a diagonal covariance. With n weights, lambda samples of
// which the best mu = lambda/2 count with w_i ~ ln(mu + 1/2) - ln i, mueff = 1/sum w^2,
// y_i = (x_i - m)/sigma of the i-th best and D^2 the diagonal:
//
//	x      = m + sigma D z,   z ~ N(0, I)
//	m      = m + sigma sum w_i y_i
//	p_s    = (1 - c_s) p_s + sqrt(c_s (2 - c_s) mueff) D^-1 sum w_i y_i
//	sigma  = sigma exp(c_s/d_s (|p_s|/E|N(0, I)| - 1))
//	p_c    = (1 - c_c) p_c + h sqrt(c_c (2 - c_c) mueff) sum w_i y_i
//	D^2    = (1 - c_1 - c_mu) D^2 + c_1 p_c^2 + c_mu sum w_i y_i^2
//
// with Hansen's constants, c_1 and c_mu times (n + 2)/3. The cost of a sample is the
// mean over the generation's worlds of tune.Cost, which judges every drive of the
// bench:
//
//	min(contacts, 3) + 2 (1 - w) + (standing + circling)/length
//
// w is the share of the floor's cells entered that the true map allows to be entered
// in that time. Who stands or circles enters none, and pays for it besides. All
// samples of a generation drive in the same worlds, from the same places, with the same
// noise; the next generation takes others. Half of the drives begin anywhere, so that
// whoever learns also meets corners that a good driver keeps away from; the first
// generations drive a third as long, because little is to be seen of a beginner.
//
// # A car of the fleet
//
// It has the policy's own driver, with the reflexes of robot/safety, every tick; the
// pins follow as the car's driver lets them follow on a bus that costs no time
// (picarx.Ideal); silence of a sonar is judged by robot.Hearing. docs/training.md says
// what else the bench has and the fleet has not.
//
// # Determinism
//
// Samples come from (seed, generation), worlds and noise too: the same options give the
// same policy bit for bit on any number of threads and any engine, in one go or
// resumed.
//
// # Concurrency
//
// Run drives cars side by side on Options.Workers goroutines; Options's functions are called
// one at a time.
//
// # Errors
//
// Run returns what the options, the family or a callback refused, or the context's. A
// checkpoint of other options is refused; Take refuses with ErrBusy a file that another
// training writes.
//
// # Source
//
// Ros and Hansen, A simple modification in CMA-ES achieving linear time and space
// complexity, PPSN X, 2008, doi:10.1007/978-3-540-87700-4_30; Hansen, The CMA evolution
// strategy: a tutorial, 2016, arXiv:1604.00772. Why not gonum's CmaEsChol:
// docs/decisions/0030.
package train
