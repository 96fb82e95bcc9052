package scenarios

// metrics are the names a limit may use, in alphabetical order, with what each
// measures. They are the numeric fields of a run's result.
var metrics = [...]struct{ name, meaning string }{
	{"bus_errors", "failed transactions on the HAT's bus"},
	{"collisions", "times the body began to touch something"},
	{"corner_wheels_past", "ms with one of the four wheels past the edge"},
	{"coverage", "share of the floor's 0.25 m cells visited"},
	{"cut_s", "from the first fault's beginning until no motor was driven, s"},
	{"distance_m", "driven, forward and backward, m"},
	{"edge_crossings", "times a floor sensor passed the edge"},
	{"edge_latency_s", "from a sensor past the edge to the motors stopped, s"},
	{"edge_leave_s", "from a sensor past the edge to all sensors back, s"},
	{"edge_stop_m", "way from a sensor past the edge to standstill, m"},
	{"exit_s", "until the body left the region, s"},
	{"faults", "injected events that struck"},
	{"goal_s", "until the goal was reached, s"},
	{"halt_s", "from the first fault's beginning until the car stood, s"},
	{"idle_stops", "standstills of 0.5 s with 0.5 m free ahead"},
	{"lateral_max_m", "largest distance from the middle of the corridor, m"},
	{"lateral_rms_m", "distance from the middle of the corridor, root mean square, m"},
	{"line_lost_s", "longest time without any sensor over the line, s"},
	{"line_max_m", "largest distance of the middle sensor from the line, m"},
	{"line_rms_m", "distance of the middle sensor from the line, root mean square, m"},
	{"min_clearance_m", "smallest distance of the body from anything, m"},
	{"path_ratio", "way to the goal over the straight line"},
	{"resets", "times the driver reset the HAT's controller"},
	{"resumed_m", "driven after the standstill that a fault led to, without a new arming, m"},
	{"reversals_per_s", "changes of the steering's direction by more than 4 deg, 1/s"},
	{"steering_dps", "total variation of the steering, deg/s"},
	{"stops", "standstills of 0.3 s after moving"},
	{"stuck", "times 10 s passed without 0.15 m of progress"},
	{"throttle_steps", "steps of the speed above 20 % within 20 ms, brakes left out"},
	{"wheels_past", "ms with a wheel of the bicycle model past the edge"},
}

// Metrics lists the names a limit may use.
func Metrics() []string {
	names := make([]string, len(metrics))
	for i := range metrics {
		names[i] = metrics[i].name
	}
	return names
}

// Meaning says what a metric measures and in which unit; nothing for an
// unknown one.
func Meaning(metric string) string {
	for i := range metrics {
		if metrics[i].name == metric {
			return metrics[i].meaning
		}
	}
	return ""
}
