package main

import (
	"fieldbrain/behave"
	"fieldbrain/daemon"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/testbench"
)

// behaveParts says what this build has of the parts that behaviours need: the one
// place to switch them on. Each is filled in with the part itself, and minds
// below must then obey the variant.
func behaveParts() behave.Parts {
	return behave.Parts{
		Outcome: nil,   // pattern library: B14, O8, O9; minds obey Variant.Amnesia
		Planner: false, // planner: B13; minds obey Variant.Planner
		Rungs:   nil,   // quality ladder: B15; minds obey Variant.Rung
		Save:    nil,   // persistence: B14
		Load:    nil,   // persistence: B14, S6
		Saver:   nil,   // persistence: S6
	}
}

// minds makes the brains of the behavioural suite.
func minds(config daemon.Config) behave.Maker {
	return func(s testbench.Seat, v behave.Variant) (*behave.Mind, error) {
		c := config
		if v.Engine != "" {
			c.Engine.Kind = v.Engine
		}
		c.Loop.Period = daemon.Duration(s.Period)
		m, err := newMind(c, seat{body: s.Body, clock: s.Clock, seed: s.Seed, driver: s.Params, task: taskOf(c, s.Scenario)})
		if err != nil {
			return nil, err
		}
		return &behave.Mind{Brain: m.brain, Engine: m.engine, Close: m.close}, nil
	}
}

// bareField makes engines without a brain: the processor's, or the card alone.
func bareField(c daemon.EngineConfig) func(p field.Params, isa string) (field.Engine, error) {
	return func(p field.Params, isa string) (field.Engine, error) {
		o := cpu.Options{ISA: c.Kind, Threads: c.Threads, Step: stepKind(c)}
		if c.GPU() {
			o.ISA = "auto"
		}
		if isa != "" {
			o.ISA = isa
		}
		return cpu.New(p, o)
	}
}
