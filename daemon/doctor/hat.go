package doctor

import (
	"cmp"

	"fieldbrain/robot"
)

// A Link is what is known of the HAT without asking it. The zero Link is that of a
// machine on which nobody owns its bus and its reset line.
type Link struct {
	State  string // by the daemon that owns the bus, as in robot.Link: "up", "degraded", "late" or "down"; "" without one
	Why    string // the daemon's words on one that is not up
	Remedy string // and its remedy
	Held   bool   // no daemon, but a guard, which keeps the HAT in reset
}

// remedyHat is for a HAT that is not heard.
const remedyHat = "switch the HAT on, charge the battery (above 6.6 V), check SDA, SCL and ground; with a HAT that is on, its reset line (pin 29) has to be high"

// hat says whether the HAT answers. The daemon owns the bus: where one runs, it is
// asked; else one byte is read, if the user asked for that.
func hat(m *Machine) Result {
	if !m.robot() {
		return ok("not needed for the simulated car")
	}
	var link Link
	var err error
	if m.Link != nil {
		link, err = m.Link()
	}
	why := cmp.Or(link.Why, "it has only begun, or does not say why")
	remedy := cmp.Or(link.Remedy, "look again in some seconds; "+remedyHat)
	switch link.State {
	case "":
	case robot.LinkUp.String():
		return ok("answers: the daemon's link to it is up")
	case robot.LinkDown.String():
		return fail("the daemon's link to it is down", why, remedy)
	default:
		return warn("the daemon's link to it is "+link.State, why, remedy)
	}
	switch {
	case m.Probe == nil:
		return ok("not probed (--probe reads one byte from it where no daemon and no guard runs)")
	case err != nil:
		return warn("not probed: a daemon may own its bus", err.Error(), "sudo fieldbrain doctor --body picarx, with the --socket of the daemon that runs")
	case link.Held:
		return warn("not probed: held in reset by the guard", "no daemon drives, and fieldbrain-guard keeps the reset line low: the HAT answers nobody",
			"sudo systemctl start fieldbrain, which raises the line and stays disarmed; then this command says whether the HAT answers")
	}
	return probed(m)
}

// probed reads one byte from the HAT.
func probed(m *Machine) Result {
	dev, err := m.bus()
	if err != nil {
		return fail("no bus to probe", err.Error(), "see i2c above")
	}
	addresses := []int{0x14, 0x15}
	if n := m.Config.Body.HatAddress; n != 0 {
		addresses = []int{n}
	}
	var refused error
	for _, n := range addresses {
		refused = m.Probe(m.path(dev), n)
		switch {
		case refused != nil:
		case n == 0x15 && len(addresses) > 1:
			return fail("it answers at 0x15 alone on "+dev, "the vendor lists V5 there, whose motors a V4's commands would brake",
				"fit a V4 HAT; where V4 is printed on this one, write hat_address = 21 in [body]")
		default:
			return ok("answers at %#x on %s", n, dev)
		}
	}
	return fail("no answer on "+dev, refused.Error(), remedyHat)
}
