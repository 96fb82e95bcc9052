package monitor_test

import (
	"fmt"
	"os"

	"github.com/gdamore/tcell/v2"

	"fieldbrain/cmd/fieldbrain/monitor"
)

// A Scrollback keeps the log while a view owns the screen.
func ExampleScrollback() {
	log := &monitor.Scrollback{}
	fmt.Fprintln(log, "started, disarmed")
	fmt.Fprintln(log, "armed")
	log.Print(os.Stdout)
	// Output:
	// started, disarmed
	// armed
}

// A Monitor draws on any screen; Show draws again and again and takes keys.
func Example() {
	screen := tcell.NewSimulationScreen("UTF-8")
	if err := screen.Init(); err != nil {
		fmt.Println(err)
		return
	}
	defer screen.Fini()
	m := monitor.New(monitor.Options{Page: "/run/fieldbrain/control.page"})
	m.Draw(screen)
	screen.Show()
	cells, width, height := screen.GetContents()
	fmt.Println(len(cells), "cells", width, "x", height)
	// Output:
	// 2000 cells 80 x 25
}
