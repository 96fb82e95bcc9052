// Package picture draws what happened on the bench: a run seen from above, and
// curves and strips of measurements.
//
// Write draws a run: the world in metres, the way coloured by speed or by time,
// the car as a car at its last pose, and the events with a legend. A Recorded is a
// drive of which only the brain's own reckoning is known. A Page holds
// charts, strips and drawings of a caller's own in rows, with a caption under each.
//
// # Shapes
//
// x grows to the right and y upward, as in the world. A point of a page is one
// pixel of a PNG.
//
// # Errors
//
// Write and Page.Write return the writer's error, and refuse a format that is not
// one of Formats. Write refuses a run without a track.
//
// # Source
//
// gonum.org/v1/plot draws axes, curves, heat maps and colour bars; the letters
// are the Go fonts (golang.org/x/image/font/gofont). The top-down drawing is
// this package's own.
package picture
