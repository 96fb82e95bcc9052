// Package steer turns the direction that the field decides on into arcs that the
// ground allows: how sharply, how fast, and, where no arc goes, forwards and backwards
// in turn until one does.
//
// # Ahead
//
// Fifteen arcs from lock to lock, and the arc of the field's heading itself, are asked of
// the ground (ground.Sweep). The law takes the arc of least cost:
//
//	|d - wish| / lock + 0.5 |d - last| / lock      near the heading, and steady
//	+ 1 - min(s / 0.4 m, 1) + u b b                long, and known
//	+ 1.5 mean(1 - min(w / 0.4 m, 1))              in the middle of a gap
//	+ 2 (1 - g / 4 cm) + (2 cm - k) / 7 cm         not into what is beside the body
//
//	d    steering angle
//	b    share of the swept floor that nobody has seen
//	u    8 where beams look to the sides, 25 where one beam looks ahead
//	n    free way straight ahead
//	s    way that counts: (1-b) free + b min(free, n)
//	w    ways with every margin from none to the whole, and the way over known floor
//	g    least distance of the body from what stands, at most 4 cm
//	k    the same from floor not known to be free, at most 2 cm, negative inside of it
//
// Where one beam looks ahead nothing but n vouches for unseen floor. The last two lines
// count only where beams look to the sides; g and k are those of the arc's next 0.15 m,
// beside which no beam looks. There s includes the way without any margin, over floor whose
// middle is known: the car creeps through it where a task draws it or somebody is about.
// A car that only looks around keeps its margin.
//
// This is the dynamic window's choice among arcs (Fox, Burgard, Thrun 1997,
// doi:10.1109/100.580977) with the field's heading in the goal's place. The speed is
//
//	v = cruise clip((s - 0.06 m) / 0.26 m, 0, 1)
//
// over floor whose middle is known to be free, so that the car stops within what it sees.
// Elsewhere, and where the margin does not fit, it is at most 0.3 of the cruise speed, and
// up to 0.7 less where something is close beside the next 0.15 m.
//
// With beams to the sides the steering stays within 2 deg of the chosen arc's and follows
// no ripple of it, unless the arc that the wheels are on ends sooner.
//
// # Who is beside the car
//
// A beam tells better than the map's cells how near somebody is who has stopped right
// before the car (Situation.Echoes). With beams to the sides:
//
//   - An arc ends before the body touches what a beam hears within 8 cm, if somebody came
//     in the last 1.5 s. Where that shuts both locks and straight ahead the car first goes back.
//   - If the beam at 60 deg loses somebody nearer than 0.20 m while the car drives faster than
//     0.10 m/s, he is beside the body, where no beam looks: arcs to that side cost up to 2
//     for the next 0.30 m forwards. Not on tables, and not for strokes of a manoeuvre.
//
// # Manoeuvre
//
// The car stops and searches strokes
//
//   - where no arc is 0.12 m long for 0.3 s,
//   - where the field knows no heading, or a reflex holds the car,
//   - where the task lies behind, or near and beside,
//   - with one beam, where it would grope over floor that nobody has seen, or is hinted at a
//     way behind it while no arc is longer than 0.3 m.
//
// Strokes are 22.5 deg or 6 cm each, forwards and backwards, at either lock and straight,
// and back along the way the car came. The search takes the best first by the time they
// take (Hart, Nilsson, Raphael 1968, doi:10.1109/TSSC.1968.300136; car-like motion in
// cells: Dolgov and others 2010, doi:10.1177/0278364909359210). It ends at the place from
// which driving off is worth most: as far as possible, over known floor, towards the aim.
// Every stroke is one leg of a new search, since the beam has then seen more.
//
// The aim is the task's. Where the task only hints, it is the side to which the field
// leans when the manoeuvre begins (it recalls a way there), if it leans at all. Where
// nothing draws and an exit led nowhere, the aim is the way back and a short exit no longer
// ends the manoeuvre: that is how one beam finds out of a dead end instead of going round
// in it.
//
// Which exits end a manoeuvre:
//
//   - With one beam, and no goal that a short way brings nearer: 0.50 m of free way. From a
//     shorter exit the car sees nothing but the next wall, and turns there anew. After a search
//     that finds none, 0.20 m.
//   - With beams to the sides: 0.20 m, or 0.35 m where the car has come less than 0.25 m since
//     the last manoeuvre; else it would drive into the same corner and back for ever.
//
// Backwards the car goes only over floor that it knows, but for 3 % of it where beams have
// looked to the sides and 15 % where one looks ahead. From a contact it first backs off the
// way it came. A search that finds nothing is followed by one that dares more. Where searches
// find nothing for 1.5 s the car goes 6 cm at its least speed whatever the ground says: back
// on the way it came, then each time another way back; not over a floor that ends somewhere.
// With one beam it also does where no stroke that they found got on for 3 s.
//
// With one beam the search begins at the place where the car will have stopped, while it
// stops, so that a stroke which is to go on goes on. On a table the car stands first.
//
// # Tables
//
// Where the floor ends somewhere (Situation.Carried) and the task insists, the car first
// goes back on the way it came (Situation.Back), also while the edge is still under the
// bar. Then it turns round in strokes to and fro at full lock, up to 56 deg each. Backwards
// both rear wheels stay on floor that has carried it: the law looks along the arc and ends
// the stroke before the reflexes must.
//
//	what happened                                  what follows
//	a stroke that got nowhere                      the other gear
//	two of them                                    the other side
//	six of them                                    a search
//	a search in vain                               the way it came, whatever was refused in between
//	a stroke that the reflexes refused             no search tries it until the car has moved
//	the aim has become another                     its nearer side, back on the arc just driven
//
// Ahead no wheel passes a known side (Situation.FloorEdges), except within 27 deg of square on,
// where the floor bar sees it first. An arc that nobody has seen costs a quarter there.
// Within 60 deg of the aim the car finishes the turn on an arc ahead; with one beam, which
// sees nothing of an arc, the strokes go on to 15 deg.
//
// # Wish
//
// The field's heading is the wish, unless the task insists (a goal) and lies more than
// 30 deg from it: beside a wall HEADING turns away for good, and a door is in walls.
//
// # Numbers, units, time
//
// Params are the numbers that may be turned, with their limits; the figures on this page
// are Default's. What is safe is not among them: the reflexes keep those limits.
//
// Metres, radians and seconds in the odometry's frame; a pose is that of the rear
// axle. Every product is rounded by itself. A search expands 24 places per tick, counted
// and not timed; 1500 at most.
//
// # Concurrency and errors
//
// One goroutine owns a Law. Nothing allocates after New; no method fails.
package steer
