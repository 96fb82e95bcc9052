package doctor

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
	"fieldbrain/files"
)

// Status values of a Result.
const (
	OK   = "ok"   // as it should be
	Warn = "warn" // works, but worse than it could
	Fail = "fail" // will not work
)

// A Result is what one check found.
type Result struct {
	Name   string `json:"name"`             // of the check
	Status string `json:"status"`           // OK, Warn or Fail
	Found  string `json:"found"`            // what the check saw
	Cause  string `json:"cause,omitempty"`  // why that is not right
	Remedy string `json:"remedy,omitempty"` // what to do
}

// A Chip is a GPIO chip of the machine.
type Chip struct {
	Path  string // "/dev/gpiochip0"
	Label string // "tegra234-gpio"
}

// A Machine is everything the checks look at. A check skips a probe that is nil.
type Machine struct {
	Root       string        // where the file tree begins, "/" for the real one
	Config     config.Config // in force; meaningful when ConfigErr is nil
	ConfigFrom string        // the file it came from, or "built-in defaults"
	ConfigErr  error         // why it is not valid
	Engine     string        // the engine that would be chosen
	EngineErr  error         // why none can be
	Privileged bool          // root looks: for the real car, rights are judged by the service's unit and user

	GPU     func() (string, error)               // asks the graphics card's program for the card; ErrNoProgram when there is none
	FIFO    func() *loop.Condition               // tries the real-time class
	Lock    func() *loop.Condition               // tries the memory lock
	Limits  func() error                         // resource limits that are too low for the daemon
	Chips   func() ([]Chip, error)               // lists GPIO chips
	Access  func(path string) error              // whether a device may be read and written
	Major   func(path string) (uint32, error)    // the number of a device node's driver
	Pad     func(address uint32) (uint32, error) // reads a Jetson's pad register, as root
	Free    func(path string) (uint64, error)    // bytes free on the path's disk
	Daemon  func() error                         // whether a daemon answers
	Running func() int                           // the process of the daemon that answers, 0 without one
	Guard   func() (string, error)               // what fieldbrain-guard says of itself
	Link    func() (Link, error)                 // what daemon and guard say of the HAT; an error where one may run that does not say
	Probe   func(bus string, addr int) error     // reads one byte; only when the user asked for it
}

// A Check is one named look at the machine.
type Check struct {
	Name string
	Look func(m *Machine) Result // its Result needs no Name
}

// Checks returns all checks in the order people should read them.
func Checks() []Check {
	return []Check{
		{"configuration", configuration},
		{"engine", engine},
		{"graphics card", card},
		{"card rights", cardRights},
		{"realtime class", fifo},
		{"memory lock", memory},
		{"limits", limits},
		{"realtime kernel", kernel},
		{"realtime budget", budget},
		{"isolated processors", isolated},
		{"clock", clock},
		{"governor", governor},
		{"power mode", powerMode},
		{"temperature", temperature},
		{"disk", disk},
		{"header", header},
		{"i2c", i2c},
		{"gpio", gpio},
		{"pinmux", pinmux},
		{"device rights", rights},
		{"hat", hat},
		{"guard", guarded},
		{"sleep", sleeping},
		{"hardware watchdog", watchdog},
		{"kernel panic", panics},
		{"daemon", running},
	}
}

// Examine runs every check.
func Examine(m *Machine) []Result {
	checks := Checks()
	results := make([]Result, len(checks))
	for i, c := range checks {
		results[i] = c.Look(m)
		results[i].Name = c.Name
	}
	return results
}

// Healthy reports whether no check failed; warnings are healthy.
func Healthy(results []Result) bool {
	for _, r := range results {
		if r.Status == Fail {
			return false
		}
	}
	return true
}

// Print writes the results for people.
func Print(w io.Writer, results []Result) error {
	counts := map[string]int{}
	for _, r := range results {
		counts[r.Status]++
		fmt.Fprintf(w, "%-4s  %-20s %s\n", r.Status, r.Name, r.Found)
		if r.Cause != "" {
			fmt.Fprintf(w, "      cause:  %s\n", r.Cause)
		}
		if r.Remedy != "" {
			fmt.Fprintf(w, "      remedy: %s\n", r.Remedy)
		}
	}
	_, err := fmt.Fprintf(w, "%d ok, %d warnings, %d failed\n", counts[OK], counts[Warn], counts[Fail])
	return err
}

// ok, warn and fail build results.
func ok(format string, args ...any) Result {
	return Result{Status: OK, Found: fmt.Sprintf(format, args...)}
}

func warn(found, cause, remedy string) Result {
	return Result{Status: Warn, Found: found, Cause: cause, Remedy: remedy}
}

func fail(found, cause, remedy string) Result {
	return Result{Status: Fail, Found: found, Cause: cause, Remedy: remedy}
}

// path places an absolute path in the machine's tree.
func (m *Machine) path(p string) string { return filepath.Join(m.Root, p) }

// read returns a file's text without surrounding space and zero bytes. A sensor that has
// nothing to tell is an error and keeps nobody waiting.
func (m *Machine) read(p string) (string, error) {
	text, err := files.ReadKernel(os.DirFS(m.Root), strings.TrimPrefix(filepath.Clean(p), "/"))
	return strings.Trim(string(text), " \t\r\n\x00"), err
}

// glob lists the tree's paths that match, as absolute paths of the machine.
func (m *Machine) glob(pattern string) []string {
	found, _ := filepath.Glob(m.path(pattern)) // only a bad pattern is an error
	for i, f := range found {
		if rel, err := filepath.Rel(m.Root, f); err == nil {
			found[i] = "/" + rel
		}
	}
	return found
}
