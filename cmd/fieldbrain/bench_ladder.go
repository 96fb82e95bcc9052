package main

import (
	"os"
	"time"

	"fieldbrain/cmd/fieldbrain/ladder"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench/family"
)

type benchLadderCmd struct {
	Scenario string   `help:"Drive that is recorded at full quality and replayed on every rung: a built-in name, or a file that ends in .toml." default:"goal" placeholder:"NAME" complete:"scenario,file"`
	Seed     int64    `help:"Of that drive: decides obstacles and noise." default:"1"`
	Seconds  float64  `help:"Its length in simulated seconds, at most." default:"20"`
	Drives   []string `help:"Scenarios driven on every rung for the behaviour score." default:"cliff,corridor,deadend,goal,line,room" placeholder:"NAMES"`
	Seeds    int      `help:"Seeds of each of them; 0 leaves the score out." default:"2"`
	JSON     bool     `help:"Print one JSON object." name:"json"`
	engineFlags
	Config string `help:"Configuration file for [loop], [engine] and [brain]." placeholder:"FILE"`
}

// Run measures every rung and start: 0 when each pays, 1 when one does not or the machine
// was too busy to tell.
func (c benchLadderCmd) Run(e *env) error {
	settings, err := c.settings()
	if err != nil {
		return err
	}
	bar := newMeter(e.err, isTerminal(os.Stderr))
	defer bar.end()
	tape, err := ladder.Record(settings, c.Scenario, uint64(c.Seed), time.Duration(c.Seconds*float64(time.Second)))
	if err != nil {
		return err
	}
	r, err := ladder.Compare(settings, tape, bar.show)
	if err != nil {
		return err
	}
	r.Scenario, r.Drives, r.Seeds = c.Scenario, c.Drives, c.Seeds
	if c.Seeds > 0 {
		ctx, restore := untilSignal()
		defer restore()
		if err := r.Score(ctx, settings, bar.show); err != nil {
			return err
		}
	}
	bar.end()
	r.Judge()
	return hand(e, r, c.JSON, r.Monotone && !r.Void)
}

// settings checks the flags and puts them over the configuration.
func (c benchLadderCmd) settings() (config.Config, error) {
	settings, err := c.over(c.Config)
	switch {
	case err != nil:
		return settings, err
	case c.Quality != "":
		return settings, config.Usagef("--quality %s: every rung is measured; leave it out", c.Quality)
	case c.Planes != nil:
		return settings, config.Usagef("--planes %d: every number of planes is measured; leave it out", *c.Planes)
	case c.Seed < 0:
		return settings, config.Usagef("--seed %d: choose 0 or more", c.Seed)
	case !(c.Seconds >= 2 && c.Seconds <= 600):
		return settings, config.Usagef("--seconds %v: choose 2 to 600", c.Seconds)
	case c.Seeds < 0 || c.Seeds > 100:
		return settings, config.Usagef("--seeds %d: choose 0 to 100", c.Seeds)
	}
	for _, name := range c.Drives {
		if _, err := family.Open(name); err != nil {
			return settings, config.UsageError{Err: err}
		}
	}
	return settings, nil
}
