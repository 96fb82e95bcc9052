package family_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"strings"
	"testing"

	"fieldbrain/testbench/family"
	"fieldbrain/testbench/golden"
	"fieldbrain/testbench/scenarios"
)

var update = flag.Bool("update", false, "write the golden file of the members anew")

// drawn is what the seed decides in a member.
func drawn(sc *scenarios.Scenario) []any {
	c := &sc.Car
	return []any{
		sc.Start, sc.World, sc.Faults, sc.Brain.Cruise,
		c.Trim, c.Linkage, c.LeftGain, c.RightGain, c.Slip, c.Skid, c.DropOut, c.Multipath, c.FloorAhead,
	}
}

// Reports name members by family and seed, so these must be the same worlds tomorrow
// and on every machine. Whoever changes one makes reports of before worthless, and says
// so in the changelog.
func TestMembersStay(t *testing.T) {
	var b strings.Builder
	for _, name := range family.Names() {
		for _, set := range []family.Set{family.Train, family.Test} {
			hash := fnv.New64a()
			for seed := range uint64(2) {
				sc, err := family.Make(name, set, seed+1)
				if err != nil {
					t.Fatal(err)
				}
				if err := json.NewEncoder(hash).Encode(drawn(sc)); err != nil {
					t.Fatal(err)
				}
			}
			fmt.Fprintf(&b, "%s %v 1 to 2: %016x\n", name, set, hash.Sum64())
		}
	}
	golden.Compare(t, *update, "testdata/members.golden", b.String())
}
