// Package view draws the live view of a running car on a terminal: state,
// latencies, the heading field, the simulated world from above, the newest log
// lines, and first of all why the car stands. It fits every size of terminal.
//
// Reading order: view.go (Show draws the picture again and again), frame.go (it
// deals out the rows), map.go, terminal.go (size and keys), scrollback.go.
//
// # Concurrency
//
// Show runs in a goroutine of the ordinary class and reads keys in another. It
// reads published copies and never touches the loop. A Scrollback serves any
// number of goroutines.
//
// # Errors
//
// None: a terminal that has gone ends the view, and the car drives on.
//
// # Source
//
// Control sequences: ECMA-48; the alternate screen: xterm's ctlseqs.
package view
