package daemon_test

import (
	"strings"
	"testing"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot/safety"

	"github.com/google/go-cmp/cmp"
)

// TestHindrance: a car that stands or is slow says why and what to do.
func TestHindrance(t *testing.T) {
	const notNow = safety.Disarmed
	for _, c := range []struct {
		why  string
		s    safety.Status
		want *daemon.Hindrance
	}{
		{"drives", safety.Status{Armed: true}, nil},
		{"nobody armed it", safety.Status{Level: safety.Stopped, Causes: notNow}, &daemon.Hindrance{What: "stands: disarmed", Remedy: "fieldbrain arm"}},
		{
			"nobody armed it, and the car would refuse",
			safety.Status{Level: safety.Stopped, Causes: notNow | safety.LinkDown},
			&daemon.Hindrance{What: "stands: disarmed, and motors and sensors cannot be reached (link-down)", Remedy: "check the HAT's power switch, its battery and the bus wires, or what the condition beside it names"},
		},
		{
			"nobody armed it, and arming is refused for what would only slow the car",
			safety.Status{Level: safety.Stopped, Causes: notNow | safety.BatteryUnknown},
			&daemon.Hindrance{What: "stands: disarmed, and the battery's voltage is not known (battery-unknown)", Remedy: daemon.Remedies(safety.BatteryUnknown)},
		},
		{
			"nobody armed it, and what is ahead refuses no arming",
			safety.Status{Level: safety.Stopped, Causes: notNow | safety.Obstacle},
			&daemon.Hindrance{What: "stands: disarmed", Remedy: "fieldbrain arm"},
		},
		{
			"no guard, and so no bus",
			safety.Status{Level: safety.Stopped, Causes: notNow | safety.LinkDown | safety.Unguarded},
			&daemon.Hindrance{What: "stands: disarmed, and motors and sensors cannot be reached (link-down), nobody would stop it if the daemon died (no-guard)", Remedy: daemon.Remedies(safety.Unguarded)},
		},
		{
			"a pause disarmed it",
			safety.Status{Level: safety.Stopped, Causes: notNow, Tripped: safety.Paused | safety.LinkDown},
			&daemon.Hindrance{What: "stands: it disarmed itself, motors and sensors cannot be reached (link-down), the computer stood still for a while (paused)", Remedy: "check the HAT's power switch, its battery and the bus wires, or what the condition beside it names; arm again; if it repeats look for suspends and system load; then fieldbrain arm"},
		},
		{
			"what disarmed it is over, and something else refuses",
			safety.Status{Level: safety.Stopped, Causes: notNow | safety.RangeLost, Tripped: safety.LinkDown},
			&daemon.Hindrance{What: "stands: it disarmed itself, motors and sensors cannot be reached (link-down), and arming is refused: the sonar does not answer (range-lost)", Remedy: daemon.Remedies(safety.RangeLost) + "; then fieldbrain arm"},
		},
		{
			"the same, and what refuses would only slow the car",
			safety.Status{Level: safety.Stopped, Causes: notNow | safety.BatteryLow | safety.Obstacle, Tripped: safety.Paused},
			&daemon.Hindrance{What: "stands: it disarmed itself, the computer stood still for a while (paused), and arming is refused: the battery is low (battery-low)", Remedy: "charge the pack; then fieldbrain arm"},
		},
		{
			"what disarmed it holds, and something lesser refuses as well",
			safety.Status{Level: safety.Stopped, Causes: notNow | safety.LinkDown | safety.RangeStale, Tripped: safety.LinkDown},
			&daemon.Hindrance{What: "stands: it disarmed itself, motors and sensors cannot be reached (link-down), and arming is refused: the sonar has said nothing for a moment (range-stale)", Remedy: daemon.Remedies(safety.LinkDown) + "; then fieldbrain arm"},
		},
		{
			"what disarmed it alone refuses",
			safety.Status{Level: safety.Stopped, Causes: notNow | safety.BatteryEmpty, Tripped: safety.BatteryEmpty},
			&daemon.Hindrance{What: "stands: it disarmed itself, the battery is empty (battery-empty)", Remedy: daemon.Remedies(safety.BatteryEmpty) + "; then fieldbrain arm"},
		},
		{
			"a busy computer disarmed it",
			safety.Status{Level: safety.Stopped, Causes: notNow, Tripped: safety.LinkLate},
			&daemon.Hindrance{What: "stands: it disarmed itself, the computer was too busy for the bus (link-late)", Remedy: "the computer is too busy, no wire is at fault: end what else runs or give the daemon its real-time class, then fieldbrain arm"},
		},
		{
			"a person stopped it",
			safety.Status{Level: safety.Latched, Causes: notNow | safety.EStop, Tripped: safety.EStop},
			&daemon.Hindrance{What: "stands: somebody pressed the emergency stop (e-stop)", Remedy: "make the place safe, then fieldbrain reset and fieldbrain arm"},
		},
		{
			"the stop was reset",
			safety.Status{Level: safety.Stopped, Causes: notNow, Tripped: safety.EStop},
			&daemon.Hindrance{What: "stands: disarmed by the emergency stop, which is reset", Remedy: "fieldbrain arm"},
		},
		{
			"the stop was reset, and the car would refuse",
			safety.Status{Level: safety.Stopped, Causes: notNow | safety.StateStale, Tripped: safety.EStop},
			&daemon.Hindrance{What: "stands: disarmed, and what the sensors said last is too old (state-stale)", Remedy: "look for a blocked sampler: system load, a hung bus"},
		},
		{
			"the stop was reset, and a pause had disarmed it as well",
			safety.Status{Level: safety.Stopped, Causes: notNow, Tripped: safety.EStop | safety.Paused},
			&daemon.Hindrance{What: "stands: it disarmed itself, the computer stood still for a while (paused)", Remedy: "arm again; if it repeats look for suspends and system load; then fieldbrain arm"},
		},
		{
			"something is ahead",
			safety.Status{Armed: true, Level: safety.Hold, Causes: safety.Obstacle},
			&daemon.Hindrance{What: "does not drive forward: something is close ahead (obstacle)", Remedy: "none needed; move the obstacle if the car does not find a way"},
		},
		{
			"the worst of two",
			safety.Status{Armed: true, Level: safety.Stopped, Causes: safety.BatteryLow | safety.StateStale},
			&daemon.Hindrance{What: "stands: what the sensors said last is too old (state-stale), the battery is low (battery-low)", Remedy: "look for a blocked sampler: system load, a hung bus"},
		},
	} {
		if diff := cmp.Diff(c.want, daemon.NewHindrance(c.s, false)); diff != "" {
			t.Errorf("%s, want -, got +:\n%s", c.why, diff)
		}
	}
	got := daemon.NewHindrance(safety.Status{Level: safety.Stopped, Causes: notNow | safety.LinkDown}, true)
	if got == nil || got.Remedy != daemon.SimulatedRemedy {
		t.Errorf("a simulated car without a link: %+v, want %q", got, daemon.SimulatedRemedy)
	}
}

// TestHemmed: a car that edges hem in says so, whatever the reflexes hold against one way or the
// other, and what makes it stand more than that comes first.
func TestHemmed(t *testing.T) {
	for _, c := range []struct {
		why    string
		hemmed bool
		level  safety.Level
		causes safety.Causes
		want   string
	}{
		{"nothing", false, safety.Normal, 0, ""},
		{"between two strokes", true, safety.Normal, 0, "stands: hemmed in"},
		{"at the edge", true, safety.Hold, safety.Cliff, "stands: hemmed in"},
		{"backwards", true, safety.Limited, safety.NoWayBack | safety.BatteryLow, "stands: hemmed in"},
		{"backwards, once", false, safety.Limited, safety.NoWayBack, "does not back away: "},
		{"without a sensor", true, safety.Hold, safety.Cliff | safety.FloorStale, "does not drive forward: "},
		{"disarmed", true, safety.Stopped, safety.Disarmed, "stands: disarmed"},
	} {
		s := brain.Status{Hemmed: c.hemmed, Safety: safety.Status{Armed: !c.causes.Has(safety.Disarmed), Level: c.level, Causes: c.causes}}
		h := daemon.Hindered(&s, false)
		if h == nil && c.want == "" {
			continue
		}
		if h == nil || !strings.HasPrefix(h.What, c.want) || c.want == "" || h.Remedy == "" {
			t.Errorf("%s: %+v, want %q", c.why, h, c.want)
		}
		var page telemetry.Car
		if h.SetPage(&page); telemetry.Text(page.Hindered[:]) != h.What || telemetry.Text(page.Remedy[:]) != h.Remedy {
			t.Errorf("%s: the page cuts it off: %q, %q", c.why, telemetry.Text(page.Hindered[:]), telemetry.Text(page.Remedy[:]))
		}
	}
}
