package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
)

// Exit codes, documented in doc.go.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// cli is the command line. Field order is the order of the help text.
type cli struct {
	ShowVersion versionFlag `name:"version" short:"v" help:"Print the version and end."`

	Run       runCmd       `cmd:"" help:"Run the daemon: drive the simulated or the real car."`
	Sim       simCmd       `cmd:"" help:"Run one scenario in virtual time and judge it."`
	Record    recordCmd    `cmd:"" help:"Begin and end recordings of the running daemon."`
	Replay    replayCmd    `cmd:"" help:"Let a recorded brain tick again and compare, bit for bit."`
	Export    exportCmd    `cmd:"" help:"Make a table, pictures or one whole file of a recording."`
	Arm       armCmd       `cmd:"" help:"Let commands reach the motors."`
	Disarm    disarmCmd    `cmd:"" help:"Keep the motors inert."`
	Go        goCmd        `cmd:"" help:"Tell the armed car where to go: explore, line, goal X Y, home, hold or manual."`
	Set       setCmd       `cmd:"" help:"Change a parameter while the car drives: cruise speed, goal tolerance, quality, bounds of a manual drive."`
	Drive     driveCmd     `cmd:"" help:"Drive the car yourself, with a gamepad; the reflexes stay on."`
	Estop     estopCmd     `cmd:"" help:"Stop at once and stay stopped until reset."`
	Reset     resetCmd     `cmd:"" help:"Clear the emergency stop; the car stays disarmed."`
	Outcome   outcomeCmd   `cmd:"" help:"Judge the last seconds of driving, good or bad; the car remembers it (brain.recall)."`
	Halt      haltCmd      `cmd:"" help:"Reset the real car's HAT: motors dead, also after the daemon crashed."`
	Status    statusCmd    `cmd:"" help:"Show the running daemon: state, degraded parts, latencies."`
	Top       topCmd       `cmd:"" help:"Watch a run, or see how a dead one ended, through its page."`
	Misses    missesCmd    `cmd:"" help:"Say why ticks missed their deadlines: one sentence and its evidence for each."`
	Serve     serveCmd     `cmd:"" help:"Show a run to browsers on this machine, and to Prometheus; a process of its own."`
	Doctor    doctorCmd    `cmd:"" help:"Check this machine: every prerequisite with cause and remedy."`
	Bench     benchCmd     `cmd:"" help:"Measure this machine."`
	Brain     brainCmd     `cmd:"" help:"Look into the saved brain, compare two, or begin anew."`
	Scenario  scenarioCmd  `cmd:"" help:"Write, check and show worlds of the simulator."`
	Train     trainCmd     `cmd:"" help:"Let a small network learn to drive, in a fleet of simulated cars; sim --pilot lets it drive."`
	Tune      tuneCmd      `cmd:"" help:"Tune the numbers by which the brain drives, in worlds of the train set, and examine them in others."`
	Sweep     sweepCmd     `cmd:"" help:"Drive thousands of jobs on all processors, or on many machines: worlds, seeds, parameters, engines."`
	Config    configCmd    `cmd:"" help:"Check, show or document the configuration."`
	Calibrate calibrateCmd `cmd:"" help:"Calibration of the real car."`
	Version   versionCmd   `cmd:"" help:"Print the version and how this program was built."`

	Help       helpCmd       `cmd:"" help:"Show help; behind it a command, that command's."`
	Completion completionCmd `cmd:"" help:"Print the completion of a shell: bash, zsh or fish."`
	Man        manCmd        `cmd:"" help:"Print the man page."`
	Complete   completeCmd   `cmd:"" hidden:"" help:"Complete a command line for the shells' scripts."`
}

// env is the part of the world outside that a command may use.
type env struct {
	out, err io.Writer
	getenv   func(string) string
	terminal bool // whether out is one
	uid      int
}

// errSilent ends with code 1 without another word: the command has said it all.
var errSilent = errors.New("see above")

func main() { os.Exit(start(os.Args[1:])) }

// start parses, runs one command and returns the exit code.
func start(args []string) int {
	e := &env{
		out: newOutlet(os.Stdout), err: os.Stderr, getenv: os.Getenv,
		terminal: isTerminal(os.Stdout), uid: os.Getuid(),
	}
	parser := newParser(e)
	if len(args) == 0 {
		return explain(e, parser, nil)
	}
	parsed, err := parser.Parse(negative(args))
	if err != nil {
		return refuse(e, parser, err)
	}
	if err := errors.Join(checkText(parsed, args), checkEmpty(parsed)); err != nil {
		return report(e, err)
	}
	return report(e, parsed.Run())
}

// newParser returns the parser of the command line.
func newParser(e *env) *kong.Kong {
	parser, err := kong.New(new(cli),
		kong.Name("fieldbrain"),
		kong.Description("The brain of a robot car: a neural field, stepped every 5 ms.\n\n"+
			"Exit codes: 0 done, 1 failed, 2 wrong use."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Writers(e.out, e.err),
		kong.Bind(e),
		wholeNumbers(),
	)
	if err != nil {
		panic(err) // a malformed tag above, found by the first test run
	}
	return parser
}

// refuse names the mistake in a command line. For a group of commands without one
// of them it explains the group.
func refuse(e *env, parser *kong.Kong, err error) int {
	if e.lost() != nil { // --help could not be printed
		return report(e, nil)
	}
	var wrong *kong.ParseError
	if errors.As(err, &wrong) && wrong.Context.Error == nil {
		if at := wrong.Context.Selected(); at != nil && len(at.Children) > 0 {
			return explain(e, parser, strings.Fields(at.Path()))
		}
	}
	about := ""
	if wrong != nil && wrong.Context.Selected() != nil {
		about = " " + wrong.Context.Selected().Path()
	}
	fmt.Fprintf(e.err, "fieldbrain: %s\nTry fieldbrain help%s.\n", daemon.Printable(complaint(err)), about)
	return exitUsage
}

// explain prints the help of a group of commands, or of the program, for a user
// who named none of them.
func explain(e *env, parser *kong.Kong, group []string) int {
	parser.Stdout = e.err // the user did not ask for help
	at, err := kong.Trace(parser, group)
	if err == nil {
		err = at.PrintUsage(false)
	}
	if err != nil {
		fmt.Fprintf(e.err, "fieldbrain: %v\n", err)
	}
	return exitUsage
}

// report prints a command's error and returns its exit code.
func report(e *env, err error) int {
	var usage config.UsageError
	var complaints config.Complaints
	if lost := e.lost(); lost != nil && (err == nil || errors.Is(err, errSilent)) {
		err = lost
	}
	err = withRoom(err)
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errSilent):
		return exitFailed
	case errors.As(err, &complaints) && complaints[0].File == "": // what wraps them says of what
		fmt.Fprintf(e.err, "fieldbrain: %s\n", daemon.Printable(err.Error()))
		return exitUsage
	case errors.As(err, &complaints):
		fmt.Fprintln(e.err, daemon.Printable(complaints.Error()))
		return exitUsage
	case errors.As(err, &usage):
		fmt.Fprintf(e.err, "fieldbrain: %s\n", daemon.Printable(err.Error()))
		return exitUsage
	}
	fmt.Fprintf(e.err, "fieldbrain: %s\n", daemon.Printable(err.Error()))
	return exitFailed
}

// isTerminal reports whether a file is a terminal that a person looks at.
func isTerminal(f *os.File) bool {
	return term.IsTerminal(int(f.Fd()))
}
