// Package behave runs the behavioural suite: every behaviour of the
// specification's part C with its scenario, seeds, metrics and thresholds,
// beside three drivers without a field, and says where the field is better.
//
// Run returns a Report, which prints as a table, as JSON and as a page of
// Markdown with pictures. The package builds no brain of its own: Options.Make
// does, and Options.Parts says what the build has. A behaviour that needs a
// missing part fails and names it.
//
// # Equation
//
// A Check holds the values of all runs against one bound. Over "mean" judges
// their mean, whose interval is Student's; any other asks for a share of the
// runs, whose interval is Wilson's (testbench/suite). The mean difference of
// equal seeds, brain minus reactive, with Student's interval, says what the
// field buys.
//
// # Concurrency
//
// Run drives on Options.Workers goroutines. Every run has its own world, driver
// and brain, and writes to a place of its own: the report does not depend on
// who runs when. Behaviours that measure this machine (S5, O3) run alone, at
// the end.
//
// # Errors
//
// Run returns the first refusal of a scenario, a driver or a maker, or the
// context's. A behaviour that fails is no error but a Report that does not pass.
//
// # Source
//
// docs/specification.md C.1 (baselines), C.2 (B1 to B15, S1 to S6), C.4 (O1 to
// O9).
package behave
