package response_test

import (
	"fmt"
	"time"

	"fieldbrain/cmd/fieldbrain/response"
	"fieldbrain/daemon/config"
)

func Example() {
	p := response.Default()
	p.Length, p.Clocks = 2*time.Second, []int{400_000}
	r, err := response.Measure(config.Default(), p, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range r.Rows {
		fmt.Println(row.Schedule, "floor", row.Floor, "goal met:", row.Met)
	}
	// Output:
	// free floor 1.595ms goal met: false
	// paced floor 1.595ms goal met: true
}
