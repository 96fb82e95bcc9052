package bench

import (
	"time"

	"fieldbrain/testbench/vector"
)

// A Floor is what a step costs at least: its instructions, counted one by one in this
// run, at the rate at which this core executes vector instructions that wait for nothing.
type Floor struct {
	ISA          string  `json:"isa"`
	Sensors      bool    `json:"sensors"`
	Instructions float64 `json:"instructions"` // a step of one car
	Wide         float64 `json:"wide"`         // of them on registers of 256 bits or more, with SSE on 128; without loads and copies
	Peak         float64 `json:"peak_per_s"`   // such instructions
	Seconds      float64 `json:"seconds"`      // a step takes at least
	Ratio        float64 `json:"ratio"`        // the best row's time over it
}

// What floors counts: cars that have driven as those of a row, for one round of their
// sonars, and enough that pings wait for one another. A trap takes some microseconds.
const (
	countedCars  = 128
	countedSteps = 40
)

// floors counts the steps of every engine that can be counted.
func (r *Report) floors(rounds int) error {
	for _, isa := range vector.ISAs() {
		for _, sensors := range []bool{false, true} {
			f, err := fleet(isa, countedCars, sensors)
			if err != nil {
				return err
			}
			warmUp(f)
			all, wide := counted(f)
			if wide == 0 {
				continue
			}
			one := Floor{ISA: isa, Sensors: sensors, Instructions: share(all), Wide: share(wide)}
			for range 10 * rounds {
				begun := time.Now()
				one.Peak = max(one.Peak, float64(f.Peak(20_000))/time.Since(begun).Seconds())
			}
			one.Seconds = one.Wide / one.Peak
			one.Ratio = 1 / (r.fastest(isa, sensors) * one.Seconds)
			r.Floors = append(r.Floors, one)
		}
	}
	return nil
}

// counted counts steps in calls as the rows take them: a longer call looks less often, as
// only its last look is seen. Zeros where nothing can count.
func counted(f *vector.Fleet) (all, wide int) {
	for range countedSteps / Hold {
		a, w, ok := f.Count(Hold)
		if !ok {
			return 0, 0
		}
		all, wide = all+a, wide+w
	}
	return all, wide
}

// share returns how many of a count are those of one car's step.
func share(n int) float64 { return float64(n) / (countedCars * countedSteps) }

// fastest returns the rate of an engine's fastest row.
func (r *Report) fastest(isa string, sensors bool) (rate float64) {
	for _, row := range r.Rows {
		if row.ISA == isa && row.Sensors == sensors {
			rate = max(rate, row.Rate)
		}
	}
	return rate
}
