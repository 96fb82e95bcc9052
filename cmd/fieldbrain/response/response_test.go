package response_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"fieldbrain/cmd/fieldbrain/response"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench/tier"
)

// TestGoals drives in the room: with the loop's releases known the responses
// reach the goals at both clocks, without them they do not.
func TestGoals(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	p := response.Default()
	p.Length = 6 * time.Second
	r, err := response.Measure(config.Default(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range r.Rows {
		if row.Whole.Count < 500 || row.Whole.P50 > row.Whole.P99 || row.Whole.P99 > row.Whole.Max {
			t.Errorf("%d Hz, %s: %+v", row.Clock, row.Schedule, row.Whole)
		}
		if row.Met != (row.Schedule == response.Paced) {
			t.Errorf("%d Hz, %s: p99 %v of a floor of %v, met %v", row.Clock, row.Schedule, row.Whole.P99, row.Floor, row.Met)
		}
	}
	// By hand: 38 bits write, 20 read, 80 us of kernel for each, two conversions of a
	// write and two reads, three writes, a tick of 200 us.
	for i, want := range []time.Duration{3620, 3620, 1595, 1595} {
		if got := r.Rows[i].Floor; got != want*time.Microsecond {
			t.Errorf("row %d: floor %v, want %v us", i, got, want)
		}
	}
	var page bytes.Buffer
	if err := r.Print(&page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"100 kHz", "400 kHz", "paced", "right motor", "3.62 ms", "met"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("no %q in\n%s", want, page.String())
		}
	}
}

func TestUnknownScenario(t *testing.T) {
	p := response.Default()
	p.Scenario = "nowhere"
	if _, err := response.Measure(config.Default(), p, nil); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("%v, want the scenario's name", err)
	}
}
