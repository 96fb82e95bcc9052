package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/cmd/fieldbrain/monitor"
	"fieldbrain/cmd/fieldbrain/service"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/guard"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/recording"
	"fieldbrain/daemon/web"
	"fieldbrain/robot/picarx"
)

// armFlagFile allows run --arm on the real car: a robot that starts to drive
// when its computer boots must be somebody's deliberate choice.
const armFlagFile = "/etc/fieldbrain/allow-arm-at-start"

type runCmd struct {
	Body     string  `help:"Body: sim or picarx; the configuration's when left out." enum:",sim,picarx" default:"" placeholder:"KIND"`
	Config   string  `help:"Configuration file; without it /etc/fieldbrain/fieldbrain.toml if that exists, else the defaults." placeholder:"FILE"`
	Arm      bool    `help:"Arm as soon as the car is ready. On the real car only where /etc/fieldbrain/allow-arm-at-start exists."`
	Seconds  float64 `help:"End this many seconds after the first tick; 0 runs until stopped." default:"0"`
	View     string  `help:"Live view: on, off or auto (on a terminal)." enum:"auto,on,off" default:"auto"`
	Scenario string  `help:"Simulated world: a name of sim --list, or a file that ends in .toml." placeholder:"NAME" default:"" complete:"scenario,file"`
	Record   string  `help:"Record everything that enters the ticks: a folder, or a file that ends in .mcap (docs/recording.md)." placeholder:"PATH" complete:"file"`
	Quota    *int64  `name:"record-quota" help:"With --record: megabytes that all its files may take, 2048 when left out; the oldest go first." placeholder:"MB"`
	Web      bool    `help:"Start fieldbrain serve beside it, a page for browsers on this machine, and print its address (docs/web.md)."`
	Seed     *int64  `help:"Simulated world: decides obstacles and noise; the configuration's when left out." placeholder:"N"`
	engineFlags
	socketFlag
}

// settings returns the configuration with the flags put over it.
func (c runCmd) settings(e *env) (config.Config, error) {
	settings, from, err := loadConfig(c.Config)
	if err != nil {
		return settings, err
	}
	c.apply(&settings)
	if c.Body != "" {
		settings.Body.Kind = c.Body
	}
	if err := c.runnable(from, settings); err != nil {
		return settings, err
	}
	if c.Scenario != "" {
		settings.Body.Scenario, from = c.Scenario, "flags"
	}
	if c.Seed != nil {
		settings.Body.Seed = *c.Seed
	}
	if c.Socket != "" {
		settings.Control.Socket = c.Socket
	}
	if err := checkFlags(settings); err != nil {
		return settings, err
	}
	if err := car.Preflight(from, settings, settings.Body.Kind); err != nil {
		return settings, err
	}
	if err := errors.Join(checkSeconds("seconds", c.Seconds, 365*24*time.Hour, "a year"), c.checkRecord()); err != nil {
		return settings, err
	}
	if c.Arm && settings.Body.Kind == "picarx" {
		if _, err := os.Stat(armFlagFile); err != nil {
			return settings, config.Usagef("--arm with the real car needs the file %s; "+
				"make it if the car may drive off when the program starts, or use fieldbrain arm", armFlagFile)
		}
	}
	if settings.Control.Socket == "" {
		settings.Control.Socket, err = daemon.PlaceSocket(daemon.Sockets(e.getenv, e.uid))
	}
	return settings, err
}

// checkSeconds wants 0, which takes something else's length, or a length of at least
// a few ticks: less is a slip of the finger.
func checkSeconds(flag string, seconds float64, most time.Duration, called string) error {
	if seconds == 0 || seconds >= 0.01 && seconds <= most.Seconds() { // NaN fails
		return nil
	}
	return config.Usagef("--%s %v: choose 0.01 to %s, or 0", flag, seconds, called)
}

// checkFlags validates a configuration that flags have changed.
func checkFlags(settings config.Config) error {
	var complaints config.Complaints
	if !errors.As(settings.Validate(), &complaints) {
		return nil
	}
	for i := range complaints {
		complaints[i].File = "flags"
	}
	return complaints
}

// Run runs the daemon from start to clean stop.
func (c runCmd) Run(e *env) error {
	settings, err := c.prepare(e)
	if err != nil {
		return err
	}
	live := (c.View == "on" || c.View == "auto" && e.terminal) && !monitor.Dumb(e.getenv)
	scroll := &monitor.Scrollback{}
	log, err := c.newLog(e, settings.Log, live, scroll)
	if err != nil {
		return err
	}
	// Nobody who does not read keeps it from ending. The log waits by itself, and must see
	// that nobody reads.
	e.out, e.err = daemon.NewParting(e.out), daemon.NewParting(e.err)
	for _, w := range settings.Warnings() {
		log.Warn().Str("key", w.Key).Str("remedy", w.Remedy).Msg(w.Reason)
	}
	awaitDevices(e, settings.Body, log)
	s, err := c.serve(e, settings, log, live, scroll)
	if err != nil && machines(settings.Log, live) {
		log.Error().Msg("ended: " + withRoom(err).Error())
		e.err = io.Discard // the log has said it; the exit code is the error's
	}
	err = errors.Join(err, log.Close())
	if live {
		scroll.Print(e.err)
	}
	if s == nil {
		return err
	}
	return errors.Join(err, s.Latency().Print(e.out))
}

// serve builds the service, with its page where there is one, and runs it to its end. It
// returns a service that has run, nil where none has.
func (c runCmd) serve(e *env, settings config.Config, log *daemon.Log, live bool, scroll *monitor.Scrollback) (*service.Service, error) {
	s, err := c.open(e, settings, log)
	if err != nil {
		return nil, err
	}
	page, err := c.openWeb(e, s.Socket(), settings, log, live)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	defer page.end()
	session := service.Session{Arm: c.Arm, Length: time.Duration(c.Seconds * float64(time.Second))}
	if page != nil {
		session.Beside = page.run
	}
	if live {
		session.Show = view{socket: s.Socket(), log: scroll, out: e.err, warn: log}.show
	}
	return s, s.Serve(session)
}

// machines reports whether programs read standard error, which gets lines of JSON and
// nothing else: somebody has asked for that.
func machines(set config.Log, live bool) bool { return !live && set.Format == "json" }

// openWeb starts the page of --web and says where it is. Its address holds the token: it
// goes to a person's eyes and into no log that is kept.
func (c runCmd) openWeb(e *env, socket string, settings config.Config, log *daemon.Log, live bool) (*pageKeeper, error) {
	if !c.Web {
		return nil, nil
	}
	start := func(ctx context.Context, before string) (*webPage, error) { return c.startWeb(ctx, socket, before) }
	page, err := start(context.Background(), "") // before the loop raises itself
	if err != nil {
		return nil, err
	}
	link := web.Link(page.url, settings.Web.Names)
	switch {
	case live:
		log.Info().Msg("open in a browser: " + link)
	case machines(settings.Log, live):
		listen, _ := placeOf(page.url)
		log.Info().Str("listen", listen).Msg("the page for browsers; its whole address is on standard output")
		fmt.Fprintln(e.out, "open in a browser: "+link)
	default:
		fmt.Fprintln(e.err, "open in a browser: "+link)
	}
	return &pageKeeper{page: page, start: start}, nil
}

// prepare resets the real car's HAT, on which a crash may have left the motors
// on, and returns the settings. When the flag --body names the real car, it resets
// the HAT before anything that can fail.
func (c runCmd) prepare(e *env) (config.Config, error) {
	var left error
	if c.Body == "picarx" {
		left = inert(guard.DefaultSocket, picarx.Site{})
	}
	settings, err := c.settings(e)
	if err == nil && settings.Body.Kind == "picarx" && (c.Body == "" || left != nil) {
		left = inert(car.GuardSocket(settings.Body), picarx.Site{Header: settings.Body.Header})
	}
	if err == nil && errors.Is(left, picarx.ErrNoBoard) { // opening the HAT would say the same once more
		return settings, left
	}
	if left != nil {
		fmt.Fprintf(e.err, "fieldbrain: the HAT was not reset: %v\n", left)
	}
	if err == nil {
		err = loop.Limits() // too low, it would die in the middle of its start
	}
	return settings, err
}

// inert makes the motors dead that a process before this one left running, through
// the guard where one runs and has the line.
func inert(socket string, site picarx.Site) error {
	return haltThroughGuard(socket, func() error {
		if site.Header == picarx.BenchHeader { // it has no line that could be opened
			return nil
		}
		return picarx.Inert(site)
	})
}

// open takes the control socket, builds the service, restores the saved brain and
// prepares the recording.
func (c runCmd) open(e *env, settings config.Config, log *daemon.Log) (*service.Service, error) {
	return openService(service.Options{Settings: settings, Log: log}, func(s *service.Service) error {
		err := s.Restore(e.getenv)
		if err == nil && c.Record != "" {
			err = s.Record(c.Record, c.limits())
		}
		return err
	})
}

// openService takes the control socket, builds the service and prepares it; prepare may
// be nil.
func openService(o service.Options, prepare func(*service.Service) error) (s *service.Service, err error) {
	if o.Control, err = daemon.Listen(o.Settings.Control.Socket); err != nil {
		return nil, err
	}
	o.Version = thisBuild().Version
	if s, err = service.New(o); err != nil {
		return nil, errors.Join(err, o.Control.Close())
	}
	if prepare == nil {
		return s, nil
	}
	if err := prepare(s); err != nil {
		return nil, errors.Join(err, s.Close(), o.Control.Close())
	}
	return s, nil
}

// newLog returns the log: lines for people where people look, and below the
// picture of a live view, which prints them again at its end.
func (c runCmd) newLog(e *env, set config.Log, live bool, scroll *monitor.Scrollback) (*daemon.Log, error) {
	if live {
		return daemon.NewLog(scroll, set.Level, true, false)
	}
	text := set.Format == "text" || set.Format == "auto" && isTerminal(os.Stderr)
	return daemon.NewLog(e.err, set.Level, text, monitor.Colourful(os.Stderr, e.getenv))
}

// Bounds of --record-quota in megabytes.
const leastQuota, mostQuota = config.LeastQuota, 1 << 20

// checkRecord refuses, before anything is opened, a recording that could not be written.
func (c runCmd) checkRecord() error {
	switch {
	case c.Quota != nil && c.Record == "":
		return config.Usagef("--record-quota belongs to --record: say what to record into, or leave it out")
	case c.Quota != nil && (*c.Quota < leastQuota || *c.Quota > mostQuota):
		return config.Usagef("--record-quota %d: choose %d to %d megabytes", *c.Quota, leastQuota, mostQuota)
	case c.Record == "":
		return nil
	}
	if _, err := recording.NewShelf(c.Record, c.limits()); err != nil {
		return config.Usagef("--record: %w", err)
	}
	return nil
}

// limits returns what a recording may take of the disk.
func (c runCmd) limits() recording.Limits {
	l := recording.DefaultLimits()
	if c.Quota != nil {
		l.Quota = *c.Quota << 20
	}
	return l
}
