package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/cmd/fieldbrain/service"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/doctor"
	"fieldbrain/daemon/guard"
	"fieldbrain/daemon/loop"
	"fieldbrain/gpu"
)

type doctorCmd struct {
	Config string `help:"Configuration file; without it /etc/fieldbrain/fieldbrain.toml if that exists, else the defaults." placeholder:"FILE"`
	Body   string `help:"Check for this body: sim or picarx; the configuration's when left out." enum:",sim,picarx" default:"" placeholder:"KIND"`
	Probe  bool   `help:"Read one byte from the HAT, where no daemon owns its bus and no guard keeps it in reset."`
	JSON   bool   `help:"Print one JSON object." name:"json"`
	socketFlag
}

// diagnosis is the JSON form of the result.
type diagnosis struct {
	Healthy bool            `json:"healthy"`
	Checks  []doctor.Result `json:"checks"`
}

// Run examines this machine: 0 when nothing failed, 1 otherwise.
func (c doctorCmd) Run(e *env) error {
	settings, from, err := loadConfig(c.Config)
	if err != nil {
		settings = config.Default()
	}
	if c.Body != "" {
		settings.Body.Kind = c.Body
	}
	if err == nil {
		err = car.Preflight(from, settings, settings.Body.Kind)
	}
	m := doctor.Local(settings)
	m.ConfigFrom, m.ConfigErr = from, err
	m.Engine, m.EngineErr = car.EngineName(settings)
	m.GPU = func() (string, error) { return probeCard(settings.Engine.GPUPath) }
	if c.Socket == "" {
		c.Socket = settings.Control.Socket
	}
	m.Daemon = func() error {
		_, err := c.call(e, "status")
		return err
	}
	m.Running = func() int {
		answer, err := daemon.Call(context.Background(), c.path(e), daemon.Request{Command: "status"})
		if err != nil || answer.Status == nil || answer.Status.Body != settings.Body.Kind {
			return 0
		}
		return answer.Status.PID
	}
	m.Guard = func() (string, error) { return c.askGuard(e, car.GuardSocket(settings.Body)) }
	m.Link = func() (doctor.Link, error) { return c.link(e, car.GuardSocket(settings.Body)) }
	if c.Probe {
		m.Probe = doctor.ReadByte
	}
	results := doctor.Examine(m)
	healthy := doctor.Healthy(results)
	if c.JSON {
		err = printJSON(e, diagnosis{Healthy: healthy, Checks: results})
	} else {
		err = doctor.Print(e.out, results)
	}
	if err == nil && !healthy {
		return errSilent
	}
	return err
}

// askGuard asks the guard what it says of itself. Of one whose socket is gone only the
// daemon knows that it looks: it has no condition guard, or one that names the socket.
func (c doctorCmd) askGuard(e *env, socket string) (string, error) {
	said, err := guard.Ask(socket, "status")
	if !errors.Is(err, guard.ErrNone) {
		return said, err
	}
	answer, failed := daemon.Call(context.Background(), c.path(e), daemon.Request{Command: "status"})
	if failed == nil && answer.Status != nil && attended(answer.Status) {
		return "", fmt.Errorf("%s: %w", socket, doctor.ErrHidden)
	}
	return said, err
}

// attended reports whether a guard looks at the daemon of a real car.
func attended(s *daemon.Status) bool {
	return s.Body == "picarx" && !slices.ContainsFunc(s.Conditions, func(c loop.Condition) bool { return c.Name == "guard" })
}

// probeCard asks the graphics card's program; a driver that has to wake a card
// takes seconds, one that has to compile the kernels more.
func probeCard(path string) (string, error) {
	if _, err := gpu.Find(path); err != nil {
		return "", fmt.Errorf("%w: %w", doctor.ErrNoProgram, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), gpu.StartTime)
	defer cancel()
	return gpu.Probe(ctx, path)
}

// link asks the daemon, and where none owns the bus the guard, what becomes of the HAT.
func (c doctorCmd) link(e *env, socket string) (doctor.Link, error) {
	answer, err := daemon.Call(context.Background(), c.path(e), daemon.Request{Command: "status"})
	switch {
	case err == nil && answer.Status != nil && answer.Status.Body == "picarx":
		return heard(answer.Status), nil
	case err != nil && !errors.Is(err, daemon.ErrNoDaemon):
		return doctor.Link{}, err
	}
	said, err := guard.Ask(socket, "status")
	if errors.Is(err, guard.ErrNone) {
		return doctor.Link{}, nil
	}
	words := strings.Fields(said)
	i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "daemon=") && w != "daemon=0" })
	if err == nil && i >= 0 {
		err = fmt.Errorf("the guard attends another one: %s", words[i])
	}
	return doctor.Link{Held: slices.Contains(words, "line=1")}, err
}

// heard returns a daemon's link to the HAT with its condition on it, if any.
func heard(s *daemon.Status) doctor.Link {
	link := doctor.Link{State: s.Link}
	for _, c := range s.Conditions {
		if names := service.BusConditions(); slices.Contains(names[:], c.Name) {
			link.Why, link.Remedy = c.Value, c.Remedy
			if c.Cause != "" {
				link.Why += ": " + c.Cause
			}
		}
	}
	return link
}
