package doctor

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// unitPaths are where the service's unit may be, as systemd looks for it: the first
// one counts. make install puts it below /usr/local, a package below /usr.
func unitPaths() []string {
	return []string{
		"/etc/systemd/system/fieldbrain.service", "/usr/local/lib/systemd/system/fieldbrain.service",
		"/lib/systemd/system/fieldbrain.service", "/usr/lib/systemd/system/fieldbrain.service",
	}
}

// notInstalled is the result of a check that tried as root a call that the
// service makes as another user.
func notInstalled() Result {
	return warn("not known", "root may do anything, which says nothing about the service, and its unit is not installed",
		"sudo make install; or run doctor as the user who runs the daemon")
}

// forUnit reports whether the checks judge rights by the service's unit and its
// user: root's own trials all succeed.
func (m *Machine) forUnit() bool { return m.Privileged && m.robot() }

// unit returns the last value of each setting of the service's unit.
func (m *Machine) unit() (map[string]string, error) {
	text, err := "", fs.ErrNotExist
	for _, path := range unitPaths() {
		if text, err = m.read(path); err == nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	settings := map[string]string{}
	for line := range strings.Lines(text) {
		key, value, is := strings.Cut(strings.TrimSpace(line), "=")
		if is && !strings.HasPrefix(key, "#") {
			settings[key] = value
		}
	}
	return settings, nil
}

// unitFIFO judges the real-time class by the unit's limit.
func unitFIFO(m *Machine) Result {
	unit, err := m.unit()
	if err != nil {
		return notInstalled()
	}
	granted, err := strconv.Atoi(cmp.Or(unit["LimitRTPRIO"], "0"))
	if unit["LimitRTPRIO"] == "infinity" {
		granted, err = 99, nil
	}
	wanted := m.Config.Loop.Priority
	if err != nil || granted < wanted {
		return warn("the unit grants LimitRTPRIO="+cmp.Or(unit["LimitRTPRIO"], "0"),
			fmt.Sprintf("loop.priority is %d", wanted), fmt.Sprintf("set LimitRTPRIO=%d in the unit, or a lower loop.priority", wanted))
	}
	return ok("SCHED_FIFO %d granted by the unit; no daemon runs whose threads would show what the kernel grants", wanted)
}

// unitMemory judges the memory lock by the unit's limit.
func unitMemory(m *Machine) Result {
	unit, err := m.unit()
	switch {
	case err != nil:
		return notInstalled()
	case unit["LimitMEMLOCK"] != "infinity":
		return warn("the unit grants LimitMEMLOCK="+cmp.Or(unit["LimitMEMLOCK"], "the system's default"),
			"locking the memory takes more", "set LimitMEMLOCK=infinity in the unit")
	}
	return ok("granted by the unit (LimitMEMLOCK=infinity)")
}

// unitLimits shows the unit's two resource limits.
func unitLimits(m *Machine) Result {
	unit, err := m.unit()
	if err != nil {
		return notInstalled()
	}
	return ok("of the unit: LimitRTPRIO=%s, LimitMEMLOCK=%s", cmp.Or(unit["LimitRTPRIO"], "?"), cmp.Or(unit["LimitMEMLOCK"], "?"))
}

// unitRights judges the devices by owner, groups and mode for the unit's user.
// It ignores access lists: the udev rules set groups.
func unitRights(m *Machine, paths []string) Result {
	unit, err := m.unit()
	if err != nil {
		return notInstalled()
	}
	name := cmp.Or(unit["User"], "root")
	uid, gids, err := m.account(name, append(strings.Fields(unit["SupplementaryGroups"]), unit["Group"]))
	if err != nil {
		return fail("the service's user cannot be looked up", err.Error(), "sudo systemd-sysusers makes it")
	}
	var refused []string
	for _, p := range paths {
		if info, err := os.Stat(m.path(p)); err == nil && !mayUse(info, uid, gids, readWrite) {
			refused = append(refused, p)
		}
	}
	if len(refused) > 0 {
		return fail("user "+name+" has no access to "+strings.Join(refused, ", "), "the devices do not belong to the groups i2c and gpio, or these may not write them",
			"sudo udevadm control --reload && sudo udevadm trigger puts the installed rules into force")
	}
	return ok("user %s: %s", name, strings.Join(paths, ", "))
}

// account returns a user's number and those of its groups and of the further
// ones named. Names are looked up in the machine's own files.
func (m *Machine) account(name string, further []string) (uid uint32, gids []uint32, err error) {
	passwd, err := m.read("/etc/passwd")
	if err != nil {
		return 0, nil, fmt.Errorf("doctor: %w", err)
	}
	found := false
	for line := range strings.Lines(passwd) { // name:password:uid:gid:...
		if f := strings.Split(line, ":"); len(f) > 3 && f[0] == name {
			u, err1 := strconv.ParseUint(f[2], 10, 32)
			g, err2 := strconv.ParseUint(f[3], 10, 32)
			if found = err1 == nil && err2 == nil; found {
				uid, gids = uint32(u), append(gids, uint32(g))
			}
		}
	}
	if !found {
		return 0, nil, fmt.Errorf("doctor: /etc/passwd has no user %s", name)
	}
	groups, err := m.read("/etc/group")
	if err != nil {
		return 0, nil, fmt.Errorf("doctor: %w", err)
	}
	for line := range strings.Lines(groups) { // name:password:gid:members
		f := strings.Split(strings.TrimSpace(line), ":")
		if len(f) < 4 || !slices.Contains(further, f[0]) && !slices.Contains(strings.Split(f[3], ","), name) {
			continue
		}
		if g, err := strconv.ParseUint(f[2], 10, 32); err == nil {
			gids = append(gids, uint32(g))
		}
	}
	return uid, gids, nil
}

// What a user needs to be allowed, as the bits of a file's mode.
const readOnly, readWrite fs.FileMode = 4, 6

// mayUse reports whether a user may do what it needs with a file, as the kernel
// decides it: the first class that applies counts.
func mayUse(info fs.FileInfo, uid uint32, gids []uint32, need fs.FileMode) bool {
	st, is := info.Sys().(*syscall.Stat_t)
	if !is || uid == 0 {
		return uid == 0
	}
	shift := 0
	switch {
	case st.Uid == uid:
		shift = 6
	case slices.Contains(gids, st.Gid):
		shift = 3
	}
	return info.Mode().Perm()>>shift&need == need
}
