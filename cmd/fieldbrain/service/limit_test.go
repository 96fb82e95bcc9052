package service

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"fieldbrain/daemon/recording"
)

// TestFileSizeLimit: where the process may not write so large a file every part says so,
// and none looks for room on a disk that has some.
func TestFileSizeLimit(t *testing.T) {
	err := fmt.Errorf("write x: %w", syscall.EFBIG)
	for part, remedy := range map[string]string{
		"page and ring": telemetryCondition(err).Remedy, "saved brain": FolderRemedy(err), "recording": recording.Remedy(err),
	} {
		if !strings.Contains(remedy, "ulimit -f") || !strings.Contains(remedy, "LimitFSIZE=") {
			t.Errorf("%s: %q", part, remedy)
		}
	}
	if remedy := telemetryCondition(fmt.Errorf("write x: %w", syscall.ENOSPC)).Remedy; !strings.Contains(remedy, "make room") {
		t.Errorf("a full disk: %q", remedy)
	}
}
