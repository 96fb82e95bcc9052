// Package verdict judges measurements taken in turns: the ratio of two times
// within a round, its 95 % interval, and whether a claim about it is held.
//
// # Equation
//
// A round times a subject and a yardstick one right after the other and gives
// one ratio, r = subject / yardstick. What slows the whole machine down for
// longer than a round slows both and cancels. Of n rounds the median of r
// counts; its interval reaches from the k-th smallest ratio to the k-th largest,
// with the largest k for which
//
//	P(Binomial(n, 1/2) < k) <= 2.5 %
//
// That interval covers the true median in at least 95 % of all runs, whatever
// the ratios' distribution; ties make it cover more. Fewer than six rounds have
// no such interval: Level then says how little is certain.
//
// A claim is held where the whole interval is on its side of the limit, missed
// where none of it is, and void where the limit lies within: the run is too
// short or too restless to tell, whatever the machine did meanwhile.
//
// # Shares
//
// For a claim about a percentile ("99.9 % within a tenth of the period") the
// late ones are counted, and the interval is Clopper and Pearson's for a share.
// Divided by the share allowed it is a ratio like the others, with the limit 1.
//
// # Pairs without a ratio
//
// Where two subjects do the same rounds and a ratio makes no sense, Difference
// gives the mean difference with a bootstrap interval (Efron and Tibshirani 1993,
// An Introduction to the Bootstrap, chapter 13), and Discordant the exact test of
// who did something more often.
//
// # Concurrency
//
// Functions of values; nothing is kept.
//
// # Errors
//
// A time that is not positive and finite is refused with its round: a ratio
// made of it would be a number, and nonsense.
//
// # Limits
//
// Rounds count as independent. On a machine whose disturbances outlast a round
// and hit its two halves unequally they are not, and the interval is too narrow.
//
// # Source
//
// Distribution-free intervals of a median: David and Nagaraja, Order Statistics,
// 3rd edition, section 7.1. Shares: Clopper and Pearson 1934,
// doi:10.1093/biomet/26.4.404.
package verdict
