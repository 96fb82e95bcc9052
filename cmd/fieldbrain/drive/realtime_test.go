package drive

import (
	"strings"
	"testing"

	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
)

// TestBusyComputerIsSaid: the result names a busy computer when that stopped the
// run, and only then.
func TestBusyComputerIsSaid(t *testing.T) {
	for _, lates := range []uint64{0, 3} {
		d := New(config.Default())
		d.lates = lates
		var out strings.Builder
		d.Describe(&out, &testbench.Result{})
		if said := strings.Contains(out.String(), "this computer was too busy: it ran the car's driver too late 3 times"); said != (lates > 0) {
			t.Errorf("%d times late: %q", lates, out.String())
		}
	}
}
