package main

import (
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon/config"
)

// engineFlags choose the engine over the configuration.
type engineFlags struct {
	Engine  string `help:"Field engine: auto, cuda, avx512, avx2, sse, neon or purego." enum:",auto,cuda,avx512,avx2,sse,neon,purego" default:"" placeholder:"KIND"`
	Threads *int   `help:"Threads that step the field; the configuration's when left out." placeholder:"N"`
	Step    string `help:"Field step: collapsed or dense." enum:",collapsed,dense" default:"" placeholder:"STEP"`
	Planes  *int   `help:"Planes along the feature axis: 32, 16 or 8; the configuration's when left out." placeholder:"N"`
	Quality string `help:"Rung of the quality ladder to stay on, or auto; see fieldbrain bench ladder." default:"" placeholder:"RUNG" complete:"rung"`
}

// apply puts the flags over the configuration.
func (f engineFlags) apply(c *config.Config) {
	if f.Engine != "" {
		c.Engine.Kind = f.Engine
	}
	if f.Threads != nil {
		c.Engine.Threads = *f.Threads
	}
	if f.Step != "" {
		c.Engine.Step = f.Step
	}
	if f.Planes != nil {
		c.Engine.Planes = *f.Planes
	}
	if f.Quality != "" {
		c.Engine.Quality = f.Quality
	}
}

// over returns the configuration of a file with the flags put over it.
func (f engineFlags) over(file string) (config.Config, error) {
	settings, from, err := loadConfig(file)
	if err != nil {
		return settings, err
	}
	f.apply(&settings)
	if err := checkFlags(settings); err != nil {
		return settings, err
	}
	return settings, f.runnable(from, settings)
}

// runnable refuses an engine that this machine cannot run, as wrong use of the
// flag or, without it, as a mistake in the file.
func (f engineFlags) runnable(from string, settings config.Config) error {
	found := car.CheckEngine(settings.Engine)
	switch {
	case len(found) == 0:
		return nil
	case f.Engine != "":
		return config.Usagef("--engine %s (%s)", found[0].Reason, found[0].Remedy)
	}
	return config.Locate(from, found)
}
