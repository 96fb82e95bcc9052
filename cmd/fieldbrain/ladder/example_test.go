package ladder_test

import (
	"fmt"

	"fieldbrain/cmd/fieldbrain/ladder"
	"fieldbrain/verdict"
)

// A rung that is no faster than the one above it does not pay.
func ExampleReport_Judge() {
	row := func(name string) ladder.Row { return ladder.Row{Name: name, Peak: 1} }
	claim := func(name string, v verdict.Verdict) verdict.Judgement {
		return verdict.Judgement{Claim: verdict.Claim{Name: name}, Verdict: v}
	}
	r := ladder.Report{
		Rungs:  []ladder.Row{row("full"), row("balanced"), row("sparse")},
		Claims: []verdict.Judgement{claim("balanced faster than full", verdict.Held), claim("sparse faster than balanced", verdict.Missed)},
	}
	r.Judge()
	fmt.Println(r.Verdict)
	// Output:
	// not monotone: slower than the rung above it: sparse; none loses more than B.11 allows
}
