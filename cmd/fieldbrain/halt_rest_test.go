package main

import (
	"slices"
	"testing"
)

// After the service's end halt ends what is left in the unit's own control group, and
// nothing anywhere else.
func TestUnitGroups(t *testing.T) {
	const unit = "/system.slice/fieldbrain.service"
	for _, c := range []struct {
		why, groups string
		want        []string
	}{
		{"version 2", "0::" + unit + "\n", []string{"/sys/fs/cgroup" + unit, "/sys/fs/cgroup/unified" + unit, "/sys/fs/cgroup/systemd" + unit}},
		{"both versions", "2:cpu:/\n1:name=systemd:" + unit + "\n0::" + unit + "\n", []string{
			"/sys/fs/cgroup" + unit, "/sys/fs/cgroup/unified" + unit, "/sys/fs/cgroup/systemd" + unit,
			"/sys/fs/cgroup" + unit, "/sys/fs/cgroup/unified" + unit, "/sys/fs/cgroup/systemd" + unit,
		}},
		{"a person's session", "0::/user.slice/user-1000.slice/session-4.scope\n", nil},
		{"a container", "0::/\n", nil},
		{"a way out of the group", "0::/a.service/../../..\n", nil},
	} {
		if got := unitGroups(c.groups); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.why, got, c.want)
		}
	}
	if got := others([]byte("12\n0\n345\n7\n1\n"), 345); !slices.Equal(got, []int{12, 7}) {
		t.Errorf("ends %v", got)
	}
}
