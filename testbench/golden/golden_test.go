package golden_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbrain/testbench/golden"
)

// A recorder is a test that notes how it fails.
type recorder struct {
	testing.TB
	said string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) { r.said = fmt.Sprintf(format, args...) }

func (r *recorder) Fatalf(format string, args ...any) { r.Errorf(format, args...) }

// TestCompare: another text and a file that is not there fail with the remedy; an
// update writes the file, which then agrees.
func TestCompare(t *testing.T) {
	file := filepath.Join(t.TempDir(), "text.golden")
	try := func(text, want string) {
		t.Helper()
		r := new(recorder)
		if golden.Compare(r, false, file, text); !strings.Contains(r.said, want) || (want == "") != (r.said == "") {
			t.Errorf("%q is answered with %q, want %q", text, r.said, want)
		}
	}
	if _, err := os.Stat(file); err == nil {
		t.Fatal("the file is there before the test")
	}
	golden.Compare(t, true, file, "one\ntwo\n")
	try("one\ntwo\n", "")
	try("one\nthree\n", "make golden")
	golden.Compare(t, true, file, "one\nthree\n")
	try("one\nthree\n", "")
	file = filepath.Join(t.TempDir(), "none.golden")
	r := new(missing)
	func() {
		defer func() { _ = recover() }()
		golden.Compare(r, false, file, "one\n")
	}()
	if !strings.Contains(r.said, "make golden") {
		t.Errorf("without a file: %q", r.said)
	}
}

// missing is a test that a fatal failure ends.
type missing struct{ recorder }

func (m *missing) Fatalf(format string, args ...any) {
	m.Errorf(format, args...)
	panic("ended")
}

func ExampleCompare() {
	test := func(t *testing.T, update bool) {
		golden.Compare(t, update, "testdata/report.golden", "what the program prints\n")
	}
	fmt.Println(test != nil)
	// Output: true
}
