package view_test

import (
	"fmt"
	"os"

	"fieldbrain/cmd/fieldbrain/view"
)

// A Scrollback keeps the log while the view owns the screen.
func ExampleScrollback() {
	log := &view.Scrollback{}
	fmt.Fprintln(log, "started, disarmed")
	fmt.Fprintln(log, "armed")
	log.Print(os.Stdout)
	// Output:
	// started, disarmed
	// armed
}
