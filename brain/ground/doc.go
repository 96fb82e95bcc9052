// Package ground keeps what the car knows of the floor around it, as finely as
// its body has to fit through: which cells it has seen free, where something
// stands, where the table ends, and how long ago it saw that. It says how far the
// body can go along an arc.
//
// # Grid
//
//	cell       1/32 m; 256x256 of them, 8 m square around the car
//	ring       a world cell lives at its coordinates modulo 256: the window moves
//	           and nothing is copied, Follow clears what comes in
//	odds       int8, 1/32 nat; -Free..Occupied, 0 is unknown
//	known      free at -12 and below, occupied at 24 and above: two bits per cell,
//	           in rows of four words, kept with every write
//
// The grid lies in the frame of the odometry: turning moves nothing. The
// information grid of package belief has cells of 0.125 m and a height; the car
// is 0.18 m wide and a door 0.28 m (docs/decisions/0021).
//
// # Sonar
//
// A reading R of a cone of half width a says that the sector up to R is free and
// that something stands somewhere on the arc at R, not where on it. Inverse models
// mark the whole arc (Moravec and Elfes 1985, doi:10.1109/ROBOT.1985.1087316;
// Elfes 1989, doi:10.1109/2.30720) and close every door seen from afar. Here
//
//   - the evidence of one echo is shared by the cells of its arc, so that a near
//     echo, whose arc is short, says more, and a far one alone makes nothing
//     occupied;
//   - an echo that a cell known to be occupied explains marks no other (explaining
//     away: Konolige 1997, doi:10.1023/A:1008806422571; Thrun 2003,
//     doi:10.1023/A:1025584807625);
//   - where beams look to the sides (Look) the sector is free to within a quarter of a cell
//     of the echo and its noise, and the arc begins there: what was smeared into a gap is
//     cleared as the car comes near, and what stands is marked no nearer than it is. One beam
//     keeps a whole cell;
//   - a beam clears what is occupied only well inside its cone: what stands at the
//     cone's rim, beside the body, was not looked at and fades by age alone;
//   - where no echo comes, cells count as free up to a short range and what is
//     occupied is hardly touched: soft and slanting walls are silent. One beam's silence
//     touches it only while the car stands: on its way a wall falls silent because the
//     nose has turned (docs/decisions/0070).
//
// # Forgetting
//
// The reference odometry is wrong by 5 % of the way and of the turn. Cells
// move towards unknown with time, with metres driven and with radians turned: a
// thing seen well stays for about 80 s of standing, 6 m of driving, or two turns,
// floor seen free for half of that. What was surely occupied and is then seen free is a mover:
// what it marks from then on lasts about a second. Edges fade with the way only,
// and no beam clears them.
//
// # Sweep
//
// The body is a disc. Sweep moves it along an arc of the rear axle in steps of a
// cell and looks at the cells of its leading half: bit masks for 16 places of the
// centre within a cell and 32 directions. What the body already overlaps does not
// hold it unless it goes deeper. Free is with the margin that there is where the car
// stands, at most 2 cm, or 3 where beams look to the sides (Look); Ways tell for discs from
// a little less than the body to the whole margin how far each would go, so that a gap that
// is narrower than that is seen, and its middle. The way to what it meets is exact to the
// millimetre, not to the cell, so that a speed made of it does not jump.
//
// # Units
//
// Metres and radians in the odometry's frame; a Pose is that of the rear axle.
// float32, every product rounded by itself: equal inputs give equal bits on amd64
// and arm64.
//
// # Concurrency and errors
//
// One goroutine owns a Grid. Nothing allocates after New, which refuses a body
// that does not fit the masks. What lies outside the window is unknown; no other
// method fails.
package ground
