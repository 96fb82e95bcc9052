// Package monitor is fieldbrain's full-screen monitor: state and why the car stands,
// histograms of every stage, the last minute, sensors, motors, the field as a heat map
// and the belief about the floor, on a terminal of any size. It also takes keys: they
// give orders, and go back through the flight ring.
//
// Reading order: monitor.go (Show draws again and again), scene.go and history.go
// (what is read of page and ring), layout.go (which panel gets which rows), one file a
// panel, keys.go, canvas.go (text within a rectangle), terminal.go.
//
// # Concurrency
//
// Show draws and reads in the goroutine that calls it; orders run in goroutines of
// their own. The monitor reads the page's and the ring's files and nothing else of the
// daemon, so that a dead one shows as well as a living one. A Scrollback serves any
// number of goroutines.
//
// # Errors
//
// Show returns an error where the terminal cannot be drawn on: the caller prints
// lines instead. A page that cannot be read, or lies, is a line of the picture.
//
// # Units
//
// SI inside; lengths of time are shown as ns, us, ms or s, bearings in degrees.
//
// # Source
//
// Cells, keys and sizes of terminals: github.com/gdamore/tcell. No colour:
// https://no-color.org.
package monitor
