package drive_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

// TestHeld: a drive in which the reflexes kept the car standing says why; one that was
// only brought up says nothing.
func TestHeld(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	const room = "duration_s = 8\n[start]\nx = 1\ny = 1.5\n[world]\nsize = [4, 3]\nwalled = true\n"
	for _, c := range []struct {
		name, extra string
		causes      []string
		says        string
	}{
		{"nothing", "", nil, ""},
		{"empty battery", "[car]\nopen_volts = 5.8\n", []string{"battery-empty"}, "by battery-empty: the battery is empty"},
		{"low battery", "[car]\nopen_volts = 6.6\n", []string{"disarmed"}, "by disarmed: arming is refused: the battery is low (battery-low)"},
		{"tape for an edge", "[[world.floor.line]]\npoints = [[0.5, 1.5], [3, 1.5]]\nwidth = 0.2\n", []string{"disarmed"}, "arming is refused: the floor ends (cliff)\n"},
		{"slow boot", "[hat]\nboot_ms = 2000\n", []string{"link-down"}, "by link-down: motors and sensors cannot be reached"},
		{"brown-out", "[[fault]]\nkind = \"brownout\"\nfrom_s = 2\n", []string{"disarmed"}, "it disarmed itself: motors and sensors cannot be reached (link-down)"},
		{"frozen floor sensor", "[brain]\ncliff = \"on\"\n[[fault]]\nkind = \"frozen\"\nwhich = 2\nfrom_s = 2\n", []string{"floor-stale"}, "by floor-stale: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc, err := scenarios.Parse("x.toml", []byte(room+c.extra))
			if err != nil {
				t.Fatal(err)
			}
			settings := config.Default()
			if c.name == "tape for an edge" { // which a scenario that asks for cliff = "on" may not begin over
				settings.Brain.Cliff = "on"
			}
			d := drive.New(settings)
			r, err := d.Virtual(sc, 1, "brain", testbench.Options{Period: time.Duration(settings.Loop.Period)})
			if err != nil {
				t.Fatal(err)
			}
			var causes []string
			for _, h := range r.Held {
				causes = append(causes, h.Cause)
			}
			var said strings.Builder
			d.Describe(&said, r)
			if !slices.Equal(causes, c.causes) || !strings.Contains(said.String(), c.says) {
				t.Errorf("held by %v, want %v and %q:\n%s", causes, c.causes, c.says, &said)
			}
		})
	}
}
