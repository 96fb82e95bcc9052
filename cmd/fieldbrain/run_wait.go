package main

import (
	"strings"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

// How long a service waits for the HAT's devices before it fails, and between two looks.
// Five starts of that length take longer than the minute in which five are too many
// (systemd/fieldbrain.service): devices that come late, or never, exhaust no start limit,
// and whatever else fails still does.
const (
	devicesPatience = 15 * time.Second
	devicesLook     = 100 * time.Millisecond
)

// awaitDevices keeps a service whose machine has just started until adapter and GPIO
// chips are there and its own, or its patience ends; opening them then says what is
// missing. A person who starts the daemon is told at once.
func awaitDevices(e *env, b config.Body, log *daemon.Log) {
	if b.Kind != "picarx" || e.getenv("NOTIFY_SOCKET") == "" {
		return
	}
	site := picarx.Site{Header: b.Header, Bus: b.Bus}
	waited := await(robot.NewMonotonic(), func() error { return picarx.Reach(site) }, func(err error) {
		log.Warn().Err(err).Str("remedy", "if this stays: fieldbrain doctor --body picarx").Msg("waits for the HAT's devices")
		notifyStatus(log, "waits for the HAT's devices: "+strings.ReplaceAll(err.Error(), "\n", "; "))
	})
	if waited {
		notifyStatus(log, "")
	}
}

// notifyStatus shows a word in systemctl status.
func notifyStatus(log *daemon.Log, text string) {
	if err := daemon.Notify("STATUS=" + text); err != nil {
		log.Warn().Err(err).Msg("the service manager was not told")
	}
}

// await looks until what it looks at is there, cannot be waited for, or patience ends.
// It tells each reason once, and returns whether there was one.
func await(clock robot.Clock, look func() error, tell func(error)) (waited bool) {
	told := ""
	for end := clock.Now() + devicesPatience; ; clock.SleepUntil(clock.Now() + devicesLook) {
		err := look()
		if !picarx.Pending(err) || clock.Now() >= end {
			return waited
		}
		if waited = true; err.Error() != told {
			told = err.Error()
			tell(err)
		}
	}
}
