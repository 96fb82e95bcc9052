// Package config is the daemon's configuration: one strict TOML file, its
// defaults, its limits, and everything that can be wrong with it.
//
// Reading order: config.go (the settings), memory.go (one section of them),
// check.go (limits), read.go (file to Config). Package strict finds the mistakes.
//
// # Units
//
// SI throughout; durations stand in the file as text ("5ms").
//
// # Errors
//
// strict.Complaints: every mistake of a configuration at once, each with file, line,
// key, reason and remedy. UsageError: a mistake of the person at the keyboard.
// An ordinary error: the file is missing or broke while it was read.
package config
