// Package replay lets a recorded brain tick again on everything that it heard, and
// compares what comes out, tick by tick and bit for bit.
//
// A tick's outcome is a function of its TickInput (package brain) and of what the brain
// carried from before. The recording has every TickInput from the first tick on, what the
// brain was built with, and the saved brain that it began with, if it did not begin
// fresh; so the replay needs no simulator, no clock and no sensors, and runs as fast as
// the processor ticks.
//
// Compared are the command, the causes that the reflexes gave, the rung, a hash of what
// the field answered (recording.Answer) and, where the recording has one, the hash of
// the whole field (field.Hash). A recording that lacks ticks is replayed up to the gap.
//
// With another setup the replay says what would have differed. It hears what was
// recorded: the readings do not follow the other commands.
package replay
