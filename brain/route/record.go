package route

import "fmt"

// A Record is a finder as it is kept: its task and where the car has been. The wave
// under way and its answer are not in it.
type Record struct {
	Task  uint8
	X, Y  float32 // m, of a goal
	Count [placeSide * placeSide]uint8

	West, South int32   // world place of the ring's corner
	PlaceX      int32   // where the car is, a world place
	PlaceY      int32   //
	Stayed      float32 // s
	Here        bool    // the car has a place
	Placed      bool    // the ring has one
}

// Save copies the finder into rec and cancels the wave under way and the last answer,
// so that the finder and one that resumes go on alike.
func (f *Finder) Save(rec *Record) {
	f.Cancel()
	p := &f.places
	*rec = Record{
		Task: uint8(f.task), X: f.goal.x, Y: f.goal.y, Count: p.count, West: p.west, South: p.south,
		PlaceX: p.x, PlaceY: p.y, Stayed: p.stayed, Here: p.here, Placed: p.placed,
	}
}

// Resume takes over what Save wrote; Check says what it must be.
func (f *Finder) Resume(rec *Record) {
	f.Cancel()
	f.task, f.goal = Task(rec.Task), point{rec.X, rec.Y}
	f.places = places{
		count: rec.Count, west: rec.West, south: rec.South, x: rec.PlaceX, y: rec.PlaceY,
		stayed: rec.Stayed, here: rec.Here, placed: rec.Placed,
	}
}

// Check returns what in rec no finder can have, or nil.
func (rec *Record) Check() error {
	const most = 40 * far
	for _, v := range [4]int32{rec.West, rec.South, rec.PlaceX, rec.PlaceY} {
		if v < -most || v > most {
			return fmt.Errorf("route: a place lies in cell %d, must be within %v", v, most)
		}
	}
	if rec.Task > uint8(Explore) {
		return fmt.Errorf("route: task %d must be within 0..%d", rec.Task, Explore)
	}
	if !(rec.X >= -2*far && rec.X <= 2*far && rec.Y >= -2*far && rec.Y <= 2*far && rec.Stayed >= 0 && rec.Stayed <= lingers) {
		return fmt.Errorf("route: goal at %v, %v m, %v s in a place: no finder has that", rec.X, rec.Y, rec.Stayed)
	}
	return nil
}
