package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/mod/module"
)

func main() { os.Exit(run(".", os.Args[1:], os.Stdout, os.Stderr)) }

// run renames the module in a folder and returns the exit code.
func run(root string, args []string, out, complaints io.Writer) int {
	if len(args) != 1 || args[0] == "" {
		fmt.Fprintln(complaints, "rename: name the new path: make rename MODULE=example.org/owner/fieldbrain")
		return 2
	}
	if err := errors.Join(allowed(args[0]), clean(root)); err != nil {
		fmt.Fprintf(complaints, "rename: %v\n", err)
		return 2
	}
	old, files, err := rename(root, args[0])
	if err != nil {
		fmt.Fprintf(complaints, "rename: %v\n", err)
		return 1
	}
	fmt.Fprintf(out, "%s is %s now: %d files changed. Look at git diff, then make build.\n", old, args[0], files)
	return 0
}

// allowed refuses a path that Go could not fetch.
func allowed(path string) error {
	if err := module.CheckPath(path); err != nil {
		return fmt.Errorf("%w; write it like example.org/owner/fieldbrain", err)
	}
	return nil
}

// clean refuses a checkout with changes that a rename would be mixed with.
func clean(root string) error {
	cmd := exec.Command("git", "status", "--porcelain")
	cmd.Dir = root
	text, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("git status: %w: only in a git checkout can a rename be looked at and undone", err)
	}
	if changes := strings.TrimSpace(string(text)); changes != "" {
		first, _, _ := strings.Cut(changes, "\n")
		return fmt.Errorf("there are changes that are not committed (%s): commit or stash them first", strings.TrimSpace(first))
	}
	return nil
}
