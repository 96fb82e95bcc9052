// Package manual turns a command line's model into its completion for bash, zsh
// and fish and its man page. Command line, help and manual have one source, so
// that none of them can go stale.
//
// Reading order: complete.go (what may stand next), shells.go (the shells' own
// side, a few lines each), page.go (roff).
//
// # Concurrency
//
// None: every function returns a value.
//
// # Errors
//
// Script refuses a shell that it does not know.
//
// # Source
//
// bash(1), "Programmable Completion"; zshcompsys(1); fish's complete(1);
// man(7) of groff.
package manual
