// Command fieldbrain-nats is the server of a sweep: NATS with JetStream, its streams in
// a folder. fieldbrain sweep starts it beside itself and ends it; by hand it serves
// sweeps and workers elsewhere.
//
// Usage:
//
//	fieldbrain-nats [-out FOLDER] [-listen HOST:PORT] [-server-config FILE]
//
// It prints its address, token included, and serves until a signal. Exit codes: 0 done,
// 1 failed, 2 wrong use.
package main

import (
	"os"

	"fieldbrain/testbench/sweep/server"
)

func main() { os.Exit(server.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
