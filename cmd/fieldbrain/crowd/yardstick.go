package crowd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"time"
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

// cyclictest runs it for a while and returns the lateness of every wake-up.
func cyclictest(ctx context.Context, path string, o Options) ([]time.Duration, error) {
	args := []string{
		"--verbose", "--mlockall", "--threads=1", "--distance=0",
		"--interval=" + strconv.FormatInt(o.Period.Microseconds(), 10),
		"--duration=" + strconv.Itoa(int(o.Length.Seconds())),
	}
	if o.Priority > 0 {
		args = append(args, "--policy=fifo", "--priority="+strconv.Itoa(o.Priority))
	} else {
		args = append(args, "--policy=other")
	}
	text, err := exec.CommandContext(ctx, path, args...).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("crowd: cyclictest: %w: %s", err, bytes.TrimSpace(text[:min(len(text), 300)]))
	}
	return parseVerbose(text, o.Period)
}

// parseVerbose reads "thread: number: microseconds" lines. cyclictest leaves out the
// releases that passed while it was late; parseVerbose puts them in as for the loop.
func parseVerbose(text []byte, period time.Duration) ([]time.Duration, error) {
	var late []time.Duration
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		fields := bytes.Split(lines.Bytes(), []byte(":"))
		if len(fields) != 3 {
			continue
		}
		us, err := strconv.ParseInt(string(bytes.TrimSpace(fields[2])), 10, 64)
		if err != nil {
			continue
		}
		d := time.Duration(us) * time.Microsecond
		late = missed(append(late, d), int(d/period), period)
	}
	if len(late) == 0 {
		return nil, fmt.Errorf("crowd: cyclictest measured nothing: %s", bytes.TrimSpace(text[:min(len(text), 300)]))
	}
	return late, nil
}
