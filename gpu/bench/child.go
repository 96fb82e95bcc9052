package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"runtime"

	"fieldbrain/gpu"
)

// Child runs the bench of the child's program and returns its report. path is as
// in gpu.Find; complaints and progress go to words as they come. The error wraps
// an *exec.ExitError when the program failed.
func Child(ctx context.Context, path string, args []string, words io.Writer) (*Report, error) {
	text, err := Output(ctx, path, append([]string{"--bench", "--json"}, args...), words)
	if err != nil {
		return nil, err
	}
	return Decode(text)
}

// Output runs the child's program like Child and returns what it prints.
func Output(ctx context.Context, path string, args []string, words io.Writer) ([]byte, error) {
	found, err := gpu.Find(path)
	if err != nil {
		return nil, err
	}
	runtime.LockOSThread() // the kernel kills the program when this thread ends
	defer runtime.UnlockOSThread()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, found, args...)
	cmd.Stdout, cmd.Stderr = &out, words
	gpu.Group(cmd)
	if err := gpu.Run(cmd); err != nil {
		return nil, fmt.Errorf("bench: %s %s: %w", found, args[0], err)
	}
	return out.Bytes(), nil
}
