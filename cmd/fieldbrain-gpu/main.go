//go:build cuda

// Fieldbrain-gpu is the child process of fieldbrain that owns the graphics
// processor. fieldbrain starts it; people start it to look:
//
//	fieldbrain-gpu --probe    the device, its driver, whether it sees shared memory
//	fieldbrain-gpu --arena    what lies where in the device's memory
//	fieldbrain-gpu --version  the build
//	fieldbrain-gpu --selftest the field on the card against the processor's
//	fieldbrain-gpu --fleet    simulated cars: equal to the processor's, and how fast
//	fieldbrain-gpu --tasks    likewise, environments for learners
//	fieldbrain-gpu --bench    how long everything takes; fieldbrain bench gpu adds the doorbell
//
// # Descriptors
//
// 0: a pipe that the parent holds open; its end is the child's. 3: the page, a
// sealed memfd. 4: a pipe with the gpu.Setup as JSON. Words for people go to
// standard error, the last ones say why it ended.
//
// # Exit codes
//
// 0: the parent wanted the end, or the program has printed its answer. 1: no device,
// a fault of the device, a page of another version. 2: wrong use. 127 is the dynamic
// linker's: there is no libcuda.so.1, install NVIDIA's driver.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"

	"fieldbrain/field"
	"fieldbrain/gpu/kernels"
	"fieldbrain/gpu/worker"
)

func main() {
	// A context belongs to a thread, and this is the one.
	runtime.LockOSThread()
	err := run(os.Args[1:])
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUse):
		os.Exit(2)
	default:
		fmt.Fprintln(os.Stderr, "fieldbrain-gpu:", err)
		os.Exit(1)
	}
}

// errUse stands for a mistake in the flags, which the flag package has printed already.
var errUse = errors.New("wrong use")

func run(args []string) error {
	flags := flag.NewFlagSet("fieldbrain-gpu", flag.ContinueOnError)
	probe := flags.Bool("probe", false, "describe the device and end")
	arena := flags.Bool("arena", false, "print what lies where in the device's memory and end")
	version := flags.Bool("version", false, "print the build and end")
	dense := flags.Bool("dense", false, "with --arena: of the dense step instead of the collapsed one")
	half := flags.Bool("half", false, "with --arena: of a field in half precision")
	measure := measureFlags(flags)
	if err := flags.Parse(args); err != nil {
		return errors.Join(errUse, err)
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "fieldbrain-gpu: %q is not known; try --help\n", flags.Arg(0))
		return errUse
	}
	switch {
	case *version:
		fmt.Printf("fieldbrain-gpu %s, %s, %s/%s\n", revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return nil
	case *arena:
		return printArena(*dense, *half)
	case *probe:
		return printProbe()
	case measure.wanted():
		return measure.run()
	}
	return serve()
}

// printProbe fails if this machine cannot step a field.
func printProbe() error {
	r, err := worker.Probe(kernels.Fatbin())
	if err != nil {
		return err
	}
	fmt.Print(r.String())
	return r.Kernels
}

// printArena lays the default field out for the device that is there.
func printArena(dense, half bool) error {
	d, err := worker.FindDevice()
	if err != nil {
		return err
	}
	step := field.Collapsed
	if dense {
		step = field.Dense
	}
	params := field.Default()
	program, err := kernels.NewProgram(&params, step, half, d.Card())
	if err != nil {
		return err
	}
	fmt.Print(worker.ArenaOf(program))
	return nil
}
