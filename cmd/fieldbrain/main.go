package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"
	"golang.org/x/sys/unix"

	"fieldbrain/daemon"
)

// Exit codes, documented in doc.go.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// cli is the command line. Field order is the order of the help text.
type cli struct {
	Run       runCmd       `cmd:"" help:"Run the daemon: drive the simulated or the real car."`
	Sim       simCmd       `cmd:"" help:"Run one scenario in virtual time and judge it."`
	Arm       armCmd       `cmd:"" help:"Let commands reach the motors."`
	Disarm    disarmCmd    `cmd:"" help:"Keep the motors inert."`
	Estop     estopCmd     `cmd:"" help:"Stop at once and stay stopped until reset."`
	Reset     resetCmd     `cmd:"" help:"Clear the emergency stop; the car stays disarmed."`
	Outcome   outcomeCmd   `cmd:"" help:"Tell the car how good what it did in the last seconds was; it remembers (brain.recall)."`
	Halt      haltCmd      `cmd:"" help:"Reset the real car's HAT: motors dead, also after the daemon crashed."`
	Status    statusCmd    `cmd:"" help:"Show the running daemon: state, degraded parts, latencies."`
	Doctor    doctorCmd    `cmd:"" help:"Check this machine: every prerequisite with cause and remedy."`
	Bench     benchCmd     `cmd:"" help:"Measure this machine."`
	Brain     brainCmd     `cmd:"" help:"Look into the saved mind, compare two, or begin anew."`
	Config    configCmd    `cmd:"" help:"Check, show or document the configuration."`
	Calibrate calibrateCmd `cmd:"" help:"Calibration of the real car."`
	Version   versionCmd   `cmd:"" help:"Print the version and how this program was built."`
}

// env is what a command may use of the world outside.
type env struct {
	out, err io.Writer
	getenv   func(string) string
	terminal bool // whether out is one
	uid      int
}

// usageError is a mistake of the person at the keyboard: exit code 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// errSilent ends with code 1 without another word: the command has said it all.
var errSilent = errors.New("see above")

func main() { os.Exit(start(os.Args[1:])) }

// start parses, runs one command and returns the exit code.
func start(args []string) int {
	e := &env{
		out: os.Stdout, err: os.Stderr, getenv: os.Getenv,
		terminal: isTerminal(os.Stdout), uid: os.Getuid(),
	}
	var c cli
	parser, err := kong.New(&c,
		kong.Name("fieldbrain"),
		kong.Description("The brain of a robot car: a neural field, stepped every 5 ms.\n\n"+
			"Exit codes: 0 done, 1 failed, 2 wrong use."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Writers(e.out, e.err),
		kong.Bind(e),
	)
	if err != nil {
		panic(err) // a malformed tag above, found by the first test run
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(e.err, "fieldbrain: %v\nTry fieldbrain --help.\n", err)
		return exitUsage
	}
	return report(e, parsed.Run())
}

// report prints a command's error and returns its exit code.
func report(e *env, err error) int {
	var usage usageError
	var complaints daemon.Complaints
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errSilent):
		return exitFailed
	case errors.As(err, &complaints):
		fmt.Fprintln(e.err, complaints.Error())
		return exitUsage
	case errors.As(err, &usage):
		fmt.Fprintf(e.err, "fieldbrain: %v\n", err)
		return exitUsage
	}
	fmt.Fprintf(e.err, "fieldbrain: %v\n", err)
	return exitFailed
}

// isTerminal reports whether a file is a terminal that a person looks at.
func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}
