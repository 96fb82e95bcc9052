package main

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/testbench/scenarios"
)

// TestSuiteSaysWhatItLeavesOut: whoever reads that the suite drives the scenarios reads, in
// the same place, which of them it does not.
func TestSuiteSaysWhatItLeavesOut(t *testing.T) {
	flag, is := reflect.TypeFor[simCmd]().FieldByName("Suite")
	if !is {
		t.Fatal("sim has no --suite")
	}
	page := read(t, "docs/scenarios.md")
	var line string // of README
	for l := range strings.Lines(read(t, "README.md")) {
		if strings.HasPrefix(l, "bin/fieldbrain sim --suite") {
			line = l
		}
	}
	left := 0
	for _, name := range scenarios.Names() {
		if slices.Contains(drive.SuiteNames(), name) {
			continue
		}
		left++
		for where, text := range map[string]string{"--suite's help": flag.Tag.Get("help"), "README": line, "the suite's page": elsewhere} {
			if !strings.Contains(text, name) {
				t.Errorf("the suite leaves %s out, and %s does not say so: %s", name, where, text)
			}
		}
	}
	if left == 0 {
		t.Error("the suite leaves nothing out")
	}
	if !strings.Contains(page, "\n"+elsewhere+"\n") {
		t.Error("docs/scenarios.md has another section Elsewhere than the command writes")
	}
}
