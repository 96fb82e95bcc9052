package main

import (
	"testing"
	"time"

	"fieldbrain/brain"
)

// hidden takes the wheel and hides the tab: that is no letting go. The car stands; the
// brain, which has an order, does not drive off until it gets another one.
func hidden(t *testing.T, s *scene, b *browser) {
	t.Helper()
	b.click("[data-order=explore]")
	b.await("answer", "explore: done")
	b.click("#take")
	b.await("take", "Let go")
	b.await("facts", "browser")
	show := func(hidden string) {
		b.run("Object.defineProperty(document, 'hidden', {configurable: true, get: () => " + hidden + "}); document.dispatchEvent(new Event('visibilitychange'))")
	}
	show("true")
	for range 100 {
		if now := s.newest(); brain.Driver(now.Hand) != brain.DriverPerson {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	time.Sleep(time.Second) // what comes late comes
	if now := s.newest(); brain.Driver(now.Hand) != brain.DriverLost || now.Speed != 0 {
		t.Errorf("the tab is hidden: %v drives, at %v m/s", brain.Driver(now.Hand), now.Speed)
	}
	show("false")
	b.await("life", "live")
}

// stopsByPad presses a gamepad's B while the brain drives, then lets the car go on.
func stopsByPad(b *browser) {
	b.t.Helper()
	b.click("[data-order=explore]")
	b.await("answer", "explore: done")
	b.run("navigator.getGamepads = () => [{connected: true, id: 'a pad of the test', axes: [0, 0], buttons: [{value: 0}, {value: 1}]}]")
	b.await("level", "LATCHED")
	b.run("navigator.getGamepads = () => []")
	b.armAnew()
}

// armAnew lets a stopped car drive again.
func (b *browser) armAnew() {
	b.t.Helper()
	b.click("[data-command=reset]")
	b.await("answer", "Reset: done")
	b.click("[data-command=arm]")
	b.await("armed", "ARMED")
}
