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

// Save copies the finder into r and cancels the wave under way and the last answer,
// so that the finder and one that resumes go on alike.
func (f *Finder) Save(r *Record) {
	f.Cancel()
	p := &f.places
	*r = Record{
		Task: uint8(f.task), X: f.goal.x, Y: f.goal.y, Count: p.count, West: p.west, South: p.south,
		PlaceX: p.x, PlaceY: p.y, Stayed: p.stayed, Here: p.here, Placed: p.placed,
	}
}

// Resume takes over what Save wrote; Check says what it must be.
func (f *Finder) Resume(r *Record) {
	f.Cancel()
	f.task, f.goal = Task(r.Task), point{r.X, r.Y}
	f.places = places{
		count: r.Count, west: r.West, south: r.South, x: r.PlaceX, y: r.PlaceY,
		stayed: r.Stayed, here: r.Here, placed: r.Placed,
	}
}

// Check returns what in r no finder can have, or nil.
func (r *Record) Check() error {
	const most = 40 * far
	for _, v := range [4]int32{r.West, r.South, r.PlaceX, r.PlaceY} {
		if v < -most || v > most {
			return fmt.Errorf("route: a place lies in cell %d, must be within %v", v, most)
		}
	}
	if r.Task > uint8(Explore) {
		return fmt.Errorf("route: task %d must be within 0..%d", r.Task, Explore)
	}
	if !(r.X >= -2*far && r.X <= 2*far && r.Y >= -2*far && r.Y <= 2*far && r.Stayed >= 0 && r.Stayed <= lingers) {
		return fmt.Errorf("route: goal at %v, %v m, %v s in a place: no finder has that", r.X, r.Y, r.Stayed)
	}
	return nil
}
