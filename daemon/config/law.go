package config

import (
	"fmt"
	"strings"

	"fieldbrain/brain/steer"
)

// Law is section [law]: the fields of steer.Params, in their order.
type Law struct {
	Comfort   float64 `toml:"comfort" comment:"a way ahead as long needs no other, 0.15 .. 0.7 m"`
	Ramp      float64 `toml:"ramp" comment:"over so much more way the speed rises to brain.cruise, 0.1 .. 0.6 m"`
	Creep     float64 `toml:"creep" comment:"share of brain.cruise over floor that nobody has seen, 0.1 .. 0.6"`
	Short     float64 `toml:"short" comment:"cost of a way that is shut, 0.1 .. 5; 1 is as much as full lock beside the field's heading"`
	Blind     float64 `toml:"blind" comment:"front sonar only: cost of a way of which nothing was seen, 1 .. 60"`
	Sides     float64 `toml:"sides" comment:"the same with sonars to the sides, and on a table, 0.5 .. 40"`
	Keep      float64 `toml:"keep" comment:"cost of steering from lock to straight at once, 0 .. 2"`
	Steady    float64 `toml:"steady" comment:"in such a time the steering follows a choice, 0.02 .. 0.5 s"`
	Shut      float64 `toml:"shut" comment:"so long no way ahead begins a manoeuvre, 0.05 .. 1 s"`
	Gear      float64 `toml:"gear" comment:"manoeuvre: what a change of gear costs, 0.1 .. 3 s"`
	ExitShort float64 `toml:"exit_short" comment:"manoeuvre: what driving off without any way ahead would cost, 0 .. 10 s"`
	ExitBlind float64 `toml:"exit_blind" comment:"manoeuvre: what driving off over floor costs that nobody has seen, 0 .. 10 s"`
	ExitOff   float64 `toml:"exit_off" comment:"manoeuvre: what driving off beside the aim costs, 0 .. 10 s/rad"`
}

// DefaultLaw returns the numbers without a file.
func DefaultLaw() Law { return Law(steer.Default()) }

// Params returns the section as the brain takes it.
func (c Law) Params() steer.Params { return steer.Params(c) }

// check checks section [law].
func (c Law) check(k *checker) {
	p := c.Params()
	for _, n := range p.Numbers() {
		if v := *n.Value; !(v >= n.Low && v <= n.High) { // NaN fails
			k.wrong("law."+n.Name, strings.TrimSpace(fmt.Sprintf("choose %v .. %v %s", n.Low, n.High, n.Unit)), "%v is out of range", v)
		}
	}
}
