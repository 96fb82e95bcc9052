package behave

// entries are the behaviours in the order of part C.
func entries() []entry {
	return []entry{
		driving("B1", "obstacle avoidance, five beams", "room 4 x 3 m with six discs, 120 s", 10, "room"),
		driving("B2", "obstacle avoidance, front beam", "the same with the base kit's one beam", 10, "room-p0"),
		driving("B3", "corridor centring", "corridor 12 x 0.8 m, start displaced and turned", 10, "corridor"),
		driving("B4", "cliff stop", "edge of a table at 0 to 60 deg, 0.20 m/s", 20, "cliff"),
		driving("B5", "line following", "oval of 25 mm tape, 0.20 m/s, 40 s", 10, "line", fastLine),
		driving("B6", "dead-end escape", "U of 1.2 x 0.7 m, start inside", 10, "deadend", blindEnd),
		driving("B7", "goal seeking", "beacon behind three discs, five beams and one", 10, "goal", "goal-p0"),
		habituating(),
		noticing(),
		remembering(),
		selecting(),
		driving("B12", "smoothness", "the drives of B1 and B3", 10, "smooth", "smooth-corridor"),
		exploring(),
		learning(),
		invariant(),
		losing(),
		freezing(),
		refusing(),
		fallingOver(),
		enduring(),
		surviving(),
		predicting(),
		exploringMotor(),
		timely(),
		nearing(),
		turning(),
		repeating(),
		ramping(),
		persisting(),
		recognising(),
	}
}
