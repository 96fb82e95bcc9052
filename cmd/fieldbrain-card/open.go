//go:build cuda

package main

import (
	"fmt"
	"strings"

	"fieldbrain/gpu/kernels"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/vector/card"
)

// options are those of C, with what 0 and NULL mean filled in.
type options struct {
	cars, worlds int
	families     []string
	profile      plant.Profile
	set          family.Set
	first, seed  uint64
}

// maxWorlds bounds the worlds, each of which is solved before cars may drive in it.
const maxWorlds = 10_000

// A client is a fleet on the card that C has a handle of.
type client struct {
	*card.Card
	fleet  *vector.Fleet
	starts []plant.Pose // of the sites
}

// open makes the worlds and puts the cars on the card. wrong says that the error is about
// the options.
func open(o options) (c *client, wrong bool, err error) {
	if o.worlds < 1 || o.worlds > maxWorlds {
		return nil, true, fmt.Errorf("card: %d worlds; choose 1 to %d", o.worlds, maxWorlds)
	}
	c = new(client)
	var sites []vector.Site
	for i := range o.worlds {
		name := o.families[i%len(o.families)]
		sc, err := family.Make(name, o.set, o.first+uint64(i))
		if err != nil {
			return nil, true, fmt.Errorf("card: families %s: %w", strings.Join(o.families, ","), err)
		}
		w, start, err := sc.Build(o.first + uint64(i))
		if err != nil {
			return nil, true, fmt.Errorf("card: family %s: %w", name, err)
		}
		sites, c.starts = append(sites, vector.Site{World: w, Car: sc.Car, Start: start}), append(c.starts, start)
	}
	if c.fleet, err = vector.New(vector.Options{Cars: o.cars, Sites: sites, Profile: o.profile, Seed: o.seed}); err != nil {
		return nil, true, err
	}
	c.Card, err = card.Open(c.fleet, card.Options{Image: kernels.Fatbin(), Actions: true, Readings: true, States: true})
	return c, false, err
}

// restart puts cars back at the starts of their worlds.
func (c *client) restart(seeds []uint64, mask []uint8) error {
	if err := c.Fetch(); err != nil {
		return err
	}
	for i, on := range mask {
		if on != 0 {
			at := c.fleet.Site(i)
			c.fleet.Reset(i, at, c.starts[at], seeds[i])
		}
	}
	return c.Send()
}
