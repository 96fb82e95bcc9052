package pilots

import "fieldbrain/testbench/plant"

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

func bumperDefaults(plant.Profile) *bumperParams {
	return &bumperParams{Reach: 0.70, Gain: 2.4, Near: 0.22, Far: 0.60, Slow: 0.3}
}

func attractorDefaults(plant.Profile) *attractorParams {
	return &attractorParams{Strong: 20, Decay: 0.2, Pull: 1.5, Noise: 0.1, Time: 1, Forget: 0.6}
}

func histogramDefaults(plant.Profile) *histogramParams {
	return &histogramParams{
		Window: 0.8, Safe: 0.03, High: 0.10, Low: 0.6, Target: 5, Now: 2, Last: 2, Gain: 1.5, Forget: 0.6, Trust: 0.5,
	}
}

func windowDefaults(plant.Profile) *windowParams {
	return &windowParams{
		Heading: 1.5, Clear: 0.4, Fast: 0.4, Predict: 0.8, Carrot: 0.5, Brake: 0.4, Margin: 0.02, Forget: 0.6, Trust: 0.5,
	}
}

func tangentBugDefaults(plant.Profile) *tangentBugParams {
	return &tangentBugParams{Reach: 1.2, Margin: 0.03, Keep: 0.15, Gain: 1.5, Brake: 0.3, Forget: 0.6, Trust: 0.5}
}

func pursuitDefaults(plant.Profile) *pursuitParams {
	return &pursuitParams{
		Look: 0.2, Lead: 0.3, Radius: 0.2, Room: 0.03, Stop: 0.06, Brake: 0.26, Margin: 0.02, Forget: 0.6, Trust: 0.5,
	}
}

func pathIntegralDefaults(plant.Profile) *pathIntegralParams {
	return &pathIntegralParams{
		Lambda: 0.2, Near: 1, Room: 0.08, Way: 5, Turn: 0.6, Back: 3, Carrot: 0.6, Margin: 0.02, Forget: 0.6, Dark: 1,
	}
}
