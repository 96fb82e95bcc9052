package pilots

import "fieldbrain/testbench/plant"

// The numbers of every pilot and profile. `fieldbrain bench tune --pilot NAME
// --profile P0 --budget N --worlds 12 --seconds 40` found them on 2026-11-22; the
// comment at each is its budget and what its mean cost came to. Those without one
// are as they were tried by hand. docs/baselines.md has the table.

// defaults returns a pilot's numbers for a profile, nil for a name without any.
func defaults(name string, profile plant.Profile) params {
	switch name {
	case "reactive+":
		return bumperDefaults(profile)
	case "attractor":
		return attractorDefaults(profile)
	case "vfh":
		return histogramDefaults(profile)
	case "dwa":
		return windowDefaults(profile)
	case "tangentbug":
		return tangentBugDefaults(profile)
	case "astar":
		return pursuitDefaults(profile)
	case "mppi":
		return pathIntegralDefaults(profile)
	}
	return nil
}

func bumperDefaults(profile plant.Profile) *bumperParams {
	if profile == plant.P0 {
		return &bumperParams{ // by hand: with the tuned numbers it stood in corners
			Reach: 0.70, Gain: 2.4, Near: 0.22,
			Far: 0.60, Slow: 0.3,
		}
	}
	return &bumperParams{ // 19 evaluations: 0.72, was 0.89
		Reach: 0.601, Gain: 3.68, Near: 0.217,
		Far: 0.776, Slow: 0.38,
	}
}

func attractorDefaults(profile plant.Profile) *attractorParams {
	if profile == plant.P0 {
		return &attractorParams{ // 19 evaluations: 1.03, was 1.72
			Strong: 25.4, Decay: 0.189, Pull: 2.62,
			Noise: 0.413, Time: 1.44, Forget: 0.325,
		}
	}
	return &attractorParams{ // by hand: the tuned numbers were worse in other worlds
		Strong: 20, Decay: 0.2, Pull: 1.5,
		Noise: 0.1, Time: 1, Forget: 0.6,
	}
}

func histogramDefaults(profile plant.Profile) *histogramParams {
	if profile == plant.P0 {
		return &histogramParams{ // 19 evaluations: 1.37, was 1.65
			Window: 0.92, Safe: 0.0535, High: 0.0777, Low: 0.413, Target: 4.29,
			Now: 1.62, Last: 3.12, Gain: 1.8, Forget: 0.2, Trust: 0.599,
		}
	}
	return &histogramParams{ // 19 evaluations: 0.84, was 1.18
		Window: 0.717, Safe: 0.0172, High: 0.104, Low: 0.499, Target: 4.33,
		Now: 3.04, Last: 1.38, Gain: 1.44, Forget: 0.371, Trust: 0.563,
	}
}

func windowDefaults(profile plant.Profile) *windowParams {
	if profile == plant.P0 {
		return &windowParams{ // 31 evaluations: 1.13, was 1.95
			Heading: 2.04, Clear: 0.838, Fast: 0.149, Predict: 0.723, Carrot: 0.418,
			Brake: 0.1, Margin: 0.0255, Forget: 0.2, Trust: 0.169,
		}
	}
	return &windowParams{ // by hand: the tuned numbers were worse in other worlds
		Heading: 1.5, Clear: 0.4, Fast: 0.4, Predict: 0.8, Carrot: 0.5,
		Brake: 0.4, Margin: 0.02, Forget: 0.6, Trust: 0.5,
	}
}

func tangentBugDefaults(profile plant.Profile) *tangentBugParams {
	if profile == plant.P0 {
		return &tangentBugParams{ // 19 evaluations: 1.60, was 1.91
			Reach: 0.816, Margin: 0.0446, Keep: 0.184, Gain: 2.77,
			Brake: 0.372, Forget: 1.01, Trust: 0.543,
		}
	}
	return &tangentBugParams{ // by hand: the tuned numbers were worse in other worlds
		Reach: 1.2, Margin: 0.03, Keep: 0.15, Gain: 1.5,
		Brake: 0.3, Forget: 0.6, Trust: 0.5,
	}
}

func pursuitDefaults(profile plant.Profile) *pursuitParams {
	if profile == plant.P0 {
		return &pursuitParams{ // 31 evaluations: 1.16, was 1.36
			Look: 0.11, Lead: 0.448, Radius: 0.113, Room: 0.0762, Stop: 0.03,
			Brake: 0.27, Margin: 0.0416, Forget: 0.466, Trust: 0.766,
		}
	}
	return &pursuitParams{ // 31 evaluations: 0.61, was 1.00
		Look: 0.1, Lead: 0.725, Radius: 0.206, Room: 0.079, Stop: 0.0378,
		Brake: 0.389, Margin: 0.00968, Forget: 1.84, Trust: 0.397,
	}
}

func pathIntegralDefaults(profile plant.Profile) *pathIntegralParams {
	if profile == plant.P0 {
		return &pathIntegralParams{ // 31 evaluations: 1.34, was 1.90
			Lambda: 0.104, Near: 2.21, Room: 0.0966, Way: 5.7, Turn: 0.986,
			Back: 3.88, Carrot: 0.839, Margin: 0.0386, Forget: 0.529, Dark: 0.838,
		}
	}
	return &pathIntegralParams{ // by hand: the tuned numbers were worse in other worlds
		Lambda: 0.2, Near: 1, Room: 0.08, Way: 5, Turn: 0.6,
		Back: 3, Carrot: 0.6, Margin: 0.02, Forget: 0.6, Dark: 1,
	}
}
