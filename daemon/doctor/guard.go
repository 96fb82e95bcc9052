package doctor

import (
	"errors"
	"fmt"
	"strings"
)

// ErrHidden says that a guard looks after the daemon and that its socket is gone.
var ErrHidden = errors.New("it looks after the daemon, and its socket is gone")

// guarded asks the process that stops the car when the daemon cannot.
func guarded(m *Machine) Result {
	if !m.robot() || m.Guard == nil {
		return ok("not needed for the simulated car")
	}
	said, err := m.Guard()
	switch {
	case errors.Is(err, ErrHidden):
		return fail("it runs, and nobody but its daemon reaches it", err.Error(),
			"its folder has to be there and its own: then it makes its sockets anew within a second; its journal says what keeps it from that. Once the car stands: sudo systemctl restart fieldbrain-guard")
	case err != nil:
		return fail("no guard", err.Error()+": the car does not arm without it",
			"sudo systemctl restart fieldbrain-guard; where it is not installed: make guard, sudo make install")
	}
	facts := map[string]string{}
	for _, word := range strings.Fields(said) {
		key, value, _ := strings.Cut(word, "=")
		facts[key] = value
	}
	var priority int
	_, err = fmt.Sscan(facts["priority"], &priority)
	wanted := m.Config.Loop.Priority
	switch {
	case facts["line"] != "1" && facts["daemon"] == "0":
		return fail("it does not hold the reset line", "another program held the line when the guard started", "gpioinfo names it; end it, then sudo systemctl restart fieldbrain-guard")
	case err == nil && priority == 0:
		cause, remedy := m.refused(m.process("fieldbrain-guard"), max(60, wanted+1), "fieldbrain-guard.service")
		return warn("no real-time priority", fmt.Sprintf("%s: a loop that spins at %d could keep the guard from running", cause, wanted), remedy)
	case err != nil || priority <= wanted:
		return warn("real-time priority "+facts["priority"], fmt.Sprintf("the loop has %d: one that spins could keep the guard from running", wanted),
			fmt.Sprintf("set LimitRTPRIO=%d in fieldbrain-guard.service, or a lower loop.priority", max(60, wanted+1)))
	case facts["locked"] != "1":
		return warn("its memory is not locked", "a page fault can delay it", "set LimitMEMLOCK=infinity in fieldbrain-guard.service")
	}
	return ok("holds the reset line of header %s, real-time priority %d; since it started it has stopped the car %s times (newest cause: %s)",
		facts["header"], priority, facts["trips"], facts["cause"])
}
