package daemon

import (
	"errors"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/files"
)

// A Usage reads these files of the kernel; paths begin at the root of the file
// system. Documentation/admin-guide/pm/cpufreq.rst and
// Documentation/ABI/testing/sysfs-devices-system-cpu describe the processor's,
// sysfs-class-devfreq and NVIDIA's Jetson Linux guide a Jetson's graphics card's.
const (
	loadFile      = "proc/loadavg"
	clockFiles    = "sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq" // kHz
	fastestFiles  = "sys/devices/system/cpu/cpu[0-9]*/cpufreq/cpuinfo_max_freq" // kHz
	throttleFiles = "sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/core_throttle_count"
	cardClockFile = "sys/class/devfreq/*gpu*/cur_freq" // Hz
	cardMostFile  = "sys/class/devfreq/*gpu*/max_freq" // Hz, that its governor may choose
	cardLoadFiles = "sys/devices/platform/*gpu*/load"  // per mille
)

// A Reading is a number that a machine may not tell.
type Reading struct {
	Value float64 `json:"value"`
	OK    bool    `json:"known"`
}

// A Usage says how much of the machine is in use. Read takes some file reads and
// belongs to a slow goroutine. What the machine does not tell is not OK, never 0.
type Usage struct {
	Root fs.FS // of the file system: os.DirFS("/")

	Share     Reading // of one processor that this process took since the Read before
	Load      Reading // load average over one minute
	Clock     Reading // Hz, of the slowest processor
	Fastest   Reading // Hz, that it could run at
	Throttled Reading // times a core slowed itself down for its heat, since the machine's start
	CardClock Reading // Hz, of a graphics card that the kernel drives (Jetson)
	CardMost  Reading // Hz, that it may run at
	CardLoad  Reading // 0..1
	CardHeat  Reading // C
	Slowed    bool    // a core slowed itself down since the Read before

	own   Share
	found map[string][]string // of a pattern, see paths
	reads int                 // since it was looked for
}

// Read looks at everything.
func (u *Usage) Read() {
	if u.reads--; u.reads < 0 || u.found == nil {
		u.found, u.reads = map[string][]string{}, readsPerSearch
	}
	u.Share = u.own.Read(0, time.Now())
	u.Load = Reading{}
	if text, err := files.ReadKernel(u.Root, loadFile); err == nil {
		first, _, _ := strings.Cut(string(text), " ")
		v, err := strconv.ParseFloat(first, 64)
		u.Load = Reading{v, err == nil}
	}
	u.Clock, u.Fastest = u.least(clockFiles, 1e3), u.least(fastestFiles, 1e3)
	before := u.Throttled
	u.Throttled = u.sum(throttleFiles)
	u.Slowed = before.OK && u.Throttled.OK && u.Throttled.Value > before.Value
	u.CardMost = u.least(cardMostFile, 1)
	u.CardClock, u.CardLoad = u.least(cardClockFile, 1), u.least(cardLoadFiles, 1e-3)
	u.CardHeat = u.cardHeat()
}

// readsPerSearch is for how many Reads what was found counts as all there is: to
// look for them takes several times the memory of reading them, and beside an armed car nobody
// collects it.
const readsPerSearch = 60

// paths returns the files of a pattern.
func (u *Usage) paths(pattern string) []string {
	if list, known := u.found[pattern]; known {
		return list
	}
	list, _ := fs.Glob(u.Root, pattern) // the pattern is well formed
	u.found[pattern] = list
	return list
}

// numbers calls take for every whole number that files of a pattern hold.
func (u *Usage) numbers(pattern string, take func(v float64)) {
	for _, name := range u.paths(pattern) {
		text, err := files.ReadKernel(u.Root, name)
		if err != nil {
			delete(u.found, pattern) // it has gone
			continue
		}
		if v, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64); err == nil {
			take(v)
		}
	}
}

// least returns the smallest number of the files, times a unit.
func (u *Usage) least(pattern string, unit float64) (r Reading) {
	u.numbers(pattern, func(v float64) {
		if v *= unit; !r.OK || v < r.Value {
			r = Reading{v, true}
		}
	})
	return r
}

// sum returns the sum of the files' numbers.
func (u *Usage) sum(pattern string) (r Reading) {
	u.numbers(pattern, func(v float64) { r = Reading{r.Value + v, true} })
	return r
}

// cardHeat returns the temperature of the zone that is named after the card.
func (u *Usage) cardHeat() Reading {
	for _, zone := range u.paths(zoneFolders) {
		name, err := files.ReadKernel(u.Root, path.Join(zone, "type"))
		if err == nil && strings.Contains(strings.ToLower(string(name)), "gpu") {
			return u.least(path.Join(zone, "temp"), 1e-3)
		}
	}
	return Reading{}
}

// NoRoom reports whether an error says that a disk, a quota or a limit is used up.
func NoRoom(err error) bool {
	return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) || errors.Is(err, unix.EFBIG) || errors.Is(err, unix.ENOMEM)
}
