// Package fake is a child without a device: it speaks the protocol of package
// gpu, steps the field on the processor and fails on command. It is what tests
// of the supervisor, the fail-over and the daemon start in place of
// fieldbrain-gpu: they run their own test binary again with Env set.
//
// # Orders
//
// An order is a fault, where it happens and a count: "crash served 7" ends the
// process at the 7th step after the proof, "hang proof 3" stops answering at the
// 3rd step while it is proven. Several are separated by commas. "instant served 1" is
// no fault but a card of no duration: behind that step every answer is the one before.
//
// "blind" tells the gauges of the card once and never again.
package fake
