// Package export makes tables, pictures and whole files of a recording.
//
// Everything is drawn in the frame of the brain's start: x ahead, which is to the right
// of the picture, y to the left, which is up. The way is where the brain believed to be,
// by dead reckoning; echoes are drawn where the sensor heard them from there.
package export
