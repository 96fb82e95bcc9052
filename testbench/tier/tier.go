// Package tier says in a line of the test when the test runs. It is for tests only.
//
// FIELDBRAIN_TIER chooses how far a run goes:
//
//	(unset)  quick: make test, in minutes
//	heavy    what .ci/run runs besides
//	all      everything: make test-all
//
// Some tests depend on the build or the machine instead: [Alone], [Native] and
// [Compiled]. A tier leaves a test out by a skip or by a line of the log with
// its reason, and testbench/tier/report lists all of them at the end of make
// test.
package tier

import (
	"fmt"
	"os"
	"testing"
)

// Variable is the name of the environment variable that chooses the tier.
const Variable = "FIELDBRAIN_TIER"

// Emulator is the name of the variable that says that the tests run in an
// emulator. Its value is the command that starts a program in it.
const Emulator = "FIELDBRAIN_EMULATOR"

// Mark begins every line that says what a tier leaves out.
const Mark = "tier: "

// A level is how far a run goes.
type level int

const (
	quick level = iota
	heavy
	all
)

// parse returns the level of a value of Variable.
func parse(value string) (level, error) {
	switch value {
	case "", "quick":
		return quick, nil
	case "heavy":
		return heavy, nil
	case "all":
		return all, nil
	}
	return quick, fmt.Errorf("%s=%q: want quick, heavy or all", Variable, value)
}

// chosen returns the level of this run. A wrong value fails the test.
func chosen(t testing.TB) level {
	t.Helper()
	l, err := parse(os.Getenv(Variable))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Heavy leaves a test out of make test: .ci/run and make test-all run it.
func Heavy(t testing.TB, why string) {
	t.Helper()
	if chosen(t) < heavy {
		t.Skip(Mark + "heavy: " + why)
	}
}

// Long leaves a test to make test-all alone.
func Long(t testing.TB, why string) {
	t.Helper()
	if chosen(t) < all {
		t.Skip(Mark + "long: " + why)
	}
}

// Compiled leaves a test to make test-all where no C compiler made the engines:
// in pure Go it takes many times as long and proves what it proves with C.
func Compiled(t testing.TB, why string) {
	t.Helper()
	if !Cgo && chosen(t) < all {
		t.Skip(Mark + "long without C: " + why)
	}
}

// Alone leaves a test out of the race detector's run, which would find nothing
// in it: one goroutine computes.
func Alone(t testing.TB, why string) {
	t.Helper()
	if Race {
		t.Skip(Mark + "not under the race detector: " + why)
	}
}

// Native leaves a test out of an emulator: equal hashes carry its result over.
func Native(t testing.TB, why string) {
	t.Helper()
	if Emulated() {
		t.Skip(Mark + "not in an emulator: " + why)
	}
}

// Fewer returns how many of something a test goes through: in an emulator, in
// which everything takes tens of times as long, the smaller number, and it logs
// what it leaves out: Fewer(t, "ticks", 100, 30).
func Fewer(t testing.TB, what string, everywhere, emulated int) int {
	t.Helper()
	if !Emulated() {
		return everywhere
	}
	t.Logf("%s%d of %d %s in an emulator", Mark, emulated, everywhere, what)
	return emulated
}

// Emulated reports whether the tests run in an emulator.
func Emulated() bool { return os.Getenv(Emulator) != "" }

// Count returns how many of something a test goes through in this run, and logs
// how many it leaves out: Count(t, "kills", 3, 10, 200). Without a C compiler the
// field takes many times as long, and its hashes are equal to those of the engines
// in C: there even make test-all goes through as many as the heavy tier does.
func Count(t testing.TB, what string, inQuick, inHeavy, inAll int) int {
	t.Helper()
	most := inAll
	if !Cgo {
		most = inHeavy
	}
	n := [...]int{quick: inQuick, heavy: inHeavy, all: most}[chosen(t)]
	if n != inAll {
		t.Logf("%s%d of %d %s", Mark, n, inAll, what)
	}
	return n
}
