package verdict_test

import (
	"fmt"
	"os"

	"fieldbrain/verdict"
)

// Eight rounds, in which the machine becomes half as fast: both times of a round
// are slower then.
func Example() {
	collapsed := []float64{0.20, 0.21, 0.20, 0.22, 0.41, 0.40, 0.42, 0.40}
	copying := []float64{1.00, 1.02, 1.01, 1.03, 2.00, 2.02, 2.01, 1.99}
	i, err := verdict.Pairs(collapsed, copying)
	if err != nil {
		fmt.Println(err)
		return
	}
	claims := []verdict.Judgement{
		verdict.Claim{Name: "a quarter of a copy", Direction: verdict.AtMost, Limit: 0.25}.Judge(i),
		verdict.Claim{Name: "a fifth of a copy", Direction: verdict.AtMost, Limit: 0.20}.Judge(i),
	}
	if err := verdict.Print(os.Stdout, claims); err != nil {
		fmt.Println(err)
	}
	// Output:
	// claim a quarter of a copy: 0.201 (0.198 to 0.214, 8 rounds), at most 0.25: held
	// claim a fifth of a copy: 0.201 (0.198 to 0.214, 8 rounds), at most 0.2: void: too wide to tell; about 63 more rounds would
}
