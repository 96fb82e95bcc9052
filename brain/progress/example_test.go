package progress_test

import (
	"fmt"
	"math"

	"fieldbrain/brain/progress"
)

// Half a minute at full lock, with the goal 2 m away.
func Example() {
	var m progress.Monitor
	m.Forget()
	const dt, speed, radius = 0.01, 0.33, 0.17
	left, searched := 0, false
	for i := range 3000 {
		s := float64(i) * dt * speed / radius
		a := m.Update(&progress.Look{
			Quest: progress.Goal, Dt: dt, Driving: true, X: radius * math.Cos(s), Y: radius * math.Sin(s),
			Way: speed * dt, Entered: 4, Left: 2, Far: 2,
		})
		if a.Leave {
			left++
		}
		searched = searched || a.Search
	}
	fmt.Println("told to leave the place:", left > 1, "to look elsewhere:", searched)
	// Output: told to leave the place: true to look elsewhere: true
}
