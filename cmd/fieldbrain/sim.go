package main

import (
	"fmt"

	"fieldbrain/daemon"
)

type simCmd struct {
	Scenario string  `help:"Scenario to run." default:"room" placeholder:"NAME"`
	List     bool    `help:"Name the scenarios and end."`
	Seed     int64   `help:"Decides obstacles and noise." default:"7"`
	Seconds  float64 `help:"Length in simulated seconds; 0 takes the scenario's." default:"0"`
	Pilot    string  `help:"Who drives: brain, or the baselines reactive, vendor and noise." enum:"brain,reactive,vendor,noise" default:"brain"`
	Picture  string  `help:"Write a top-down PNG of the run." placeholder:"FILE"`
	Realtime bool    `help:"Drive in real time, with the driver's own threads, instead of virtual time."`
	JSON     bool    `help:"Print one JSON object." name:"json"`
	Suite    bool    `help:"Drive every scenario with all its seeds, as brain, vendor and noise, and compare."`
	suiteFlags
	engineFlags
	Config string `help:"Configuration file for [engine] and [brain]." placeholder:"FILE"`
}

// engineFlags choose the engine over the configuration.
type engineFlags struct {
	Engine  string `help:"Field engine: auto, cuda, avx512, avx2, sse, neon or purego." enum:",auto,cuda,avx512,avx2,sse,neon,purego" default:"" placeholder:"KIND"`
	Threads int    `help:"Threads that step the field; the configuration's when left out." default:"-1" placeholder:"N"`
	Step    string `help:"Field step: collapsed or dense." enum:",collapsed,dense" default:"" placeholder:"STEP"`
	Quality string `help:"Rung of the quality ladder to stay on, or auto; see fieldbrain bench ladder." default:"" placeholder:"RUNG"`
}

// apply puts the flags over the configuration.
func (f engineFlags) apply(c *daemon.Config) {
	if f.Engine != "" {
		c.Engine.Kind = f.Engine
	}
	if f.Threads >= 0 {
		c.Engine.Threads = f.Threads
	}
	if f.Step != "" {
		c.Engine.Step = f.Step
	}
	if f.Quality != "" {
		c.Engine.Quality = f.Quality
	}
}

// Run runs the scenario: 0 when it passes, 1 when it fails.
func (c simCmd) Run(e *env) error {
	if c.List {
		for _, name := range scenarioNames() {
			fmt.Fprintln(e.out, name)
		}
		return nil
	}
	if !(c.Seconds >= 0 && c.Seconds <= 7*24*3600) {
		return usageError{fmt.Errorf("--seconds %v: choose 0 to a week", c.Seconds)}
	}
	config, _, err := loadConfig(c.Config)
	if err != nil {
		return err
	}
	c.apply(&config)
	if err := checkFlags(config); err != nil {
		return err
	}
	if c.Suite {
		return c.compare(e, config)
	}
	if c.suiteFlags != (suiteFlags{}) {
		return usageError{fmt.Errorf("--seeds, --only, --markdown and --date belong to --suite")}
	}
	return simulate(e, c, config)
}
