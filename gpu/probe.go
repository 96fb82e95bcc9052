package gpu

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
)

// A head keeps the beginning of what a program says.
type head struct{ text []byte }

// Write never fails.
func (h *head) Write(p []byte) (int, error) {
	h.text = append(h.text, p[:min(len(p), tailBytes-len(h.text))]...)
	return len(p), nil
}

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
	words, out := new(tail), new(head)
	cmd := exec.CommandContext(ctx, found, "--probe")
	cmd.Stderr, cmd.Stdout = words, out
	Group(cmd)
	err = Run(cmd)
	first, _, _ := strings.Cut(strings.TrimSpace(string(out.text)), "\n")
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
