package loadbench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ErrNoYardstick says that cyclictest is not installed.
var ErrNoYardstick = errors.New("cyclictest is not on the PATH, and without it nobody can tell the loop's lateness from the machine's: apt install rt-tests")

// Yardstick returns the path of cyclictest.
func Yardstick() (string, error) {
	path, err := exec.LookPath("cyclictest")
	if err != nil {
		return "", ErrNoYardstick
	}
	return path, nil
}

// A yard is how late every wake-up of cyclictest was, by the processor to which its thread
// keeps; under anywhere those of a thread that keeps to none.
type yard map[int][]time.Duration

const anywhere = -1

// mostThreads is on how many processors cyclictest gets a thread on each: more would print
// more than they tell.
const mostThreads = 8

// beside returns, for each tick, how late cyclictest woke up on the tick's processor at
// about that time. Whoever shares a machine loses now this processor, now that one.
func (y yard) beside(wakes []Wake) (late []time.Duration) {
	for i := range wakes {
		there, pinned := y[wakes[i].Processor]
		if !pinned {
			there = y[anywhere]
		}
		if len(there) > 0 {
			late = append(late, there[len(there)*i/len(wakes)])
		}
	}
	return late
}

// aside returns how long behind full seconds cyclictest shall wake up so as to stay out of
// the loop's way, half a period behind it; less than 0 where a second is no multiple of the
// period.
func (o Options) aside(wakes []Wake) time.Duration {
	if len(wakes) == 0 || time.Second%o.Period != 0 {
		return -1
	}
	return (wakes[0].Release + o.Period/2) % o.Period
}

// cyclictest runs it for a while, on every processor that this process may use and beside
// a loop that has its ticks on the tape, and returns the lateness of every wake-up.
func cyclictest(ctx context.Context, path string, o Options, tape string) (yard, error) {
	args := []string{
		"--verbose", "--mlockall", "--distance=0",
		"--interval=" + strconv.FormatInt(o.Period.Microseconds(), 10),
		"--duration=" + strconv.Itoa(int(o.Length.Seconds())),
	}
	if o.Priority > 0 {
		args = append(args, "--policy=fifo", "--priority="+strconv.Itoa(o.Priority))
	} else {
		args = append(args, "--policy=other")
	}
	processors := []int{anywhere}
	if may := mayUse(); len(may) <= mostThreads {
		processors = may
		args = append(args, "--affinity="+list(may))
	}
	args = append(args, "--threads="+strconv.Itoa(len(processors)))
	if wakes, err := ReadTape(tape); err == nil {
		if at := o.aside(wakes); at >= 0 {
			args = append(args, "--secaligned="+strconv.FormatInt(at.Microseconds(), 10))
		}
	}
	text, err := exec.CommandContext(ctx, path, args...).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("loadbench: cyclictest: %w: %s", err, bytes.TrimSpace(text[:min(len(text), 300)]))
	}
	threads, err := parseVerbose(text, o.Period)
	if err != nil {
		return nil, err
	}
	y := yard{}
	for i, late := range threads {
		if i >= 0 && i < len(processors) {
			y[processors[i]] = late
		}
	}
	return y, nil
}

// mayUse returns the processors on which this process may run.
func mayUse() (list []int) {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return []int{0}
	}
	for n := range len(set) * int(8*unsafe.Sizeof(set[0])) {
		if set.IsSet(n) {
			list = append(list, n)
		}
	}
	return list
}

// list joins numbers by commas.
func list(numbers []int) string {
	var text []string
	for _, n := range numbers {
		text = append(text, strconv.Itoa(n))
	}
	return strings.Join(text, ",")
}

// parseVerbose reads "thread: number: microseconds" lines, by threads. cyclictest leaves
// out the releases that passed while it was late; parseVerbose puts them in as for the loop.
func parseVerbose(text []byte, period time.Duration) (map[int][]time.Duration, error) {
	threads := map[int][]time.Duration{}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		fields := bytes.Split(lines.Bytes(), []byte(":"))
		if len(fields) != 3 {
			continue
		}
		n, err := strconv.Atoi(string(bytes.TrimSpace(fields[0])))
		if err != nil {
			continue
		}
		us, err := strconv.ParseInt(string(bytes.TrimSpace(fields[2])), 10, 64)
		if err != nil {
			continue
		}
		d := time.Duration(us) * time.Microsecond
		threads[n] = missed(append(threads[n], d), int(d/period), period)
	}
	if len(threads) == 0 {
		return nil, fmt.Errorf("loadbench: cyclictest measured nothing: %s", bytes.TrimSpace(text[:min(len(text), 300)]))
	}
	return threads, nil
}
