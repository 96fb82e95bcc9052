package env_test

import (
	"math"
	"testing"

	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/vector/env"
)

// A pilot turns a car's observation into its action; it may keep a few numbers.
type pilot func(task env.Task, see []float32, keep *[4]float64) (speed, steering float64)

const lock = 30 * math.Pi / 180

func standing(env.Task, []float32, *[4]float64) (float64, float64) { return 0, 0 }

// circling drives round at full lock.
func circling(env.Task, []float32, *[4]float64) (float64, float64) { return 0.3, lock }

// wide drives round on a wider circle.
func wide(env.Task, []float32, *[4]float64) (float64, float64) { return 0.3, lock / 3 }

// spinning turns on the spot as well as a car can: forwards with the wheels to the
// left, backwards with the wheels to the right.
func spinning(_ env.Task, _ []float32, keep *[4]float64) (float64, float64) {
	keep[0]++
	if int(keep[0])/12%2 == 0 {
		return 0.25, lock
	}
	return -0.25, -lock
}

// shuttling goes to and fro.
func shuttling(_ env.Task, _ []float32, keep *[4]float64) (float64, float64) {
	keep[0]++
	if int(keep[0])/40%2 == 0 {
		return 0.25, 0
	}
	return -0.25, 0
}

// near is how much an echo repels, 0 to 1; without one nothing does.
func near(d float32, reach float64) float64 {
	if d < 0 {
		return 0
	}
	return min(max((reach-float64(d))/reach, 0), 1)
}

// reactive steers by the newest echoes as testbench.Reactive does: away from what is
// near, to the beacon or along the line, and back where something is too near.
func reactive(task env.Task, see []float32, keep *[4]float64) (float64, float64) {
	if task == env.Line {
		return follow(see, keep)
	}
	const reach = 0.7
	front := near(see[0], reach)
	left := near(see[1], reach) + near(see[3], reach)
	right := near(see[2], reach) + near(see[4], reach)
	if keep[1] == 0 || front == 0 {
		keep[1] = 1
		if left > right {
			keep[1] = -1
		}
	}
	if see[0] >= 0 && see[0] < 0.22 && keep[0] <= 0 {
		keep[0] = 30
	}
	if keep[0]--; keep[0] > 0 {
		return -0.15, -keep[1] * lock
	}
	wish := 0.0
	if task == env.Goal {
		wish = float64(see[len(see)-2])
	}
	wish += 2.4 * (square(near(see[2], reach)) + square(near(see[4], reach)) - square(near(see[1], reach)) - square(near(see[3], reach)))
	wish += keep[1] * 2.4 * front * front
	return 0.25 * min(max(1.2-1.2*front, 0.4), 1), min(max(wish, -lock), lock)
}

func square(x float64) float64 { return x * x }

// follow steers to the darkest floor sensor, and to the side where that was last.
func follow(see []float32, keep *[4]float64) (float64, float64) {
	var dark [3]float64
	sum := 0.0
	for i := range dark {
		dark[i] = min(max((900-float64(see[5+i]))/600, 0), 1)
		sum += dark[i]
	}
	if sum > 0.15 {
		keep[2] = 0.7 * (dark[0] - dark[2]) / sum
	} else if keep[2] != 0 {
		keep[2] = math.Copysign(lock, keep[2])
	}
	return 0.15, min(max(keep[2], -lock), lock)
}

// score returns the mean return of the first episode of every car, and the mean of
// its length in steps.
func score(t *testing.T, task env.Task, drive pilot, cars int) (mean, length float64) {
	t.Helper()
	e := open(t, env.Options{Task: task, Cars: cars, Worlds: 16, Threads: 2}, 1)
	m, n := e.Memory(), len(e.Observations())
	keep, over := make([][4]float64, cars), make([]bool, cars)
	for left := cars; left > 0; {
		for car := range cars {
			v, s := drive(task, m.Observations[car*n:(car+1)*n], &keep[car])
			m.Actions[2*car], m.Actions[2*car+1] = float32(v), float32(s)
		}
		step(t, e)
		for car := range cars {
			if over[car] || m.Terminated[car]+m.Truncated[car] == 0 {
				continue
			}
			over[car] = true
			left--
			mean += float64(m.Returns[car]) / float64(cars)
			length += float64(m.Lengths[car]) / float64(cars)
		}
	}
	return mean, length
}

// TestRewards: whoever stands, goes round or to and fro earns next to nothing in any
// task, and whoever drives by its sensors earns more.
func TestRewards(t *testing.T) {
	tier.Heavy(t, "drives for hours of simulated time")
	tier.Compiled(t, "drives for hours of simulated time")
	tier.Native(t, "equal hashes carry it over")
	tier.Alone(t, "TestSeeds steps on several threads")
	cars := tier.Count(t, "cars", 32, 32, 256)
	idle := map[string]pilot{"standing": standing, "circling": circling, "wide": wide, "spinning": spinning, "shuttling": shuttling}
	for _, task := range env.Tasks() {
		best, long := score(t, task, reactive, cars)
		t.Logf("%-8s %-10s %7.3f in %4.0f steps", task, "reactive", best, long)
		if best <= 0.5 {
			t.Errorf("%s: a car that drives by its sensors earns %.3f", task, best)
		}
		for name, drive := range idle {
			have, long := score(t, task, drive, cars)
			t.Logf("%-8s %-10s %7.3f in %4.0f steps", task, name, have, long)
			if name == "standing" && have != 0 {
				t.Errorf("%s: standing earns %v", task, have)
			}
			if have > best/2 || have > 1 {
				t.Errorf("%s: %s earns %.3f, reactive %.3f", task, name, have, best)
			}
		}
	}
}
