package sweepworkers_test

import (
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fieldbrain/cmd/fieldbrain/sweepworkers"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// until polls until something has happened.
func until(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for range 6000 {
		if happened() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal(what)
}

// TestDeathsAreMended: whoever is killed is replaced, is killed again, and is no
// failure; closing leaves nobody behind. A worker here is cat, which ends as a worker
// does when its leash is gone.
func TestDeathsAreMended(t *testing.T) {
	c := sweepworkers.Start(sweepworkers.Options{Program: "cat", Count: 3})
	last := func(below int) int { return below - 1 }
	killed := 0
	for strike := range 7 { // more than five, which are too many for a worker that ends by itself
		until(t, "nobody is there to be killed", func() bool {
			n := c.Kill(1+strike%3, last)
			killed += n
			return n > 0
		})
		until(t, "a death was not counted", func() bool { return c.Deaths() == killed })
	}
	select {
	case err := <-c.Failed():
		t.Error(err)
	default:
	}
	c.Close()
	if n := c.Kill(3, last); n != 0 {
		t.Errorf("%d workers were alive after the end", n)
	}
}

// TestNothingToWork: a program that is not there is a failure, told once; one that ends
// without an error has nothing to do, and is not started again.
func TestNothingToWork(t *testing.T) {
	c := sweepworkers.Start(sweepworkers.Options{Program: "/no/such/program", Count: 2})
	if err := <-c.Failed(); !strings.Contains(err.Error(), "/no/such/program") {
		t.Error(err)
	}
	c.Close()
	c = sweepworkers.Start(sweepworkers.Options{Program: "true", Count: 2})
	c.Close()
	if n := c.Deaths(); n != 0 {
		t.Errorf("%d workers died of having nothing to do", n)
	}
}
