// Package picture draws what happened on the bench as a PNG seen from above:
// the world, the way coloured by speed or by time, the car's last pose, and
// the events with a legend and a scale bar.
//
// # Shapes
//
// x grows to the right and y upward, as in the world; one pixel is
// Params.Scale of a metre.
//
// # Errors
//
// PNG returns the writer's error, or says that the run has no track.
//
// # Source
//
// The letters are a 5x7 dot font drawn for this package.
package picture
