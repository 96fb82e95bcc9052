// Package recording keeps what entered a brain's ticks, and what came out of them, in
// MCAP files (https://mcap.dev/spec), which Foxglove and its readers for Python, C++,
// TypeScript, Rust, Swift and Go open.
//
// # What is in a file
//
//	metadata    fieldbrain        program, format, engine, body, world, seed
//	attachment  setup.json        what the brain was built with (cmd/fieldbrain/replay)
//	attachment  brain.fieldbrain  the saved brain that it began with, if it did not begin fresh;
//	                              mind.fieldbrain in older files
//	topic       /fieldbrain/tick  Tick: everything that entered and came out, every tick
//	topic       /pose             foxglove.PoseInFrame, 10 Hz
//	topic       /ranges           foxglove.LaserScan, 10 Hz
//	topic       /field/channels   foxglove.RawImage, a row per channel, every 40 ticks
//	topic       /field/obstacles  foxglove.RawImage, bearing by range, every 40 ticks
//	topic       /log              foxglove.Log, whatever changed
//
// All messages are protocol buffers with their schema in the file. A Tick keeps the bits
// of every number, also of a NaN. Members are read by name: a file of an older program
// lacks some, and Reader.Differ says which.
//
// # From the tick to the disk
//
// The thread that ticks copies each tick into a Ring whose memory is there from the
// beginning, and goes on: it does not wait, allocate or lock. Somebody else takes the
// ticks out and writes them. Where that is too slow, ticks are lost and counted, and the
// next one that finds a place says how many (Tick.Lost).
//
// # A file that ends in the middle
//
// Blocks of about a second are compressed and get a checksum each. A Reader reads every
// whole block of a file that was cut short, then says ErrCut; a file that ends as a whole
// one does and lacks something is ErrDamaged.
package recording
