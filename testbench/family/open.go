package family

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fieldbrain/strict"
	"fieldbrain/testbench/scenarios"
)

// Member returns the name of a member, as Open takes it: room/7, of the test set
// room/test/7.
func Member(name string, set Set, seed uint64) string {
	if set == Test {
		return fmt.Sprintf("%s/%v/%d", name, set, seed)
	}
	return fmt.Sprintf("%s/%d", name, seed)
}

// Open returns a member by its name, FAMILY/SEED or FAMILY/test/SEED, and whatever
// scenarios.Open returns for any other name: a built-in scenario, or a file's. A file
// that is called like a member has another name as well: ./room/7.
func Open(name string) (*scenarios.Scenario, error) {
	base, set, seed, is := parse(name)
	if is {
		return Make(base, set, seed)
	}
	sc, err := scenarios.Open(name)
	if _, _, unknown := find(name); err != nil && unknown == nil {
		return nil, fmt.Errorf("scenario %q: a family of worlds, no scenario: name one of its members, %s/SEED, such as %s, or a file with its end, %s.toml", name, name, Member(name, Train, 7), name)
	}
	var missing strict.Complaints
	if !errors.As(err, &missing) || missing[0].Reason != scenarios.NoFile || base == name {
		return sc, err
	}
	switch _, _, unknown := find(base); {
	case unknown == nil:
		missing[0].Reason = "no member of the family " + base + ", and no such file"
		missing[0].Remedy = fmt.Sprintf("write %s/SEED or %s/%v/SEED, with a whole number as the seed", base, base, Test)
	case strings.HasSuffix(name, fmt.Sprint("/", seed)):
		missing[0].Reason = "no such file, and no member of a family"
		missing[0].Remedy = unknown.Error()
	}
	return nil, missing
}

// Is reports whether a name means a member of a family.
func Is(name string) bool {
	_, _, _, is := parse(name)
	return is
}

// Seed returns the seed in a member's name; is reports whether the name means one.
func Seed(name string) (seed uint64, is bool) {
	_, _, seed, is = parse(name)
	return seed, is
}

// parse takes a member's name apart.
func parse(name string) (base string, set Set, seed uint64, is bool) {
	base, rest, _ := strings.Cut(name, "/")
	if number, of := strings.CutPrefix(rest, Test.String()+"/"); of {
		set, rest = Test, number
	}
	seed, err := strconv.ParseUint(rest, 10, 63)
	_, _, unknown := find(base)
	return base, set, seed, err == nil && unknown == nil
}
