package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon/config"
)

// findings are what a bench reports.
type findings interface {
	Print(w io.Writer) error // for people
}

// hand prints findings, as text or as JSON. It fails where the bench found something
// wrong: they say what.
func hand(e *env, r findings, asJSON, sound bool) error {
	var err error
	if asJSON {
		err = printJSON(e, r)
	} else {
		err = r.Print(e.out)
	}
	if err == nil && !sound {
		return errSilent
	}
	return err
}

// untilSignal returns a context that INT and TERM end, and HUP, unless it is ignored as
// under nohup; and what gives these signals back.
func untilSignal() (context.Context, context.CancelFunc) {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		ends = append(ends, syscall.SIGHUP)
	}
	return signal.NotifyContext(context.Background(), ends...)
}

// pageFlags belong to commands that write a page for docs.
type pageFlags struct {
	Date    string `help:"The date in that report; today's when left out." placeholder:"YYYY-MM-DD"`
	Machine string `help:"What that report calls this machine." placeholder:"TEXT"`
}

// machine returns what the page calls this machine.
func (f pageFlags) machine() string {
	if f.Machine != "" {
		return f.Machine
	}
	return fmt.Sprintf("machine with %d processors, %s", runtime.NumCPU(), runtime.GOARCH)
}

// checkDate refuses a page's date that is none.
func checkDate(date string) error {
	if _, err := time.Parse(time.DateOnly, date); date != "" && err != nil {
		return fmt.Errorf("--date %q: write it as 2006-01-02", date)
	}
	return nil
}

// orToday returns a page's date.
func orToday(date string) string {
	if date != "" {
		return date
	}
	return time.Now().UTC().Format(time.DateOnly)
}

// checkSeeds refuses a number of seeds that no bench can drive.
func checkSeeds(n int) error {
	if n < 0 || n > 1000 {
		return fmt.Errorf("--seeds %d: choose 0 to 1000", n)
	}
	return nil
}

// A spelt is a flag as a page repeats it to its readers.
type spelt struct {
	given bool
	text  string // from the space before it
}

// commandLine returns the command that made a page, with the flags that were given.
func commandLine(command string, flags []spelt) string {
	for _, f := range flags {
		if f.given {
			command += f.text
		}
	}
	return command
}

// drivingEngine names the engine that steps the field of judged runs.
func drivingEngine(settings config.Config) (string, error) {
	if settings.Engine.Kind != "cuda" {
		return car.EngineName(settings)
	}
	card, err := probeCard(settings.Engine.GPUPath)
	return fmt.Sprintf("cuda/%s/%s", card, settings.Engine.Step), err
}
