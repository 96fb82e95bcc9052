//go:build cuda

package main

import (
	"errors"
	"fmt"
	"strings"

	"fieldbrain/gpu/kernels"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/vector/card"
	"fieldbrain/testbench/vector/env"
)

// options are those of C, with what 0 and NULL mean filled in.
type options struct {
	cars, worlds int
	families     []string
	profile      plant.Profile
	set          family.Set
	first, seed  uint64
	task         env.Task
	tasked       bool // there is one
	hold, limit  int
}

// maxWorlds bounds the worlds, each of which is solved before cars may drive in it.
const maxWorlds = 10_000

// A client is what C has a handle of: cars on the card.
type client struct {
	*card.Card
	env *card.Env // with a task
}

// openTask makes an environment on the card.
func openTask(o options) (c *client, wrong bool, err error) {
	host, err := env.New(env.Options{
		Task: o.task, Cars: o.cars, Families: o.families, Set: o.set, First: o.first, Worlds: o.worlds,
		Profile: o.profile, Hold: o.hold, Limit: o.limit,
	})
	if err != nil {
		return nil, true, err
	}
	e, err := card.OpenEnv(host, o.seed, kernels.Fatbin())
	if err != nil {
		return nil, false, err
	}
	return &client{e.Card, e}, false, nil
}

// open makes the worlds and puts the cars on the card. wrong says that the error is about
// the options.
func open(o options) (c *client, wrong bool, err error) {
	switch {
	case o.tasked:
		return openTask(o)
	case o.hold != 0 || o.limit != 0:
		return nil, true, fmt.Errorf("card: hold %d and limit %d belong to a task: name one, or leave them 0", o.hold, o.limit)
	}
	if o.worlds < 1 || o.worlds > maxWorlds {
		return nil, true, fmt.Errorf("card: %d worlds; choose 1 to %d", o.worlds, maxWorlds)
	}
	if o.families == nil {
		o.families = []string{"room"}
	}
	var sites []vector.Site
	for i := range o.worlds {
		name, seed := o.families[i%len(o.families)], o.first+uint64(i/len(o.families))
		sc, err := family.Make(name, o.set, seed)
		if err != nil {
			return nil, true, fmt.Errorf("card: families %s: %w", strings.Join(o.families, ","), err)
		}
		w, start, err := sc.Build(seed)
		if err != nil {
			return nil, true, fmt.Errorf("card: family %s: %w", name, err)
		}
		sites = append(sites, vector.Site{World: w, Car: sc.Car, Start: start})
	}
	fleet, err := vector.New(vector.Options{Cars: o.cars, Sites: sites, Profile: o.profile, Seed: o.seed})
	if err != nil {
		return nil, true, err
	}
	c = new(client)
	c.Card, err = card.Open(fleet, card.Options{Image: kernels.Fatbin(), Actions: true, Readings: true, States: true})
	return c, false, err
}

// close gives everything back.
func (c *client) close() error {
	if c.env != nil {
		return c.env.Close()
	}
	return c.Card.Close()
}

// step starts n steps.
func (c *client) step(n int) error {
	if c.env != nil {
		return c.env.Step(n)
	}
	return c.Step(n)
}

// matrix returns one by its number in C, nothing for one that these cars have not.
func (c *client) matrix(which int) (m card.Matrix) {
	list := []card.Matrix{c.Actions(), c.Readings(), c.States(), c.Seeds(), c.Mask()}
	if e := c.env; e != nil {
		list[0] = e.Orders
		list = append(list, e.Observations, e.Rewards, e.Terminated, e.Truncated, e.Returns, e.Lengths, e.Causes)
	}
	if which >= 0 && which < len(list) {
		m = list[which]
	}
	return m
}

// errBoth says what a reset without a task needs.
var errBoth = errors.New("card: cars without a task need seeds and a mask to be put back")

// restart puts cars back, or begins episodes, as the matrices lie on the card.
func (c *client) restart(seeded, masked bool) error {
	switch {
	case c.env != nil:
		return c.env.Reset(seeded, masked)
	case !seeded || !masked:
		return errBoth
	}
	return c.Restart()
}
