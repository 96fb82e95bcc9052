package doctor

import (
	"cmp"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// tegraNodes are the device nodes that CUDA opens on a Jetson, those of JetPack 6 and
// those of older kernels: without a render node cuInit answers 801
// (github.com/wendylabsinc/WendyOS, pull request 1699). Others that the driver makes,
// for debugging and profiling, belong to root on some releases and are not needed.
func tegraNodes() []string {
	return []string{
		"/dev/nvmap", "/dev/host1x-fence", "/dev/dri/renderD*",
		"/dev/nvgpu/*/as", "/dev/nvgpu/*/channel", "/dev/nvgpu/*/ctrl", "/dev/nvgpu/*/tsg",
		"/dev/nvhost-ctrl", "/dev/nvhost-gpu", "/dev/nvhost-as-gpu", "/dev/nvhost-ctrl-gpu", "/dev/nvhost-tsg-gpu",
	}
}

// cardNodes lists the device nodes of this machine's NVIDIA card, none without one.
// A render node alone is another maker's.
func (m *Machine) cardNodes() []string {
	var nodes []string
	for _, pattern := range []string{"/dev/nvidia[0-9]*", "/dev/nvidiactl", "/dev/nvidia-uvm"} {
		nodes = append(nodes, m.glob(pattern)...)
	}
	if len(m.glob("/dev/nvmap"))+len(m.glob("/dev/nvgpu/*/ctrl"))+len(m.glob("/dev/nvhost-gpu")) > 0 {
		for _, pattern := range tegraNodes() {
			nodes = append(nodes, m.glob(pattern)...)
		}
	}
	return nodes
}

// halfLoaded reports whether a card lacks the node that CUDA opens besides the card's own. A
// Jetson up to JetPack 6 has the card's for its display alone.
func (m *Machine) halfLoaded() bool {
	return len(m.glob("/dev/nvidiactl")) > 0 && len(m.glob("/dev/nvidia-uvm")) == 0 && len(m.glob("/dev/nvmap")) == 0
}

// cardRights judges by the service's own rules, not by the caller's rights, whether
// the graphics card's child may open the card: device rules of unit and drop-ins, and
// owner, groups and mode of the nodes for the unit's user.
func cardRights(m *Machine) Result {
	nodes := m.cardNodes()
	switch {
	case m.Major == nil || !m.Config.Engine.GPU():
		return ok("not wanted (engine.kind = %s)", m.Config.Engine.Kind)
	case len(nodes) == 0:
		return ok("no NVIDIA card has device nodes here")
	}
	bad := warn
	if m.Config.Engine.Kind == "cuda" {
		bad = fail
	}
	if m.halfLoaded() {
		return bad("/dev/nvidia-uvm is missing", "the driver's module nvidia-uvm is not loaded: root's first CUDA program loads it, the service may not",
			"sudo modprobe nvidia-uvm, for good echo nvidia-uvm | sudo tee /etc/modules-load.d/nvidia-uvm.conf, then sudo systemctl restart fieldbrain")
	}
	unit := m.rules()
	if unit == nil {
		return ok("the service is not installed, nothing closes the card's nodes")
	}
	if closed, lines := m.closedNodes(unit, nodes); len(closed) > 0 {
		return bad("the service's unit keeps "+strings.Join(closed, ", ")+" from the card's program",
			"no DeviceAllow of unit or drop-ins names them, whatever root or you may open",
			"sudo systemctl edit fieldbrain, write [Service] and "+strings.Join(lines, ", ")+", each on its own line, then sudo systemctl restart fieldbrain")
	}
	name := cmp.Or(last(unit["User"]), "root")
	uid, gids, err := m.account(name, append(strings.Fields(strings.Join(unit["SupplementaryGroups"], " ")), unit["Group"]...))
	if err != nil {
		return bad("the service's user cannot be looked up", err.Error(), "sudo systemd-sysusers makes it")
	}
	var refused []string
	for _, node := range nodes {
		need := readWrite
		if node == "/dev/nvmap" { // CUDA only reads it, and releases of 2025 and later let the group do no more
			need = readOnly
		}
		if info, err := os.Stat(m.path(node)); err == nil && !mayUse(info, uid, gids, need) {
			refused = append(refused, node)
		}
	}
	if len(refused) > 0 {
		return bad("user "+name+" has no access to "+strings.Join(refused, ", "), "the unit opens them, owner, groups and mode do not",
			"ls -l them, add their groups as SupplementaryGroups= with sudo systemctl edit fieldbrain, then sudo systemctl restart fieldbrain")
	}
	return ok("user %s by the unit's rules: %s", name, strings.Join(nodes, ", "))
}

// closedNodes returns the nodes that the unit's device rules leave out, and the lines
// that would open them: by class where /proc/devices has one of the node's own, by
// path where it shares its number with strangers (misc devices, other DRM nodes).
func (m *Machine) closedNodes(unit map[string][]string, nodes []string) (closed, lines []string) {
	allow := unit["DeviceAllow"]
	if policy := last(unit["DevicePolicy"]); len(allow) == 0 && policy != "closed" && policy != "strict" {
		return nil, nil
	}
	classes := m.classes()
	for _, node := range nodes {
		class := ""
		if major, err := m.Major(m.path(node)); err == nil {
			class = classes[major]
		}
		if slices.ContainsFunc(allow, func(rule string) bool { return opens(rule, node, class) }) {
			continue
		}
		line := "DeviceAllow=char-" + class + " rw"
		if class == "" || class == "misc" || class == "drm" {
			line = "DeviceAllow=" + node + " rw"
		}
		if closed = append(closed, node); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return closed, lines
}

// opens reports whether a rule, "/dev/node rw" or "char-class* rw", lets a process
// read and write the node (systemd.resource-control(5): without letters everything).
func opens(rule, node, class string) bool {
	name, letters, _ := strings.Cut(rule, " ")
	if letters != "" && !(strings.Contains(letters, "r") && strings.Contains(letters, "w")) {
		return false
	}
	glob, is := strings.CutPrefix(name, "char-")
	if !is || class == "" {
		return name == node
	}
	matches, err := path.Match(glob, class)
	return err == nil && matches
}

// classes returns the names that /proc/devices gives to the numbers of character
// devices. They are what systemd compares char-NAME with.
func (m *Machine) classes() map[uint32]string {
	text, _ := m.read("/proc/devices") // without it nothing has a class
	names := map[uint32]string{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "Block devices") {
			break
		}
		f := strings.Fields(line)
		if len(f) != 2 {
			continue
		}
		if n, err := strconv.ParseUint(f[0], 10, 32); err == nil && names[uint32(n)] == "" {
			names[uint32(n)] = f[1]
		}
	}
	return names
}

// rules returns every value of each setting of the service's unit and its drop-ins, in
// the order in which systemd reads them, or nil without a unit. An empty value takes
// back those before it.
func (m *Machine) rules() map[string][]string {
	texts := []string{}
	for _, p := range unitPaths() {
		if text, err := m.read(p); err == nil {
			texts = append(texts, text)
			break
		}
	}
	if len(texts) == 0 {
		return nil
	}
	drops := map[string]string{} // by file name; an earlier folder's file wins
	for _, folder := range []string{"/etc", "/run", "/usr/local/lib", "/lib", "/usr/lib"} {
		for _, p := range m.glob(folder + "/systemd/system/fieldbrain.service.d/*.conf") {
			if name := filepath.Base(p); drops[name] == "" {
				drops[name] = p
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(drops)) {
		text, _ := m.read(drops[name]) // a link to /dev/null is an empty one
		texts = append(texts, text)
	}
	values := map[string][]string{}
	for line := range strings.Lines(strings.Join(texts, "\n")) {
		key, value, is := strings.Cut(strings.TrimSpace(line), "=")
		switch {
		case !is || strings.HasPrefix(key, "#"):
		case value == "":
			values[key] = nil
		default:
			values[key] = append(values[key], value)
		}
	}
	return values
}

// last returns the last of some values, "" of none.
func last(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1]
}
