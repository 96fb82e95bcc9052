// Package golden compares what a test made with a file that somebody has read and
// kept, for tests only.
package golden

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Compare wants got to be what the file holds, and says in which lines it is not.
// With update it writes the file instead: a package whose tests have golden files
// has the flag -update, with which make golden runs them.
func Compare(t testing.TB, update bool, file, got string) {
	t.Helper()
	if update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v: make golden writes it", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is no longer what the program does; make golden writes it anew, and its diff is to be read (-want +got):\n%s", file, diff)
	}
}
