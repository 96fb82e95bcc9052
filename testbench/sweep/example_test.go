package sweep_test

import (
	"fmt"

	"fieldbrain/testbench/sweep"
)

// Two worlds, three seeds and two values are twelve jobs.
func Example() {
	text := []byte(`
scenarios = ["room", "tmaze"]
[seeds]
first = 1
count = 3
[[parameter]]
key = "brain.cruise"
values = [0.2, 0.3]
`)
	file, err := sweep.Parse("my.toml", text, func(pilot string) bool { return pilot == "brain" })
	if err != nil {
		fmt.Println(err)
		return
	}
	batch, err := file.Batch(func(engine string, settings []sweep.Setting) ([]byte, error) {
		return fmt.Appendln(nil, engine, settings), nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	last := batch.Jobs[len(batch.Jobs)-1]
	fmt.Println(len(batch.Jobs), "jobs, the last:", last.World, "seed", last.Seed, last.Values[0])
	// Output: 12 jobs, the last: tmaze seed 3 brain.cruise = 0.3
}
