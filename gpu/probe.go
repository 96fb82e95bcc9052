package gpu

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Probe starts the child's program with the flag --probe, which makes it look
// for a card, print a report whose first line is "device: NAME" and end. It
// returns the name, or what the program said against it.
func Probe(ctx context.Context, path string) (string, error) {
	found, err := Find(path)
	if err != nil {
		return "", err
	}
	runtime.LockOSThread() // the kernel kills the program when this thread ends
	defer runtime.UnlockOSThread()
	words := new(tail)
	cmd := exec.CommandContext(ctx, found, "--probe")
	cmd.Stderr = words
	cmd.WaitDelay = time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.Output()
	first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	switch said := words.String(); {
	case ctx.Err() != nil:
		return "", fmt.Errorf("gpu: %s --probe: no answer in time: %w", found, ctx.Err())
	case err != nil && said != "":
		return "", fmt.Errorf("gpu: %s --probe: %w: %s", found, err, said)
	case err != nil:
		return "", fmt.Errorf("gpu: %s --probe: %w", found, err)
	case first == "":
		return "", errors.New("gpu: " + found + " --probe names no card")
	}
	return printable([]byte(strings.TrimSpace(strings.TrimPrefix(first, "device:")))), nil
}
