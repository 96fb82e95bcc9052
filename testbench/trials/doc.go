// Package trials drives many generated worlds with many pilots, every pilot in
// the same worlds, and says what came out: per profile, per family, in pairs
// against the judged pilot, and against goals that were set before.
//
// A Roster lists worlds and pilots; Run drives what its Journal does not hold yet
// and returns a Report, which prints as a table, as JSON and as a page of
// Markdown.
//
// A Journal tells which Program drove what. Another program goes on with it where it
// would drive the same: a Rival of the judged pilot depends on nothing but this
// package and those it imports, which a sum of their compiled code stands for
// (make build). Renew keeps such drives and leaves out the rest; the Report names
// what it has from older programs.
//
// # Equation
//
// A share (drives with contact, arrivals) has Clopper and Pearson's interval. Two
// pilots are compared over the worlds that both drove: who touched or arrived
// more often by the exact binomial test on the worlds in which they differ, times
// by the median of their ratio with its distribution-free interval over the
// worlds in which both arrived, everything else by the mean difference with a
// bootstrap interval (package verdict).
//
// A goal is judged by the value seen; its interval stands beside it.
//
// # Concurrency
//
// Run drives on Roster.Workers goroutines; pilots must not share anything between
// two calls. Every drive depends on its world and its pilot alone and the report
// on the drives alone, so it is the same for any number of workers.
//
// # Errors
//
// Run returns the first refusal of a family or a pilot with its world, or the
// context's; what was driven until then is in the journal. A goal that is not
// reached is no error but a Report that does not pass.
//
// # Source
//
// The goals that a report is judged by are in goals.go. The navigation metric is package gauge's.
package trials
