// Package world is the place the simulated car drives in: walls, discs and
// moving obstacles that a sonar can hear and a body can touch, and a floor
// with tape on it or an edge to fall from.
//
// # Equation
//
// Ranges are exact intersections of a ray with segments and circles; the
// clearance of a round body is the distance of its centre to the nearest
// surface less its radius. A floor sensor sees a patch of 6 mm, so its reading
// passes from tape to background over that width. A Surface loses echoes by chance,
// by distance and by incidence.
//
// # Symbols
//
// x points along the long side of a room, y to its left, angles count
// counter-clockwise from x, lengths are metres, reflectances ADC counts.
//
// # Concurrency
//
// Step changes the movers; everything else only reads. The owner of the World
// serialises the two.
//
// # Source
//
// The scenes of the behavioural suite: rooms, corridors, tables and ovals.
// Reflectances: SunFounder robot-hat manuals and community calibrations.
package world
