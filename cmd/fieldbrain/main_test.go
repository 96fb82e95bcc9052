package main

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"fieldbrain/gpu/fake"
	"fieldbrain/robot/picarx"
	"fieldbrain/testbench/tier"
)

// TestMain lets the scripts call the program under its own name, and tests start
// it in place of a graphics card's program.
func TestMain(m *testing.M) {
	if code, is := fake.Main(); is {
		os.Exit(code)
	}
	testscript.Main(m, map[string]func(){
		"fieldbrain": func() { os.Exit(start(os.Args[1:])) },
	})
}

// TestScripts runs the command line as a user does; the scripts are its prose.
func TestScripts(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		t.Log(tier.Mark + "not where hang-ups are ignored, as under nohup: that a terminal that closes ends the program")
	}
	scripts(t, "testdata/script")
}

// TestSingleScripts runs those of commands that one goroutine answers, or a few whose
// packages run under the race detector themselves (suite, recording, replay).
func TestSingleScripts(t *testing.T) {
	tier.Alone(t, "one goroutine answers, or those of packages that the detector sees by themselves")
	scripts(t, "testdata/single")
}

// TestDrivenScripts runs those that drive or train for long.
func TestDrivenScripts(t *testing.T) {
	tier.Heavy(t, "a behaviour with all its drivers, every rung, a flight ring gone round, a training, a sweep")
	tier.Alone(t, "a behaviour with all its drivers, every rung, a flight ring gone round, a training, a sweep")
	folder := filepath.Dir(buildNATS(t))
	t.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
	scripts(t, "testdata/driven")
}

// scripts runs the scripts of a folder, side by side.
func scripts(t *testing.T, folder string) {
	t.Helper()
	testscript.Run(t, testscript.Params{
		Dir: folder,
		Setup: func(e *testscript.Env) error {
			e.Setenv("TMPDIR", e.WorkDir) // its private control sockets
			e.Setenv("XDG_RUNTIME_DIR", "")
			e.Setenv("RUNTIME_DIRECTORY", "")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits,
		},
		Condition: condition,
	})
}

// condition tells the scripts what they depend on: gpio, that this machine may be
// a robot; hup, that a hang-up reaches programs, which under nohup it does not.
func condition(name string) (bool, error) {
	switch name {
	case "gpio":
		_, err := os.Stat("/dev/gpiochip0")
		return err == nil, nil
	case "hup":
		return !signal.Ignored(syscall.SIGHUP), nil
	}
	return false, fmt.Errorf("condition %q is not known: gpio and hup are", name)
}

// TestUnit: every command of the service unit is one that this program has.
func TestUnit(t *testing.T) {
	found := map[string]string{}
	for line := range strings.Lines(read(t, "systemd/fieldbrain.service")) {
		key, command, is := strings.Cut(strings.TrimSpace(line), "=/usr/bin/fieldbrain ")
		if !is {
			continue
		}
		found[key] = command
		if _, err := newParser(&env{}).Parse(strings.Fields(command)); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	if found["ExecStopPost"] != "halt" || found["ExecStart"] == "" {
		t.Errorf("commands %v: want a start, and a reset of the HAT after every end", found)
	}
}

// TestWebUnit: the page's unit starts what this program has, under a user of its own,
// and lets nobody but this machine in.
func TestWebUnit(t *testing.T) {
	unit := read(t, "systemd/fieldbrain-web.service")
	_, command, _ := strings.Cut(unit, "\nExecStart=/usr/bin/fieldbrain ")
	command, _, _ = strings.Cut(command, "\n")
	if _, err := newParser(&env{}).Parse(strings.Fields(command)); err != nil || !strings.HasPrefix(command, "serve --token ") {
		t.Errorf("%q: %v", command, err)
	}
	for _, want := range []string{"User=fieldbrain-web", "SupplementaryGroups=fieldbrain", "IPAddressDeny=any", "IPAddressAllow=localhost", "CapabilityBoundingSet=\n", "NoNewPrivileges=yes", "ProtectSystem=strict"} {
		if !strings.Contains(unit, "\n"+want) {
			t.Errorf("the unit lacks %s", want)
		}
	}
	if !strings.Contains(read(t, "systemd/fieldbrain.conf"), "\nu fieldbrain-web ") {
		t.Error("nobody makes the unit's user")
	}
}

// TestDeviceRules: rules and unit open the adapter that the HAT is on, whichever
// known board it is, and no other.
func TestDeviceRules(t *testing.T) {
	adapters := ""
	for line := range strings.Lines(read(t, "systemd/70-fieldbrain.rules")) {
		if strings.Contains(line, `"i2c-dev"`) && !strings.HasPrefix(line, "#") {
			_, adapters, _ = strings.Cut(line, `KERNELS=="`)
			adapters, _, _ = strings.Cut(adapters, `"`)
			if !strings.Contains(line, `SYMLINK+="fieldbrain-i2c"`) {
				t.Errorf("the adapter has no name for the unit: %s", line)
			}
		}
	}
	named := strings.Split(adapters, "|")
	for _, h := range picarx.Headers() {
		want := h.Adapter
		switch h.Name { // they call it i2c-1, as other boards call others
		case "pi-3":
			want = "3f804000.i2c"
		case "pi-4":
			want = "fe804000.i2c"
		case "pi-5":
			want = "1f00074000.i2c"
		}
		if !slices.Contains(named, want) {
			t.Errorf("%s: %s is not among %q", h.Name, want, named)
		}
	}
	if len(named) != 4 || strings.ContainsAny(adapters, "*?") {
		t.Errorf("the rule names %q, want four adapters", named)
	}
	unit := read(t, "systemd/fieldbrain.service")
	if strings.Contains(unit, "char-i2c") || !strings.Contains(unit, "\nDeviceAllow=/dev/fieldbrain-i2c rw\n") {
		t.Error("the unit opens other I2C adapters, or not the HAT's")
	}
	if strings.Contains(unit, "\nProtectProc=") {
		t.Error("the unit hides the threads of others, which misses names (daemon/forensics, census)")
	}
}

// exits CODE COMMAND ARGS... demands an exit code, which testscript's own exec
// cannot.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS...")
	}
	err := ts.Exec("sh", append([]string{"-c", `want=$1; shift; "$@"; got=$?; ` +
		`[ $got = $want ] || { echo "exit code $got, want $want" >&2; exit 1; }`, "sh"}, args...)...)
	ts.Check(err)
}
