// Package tune searches for the numbers with which a pilot drives best in worlds
// of the train set: the same optimiser, the same worlds, the same objective and
// the same budget for every pilot, so that a comparison between pilots compares
// ideas and not the care they were given.
//
// # Equation
//
// With w the worth of a drive (see Cost), the cost of a pilot's numbers is the
// mean over the worlds of
//
//	min(contacts, 3) + 3 falls + 2 (1 - w) + (standing + circling)/length
//
// It is minimised within the numbers' bounds, by CMA-ES
// (Hansen and Ostermeier, Completely derandomized self-adaptation in evolution
// strategies, 2001, doi 10.1162/106365601750190398) with a Cholesky factor
// (Krause, Arbones and Igel, CMA-ES with optimal covariance update and storage
// complexity, NIPS 2016), from the numbers that the pilot has.
//
// # Concurrency
//
// Run drives worlds of all samples of a generation side by side and adds their costs
// in their order: the result does not depend on how many.
//
// # Interruptions
//
// A Journal keeps every evaluation, on the disk before the search goes on. The
// optimiser is deterministic: with the noted costs it asks for the same samples again,
// so an interrupted search that goes on comes to the same numbers, bit for bit, and
// only evaluations that were under way are driven twice.
//
// # Exam
//
// What a search found flatters itself in its own worlds: an Exam drives worlds of the
// test set with the numbers before and after, and its Marks decide.
//
// # Errors
//
// Run returns what the family, the pilot or the journal's disk refused, or the
// context's error; OpenJournal wraps ErrJournal where a file is not this job's.
//
// # Source
//
// Metrics: contacts, falls, goals, time, coverage, standing (package gauge).
package tune
