// Package steer turns the direction that the field decides on into arcs that the
// ground allows: how sharply, how fast, and where that does not go, forwards and
// backwards in turn until it does.
//
// # Ahead
//
// Fifteen arcs from lock to lock, and the one of the field's heading itself, are
// asked of the ground (ground.Sweep). The cheapest in
//
//	|d - wish| / lock + 0.5 |d - last| / lock      near the heading, and steady
//	+ 1 - min(s / 0.4 m, 1) + u b b                long, and known
//	+ 1.5 mean(1 - min(w / 0.4 m, 1))              in the middle of a gap
//	+ 2 (1 - g / 4 cm) + (2 cm - k) / 7 cm         and not into what is beside the body
//
// is taken: d the steering angle, b the share of the swept floor that nobody has
// seen, u 8 where beams look to the sides and 25 where one looks ahead,
// s = (1-b) free + b min(free, n) the way that counts, n what is free straight
// ahead: where a single beam looks ahead, nothing else vouches for unseen floor. The last
// two terms count where beams look to the sides; w are the ways with margins from none to
// the whole and the way over floor that is known, g and k the least distances of the body
// on the arc's next 0.15 m from what stands, at most 4 cm, and from floor not known to be
// free, at most 2 cm and negative inside of it: beside the body no beam looks. There s is the way without any
// margin, too, over floor whose middle is known: what the car creeps through where a task
// draws it, or somebody is about. A car that only looks around keeps its margin.
// This is the dynamic window's choice among arcs (Fox, Burgard, Thrun 1997,
// doi:10.1109/100.580977) with the field's heading for the goal. The speed is
//
//	v = cruise clip((s - 0.06 m) / 0.26 m, 0, 1)
//
// over floor of which the middle of the body knows that it is free, so that the car
// stops within what it sees; elsewhere, and where the margin does not fit, at most 0.3 of
// the cruise speed. Where something is close beside the next 0.15 m it is less by up to 0.7.
//
// With beams to the sides the steering stays within 2 deg of the chosen arc's and follows
// no ripple of it, unless the arc that the wheels are on ends sooner.
//
// # Who is beside the car
//
// Beams tell better than the map's cells how near somebody is who has stopped right before
// the car (Situation.Echoes). With beams to the sides an arc ends before the body touches
// what one of them hears within 8 cm where somebody came in the last 1.5 s, and where that
// shuts both locks and straight ahead the car goes back first. And where somebody came whom
// the beam at 60 deg loses nearer than 0.20 m while the car drives at more than 0.10 m/s,
// arcs to that side cost up to 2 for the next 0.30 m forward, not on tables: he is beside
// the body, where no beam looks. Strokes of a manoeuvre do not heed it.
//
// # Numbers
//
// Params are those that may be turned, with their limits; the figures on this page are
// Default's. Limits of what is safe are not among them: the reflexes keep those.
//
// # Manoeuvre
//
// Where no arc is 0.12 m long for 0.3 s, the field knows no heading, a reflex holds the
// car, the task lies behind, or near and beside, or a car with one beam would grope over
// floor that nobody has seen, or is hinted at a way behind it where no arc is longer than
// 0.3 m, it stops and searches strokes: forwards and backwards
// at either lock and straight, 22.5 deg or 6 cm each, and back along the way it came,
// best first by the time they take (Hart, Nilsson, Raphael 1968,
// doi:10.1109/TSSC.1968.300136; car-like motion in cells: Dolgov and others 2010,
// doi:10.1177/0278364909359210). It ends at the place from which driving off is
// worth most: as far as possible, over floor that is known, towards the aim.
// With one beam the search begins where the car will have stopped, while it does, so that
// a stroke which is to go on goes on; on a table the car stands first.
// The aim is the task's; where the task only hints, it is the side to which the field
// leans (recalls a way) when the manoeuvre begins, if it does.
// Where nothing draws and an exit led nowhere, it is back to where the car came from, and
// a short exit does no longer: one beam finds out of a dead end so, and does not go
// round in it.
// With one beam and no goal that a short way brings nearer, only 0.50 m of free way end
// a manoeuvre: from a shorter exit the car sees nothing but the next wall, and turns there
// anew. A search that finds none is followed by one for which 0.20 m do.
// Where searches find nothing for 1.5 s the car goes 6 cm at its least speed whatever the
// ground says: back on the way it came, and then each time another way back; not over a
// floor that ends somewhere.
// With beams to the sides, where the car has come less than 0.25 m since the last manoeuvre,
// an exit takes 0.35 m instead of 0.20, or it would drive up to a wall before its goal, or
// into the corner in which it stands, and back for ever.
// Backwards the car goes only over floor that it knows, but for 3 % of it where beams have
// looked to the sides and 15 % where one looks ahead. Every stroke is one leg of
// a new search, since the beam has then seen more. From a contact it first backs off the
// way it came. A search that finds nothing is followed by one that dares more.
//
// # Tables
//
// Where the floor ends somewhere (Situation.Carried) and the task insists, the car first
// goes back on the way it came (Situation.Back) and then turns round in strokes to and fro
// at full lock, up to 56 deg each. Backwards both rear wheels stay on floor that has
// carried it: the law looks along the arc and ends the stroke before the reflexes must.
// A stroke that got nowhere is followed by one in the other gear, two by the other side,
// six by a search; a search in vain by the way it came, also where strokes in between were
// refused. What the reflexes refused since the car last moved no search tries again. While
// the edge is still under the bar it goes back first, and the table says later how far. Where the aim has become another, the next stroke turns to its nearer side, back
// on the arc just driven. Known sides (Situation.Brinks) no
// wheel passes ahead but within 27 deg of square on, where the floor bar sees them first.
// An arc that nobody has seen costs a quarter there. From 60 deg off the aim an arc ahead does the rest; where one beam looks
// ahead, which sees nothing of an arc, the strokes go on to 15 deg.
//
// # Wish
//
// The field's heading is the wish, unless the task insists (a goal) and lies more than
// 30 deg from it: beside a wall HEADING turns away for good, and a door is in walls.
//
// # Amortisation
//
// A search expands 24 places per tick, counted and not timed; 1500 at most.
//
// # Units
//
// Metres, radians and seconds in the odometry's frame; a pose is that of the rear
// axle. Every product is rounded by itself.
//
// # Concurrency and errors
//
// One goroutine owns a Law. Nothing allocates after New; no method fails.
package steer
