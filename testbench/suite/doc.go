// Package suite drives scenarios with several pilots and many seeds, and
// says what came out: who held which limit, with what spread, and where the
// field is no better than a rule of three lines.
//
// A Contest lists scenarios and drivers; its Run returns a Report, which prints
// as a table, as JSON and as a page of Markdown. The suite judges the first
// driver, the others stand beside it.
//
// # Equation
//
// A mean's interval is Student's: m +- t(0.975, n-1) s/sqrt(n). The share of
// runs that hold a limit has Wilson's interval, which stays inside 0..1 and
// means something for 10 of 10:
//
//	(p + z^2/2n +- z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n)    z = 1.96
//
// # Concurrency
//
// Run drives on as many goroutines as Contest.Workers says; drivers must not
// share anything between two calls. The report does not depend on the order in
// which runs end.
//
// # Errors
//
// Run returns the first driver's refusal with scenario and seed, or the
// context's. A failed limit is no error but a report that does not pass.
//
// # Source
//
// Wilson 1927, J. Am. Stat. Assoc. 22:209, doi:10.1080/01621459.1927.10502953;
// docs/specification.md C.1 (baselines) and C.2 (metrics and thresholds).
package suite
