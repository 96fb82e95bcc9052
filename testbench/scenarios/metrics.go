package scenarios

// metrics are the names a limit may use, in alphabetical order, with what each
// measures. They are the numeric fields of a run's result.
var metrics = [...]struct{ name, meaning string }{
	{"barn", "navigation metric of a drive to a place: least time over time taken, the latter from 2 to 8 least times, 0 after a contact"},
	{"bus_errors", "failed transactions on the HAT's bus"},
	{"circling_s", "time in which the car moved and got nowhere: round and round, or to and fro, s"},
	{"collisions", "times the body began to touch something"},
	{"corner_wheels_past", "ms with one of the four wheels past the edge"},
	{"coverage", "share of the floor's 0.25 m cells visited"},
	{"cut_s", "from the first fault's beginning until no motor was driven, s; none where the car has not driven"},
	{"distance_m", "driven, forward and backward, m"},
	{"edge_crossings", "times a floor sensor passed the edge"},
	{"edge_latency_s", "from a sensor past the edge to the motors stopped, s"},
	{"edge_leave_s", "from a sensor past the edge to all sensors back, s"},
	{"edge_stop_m", "way from a sensor past the edge to standstill, m"},
	{"energy_j", "out of the pack, J"},
	{"exit_s", "until the body left the region, s"},
	{"falls", "1 when a wheel went past the table's edge, which ends the drive"},
	{"faults", "injected events that struck, and conditions that began"},
	{"goal_s", "until the goal was reached, s"},
	{"halt_s", "from the first fault's beginning until the car stood, s; none where it has not driven"},
	{"hardest_contact_mps", "speed at the hardest contact, m/s"},
	{"idle_stops", "standstills of 0.5 s with 0.5 m free ahead"},
	{"lateral_max_m", "largest distance from the middle of the corridor, m"},
	{"lateral_rms_m", "distance from the middle of the corridor, root mean square, m"},
	{"line_lost_s", "longest time without any sensor over the line, s"},
	{"line_max_m", "largest distance of the middle sensor from the line, m"},
	{"line_rms_m", "distance of the middle sensor from the line, root mean square, m"},
	{"min_clearance_m", "smallest distance of the body from anything, m"},
	{"oracle", "share of what the true map allows: of the least time, the line or the cells in reach"},
	{"path_ratio", "way to the goal over the straight line"},
	{"path_share", "shortest way to the place over the way driven, 0 without arrival"},
	{"progress", "share of the shortest way to the place that is behind the car at the end"},
	{"resets", "times the driver reset the HAT's controller"},
	{"resumed_m", "driven after the standstill that a fault led to, without a new arming, m"},
	{"reversals_per_s", "changes of the steering's direction by more than 4 deg, 1/s"},
	{"standing_s", "time in which the car stood for 2 s and more with something to do, s"},
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
