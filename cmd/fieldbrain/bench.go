package main

// benchCmd gathers everything that measures this machine.
type benchCmd struct {
	Behave      benchBehaveCmd    `cmd:"" help:"Drive and show every behaviour of the specification, beside drivers without a field."`
	Drive       benchDriveCmd     `cmd:"" help:"Drive many generated worlds with the brain and every baseline, and compare."`
	Env         benchEnvCmd       `cmd:"" help:"Time the environments for learners from Go, C and Python, in turns."`
	Field       benchFieldCmd     `cmd:"" help:"Time the field's engines against their computed floor."`
	Fleet       benchFleetCmd     `cmd:"" help:"Time fleets of simulated cars: every engine and number of cars, beside one car per call."`
	GPU         benchGPUCmd       `cmd:"" name:"gpu" help:"Time the graphics card: every stage, every choice, and from sensors to motors."`
	Guard       benchGuardCmd     `cmd:"" help:"Kill the daemon in every way and measure how long the motors of a simulated car run on."`
	Victim      guardVictimCmd    `cmd:"" name:"guard-victim" hidden:"" help:"The daemon that bench guard kills."`
	Stand       guardStandCmd     `cmd:"" name:"guard-stand" hidden:"" help:"The simulated car of bench guard, for daemons and guards that others start."`
	Ladder      benchLadderCmd    `cmd:"" help:"Measure every rung of the quality ladder: time saved, quality lost."`
	Plan        benchPlanCmd      `cmd:"" help:"Time the planner: rays, insertion, propagation, a whole plan, and OctoMap where it is installed."`
	Rollout     benchRolloutCmd   `cmd:"" help:"Time thousands of imagined drives on every engine, beside Nav2's published algorithm."`
	Endless     saveEndlesslyCmd  `cmd:"" name:"save-endlessly" hidden:"" help:"The inside of S6."`
	Sweep       benchSweepCmd     `cmd:"" help:"Sweep while workers and server are killed, compare with an undisturbed sweep, and time what a worker costs."`
	Tune        benchTuneCmd      `cmd:"" help:"Tune the numbers of a baseline in the train worlds, so that the brain has good rivals."`
	Worth       benchWorthCmd     `cmd:"" help:"Measure what the field is worth: the same brain with a part of it taken away."`
	CrowdVictim crowdVictimCmd    `cmd:"" name:"crowd-victim" hidden:"" help:"The daemon that bench latency --crowd measures."`
	CrowdClient crowdClientCmd    `cmd:"" name:"crowd-client" hidden:"" help:"Asks it for its status."`
	CrowdLoad   crowdLoadCmd      `cmd:"" name:"crowd-load" hidden:"" help:"Makes one of the loads of bench latency --loads."`
	CrowdHog    crowdHogCmd       `cmd:"" name:"crowd-hog" hidden:"" help:"Computes."`
	Browser     crowdBrowserCmd   `cmd:"" name:"crowd-browser" hidden:"" help:"Watches what fieldbrain serve shows."`
	Observers   benchObserversCmd `cmd:"" help:"Measure what the loop's ticks take while monitors, scrapers and pages watch them."`
	Latency     benchLatencyCmd   `cmd:"" help:"Measure how late the loop wakes up, with a verdict."`
}
