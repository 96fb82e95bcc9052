// Run runs a command that finds the software CUDA driver where it looks for
// the real one: go build and go test link cgo packages against it, programs
// load it.
//
//	go run ./gpu/softcuda/run go test -tags cuda ./gpu/worker
//	go run ./gpu/softcuda/run -track SOFTCUDA_ORDER=reverse go test -tags cuda ./gpu/worker
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"

	"fieldbrain/gpu/softcuda"
)

func main() {
	var o softcuda.Options
	flag.StringVar(&o.Compiler, "compiler", "g++", "C++ compiler; aarch64-linux-gnu-g++ builds for arm64")
	flag.StringVar(&o.Sanitize, "sanitize", "", "address or undefined")
	flag.BoolVar(&o.Track, "track", false, "look at every load and store of the kernels")
	flag.Func("source", "a .cu `file` in place of gpu/kernels/fieldbrain.cu; may be repeated", func(s string) error {
		o.Sources = append(o.Sources, s)
		return nil
	})
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	code, err := run(ctx, o, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "run:", err)
	}
	stop()
	os.Exit(code)
}

// run runs the command and returns its exit status. Leading words of the form
// NAME=value are variables for it.
func run(ctx context.Context, o softcuda.Options, args []string) (int, error) {
	lib, err := softcuda.Build(ctx, o)
	if err != nil {
		return 1, err
	}
	own, args := assignments(args)
	env := append(lib.CgoEnv(), own...)
	if len(args) == 0 {
		for _, v := range append(env, "LD_LIBRARY_PATH="+lib.Dir) {
			fmt.Printf("%q\n", v)
		}
		return 0, nil
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = lib.Env(env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	if err != nil {
		return 1, err
	}
	return 0, nil
}

// assignments returns the leading words of the form NAME=value, and the rest.
func assignments(args []string) (env, rest []string) {
	for len(args) > 0 && strings.Contains(strings.SplitN(args[0], "/", 2)[0], "=") {
		env, args = append(env, args[0]), args[1:]
	}
	return env, args
}
