package main

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/alecthomas/kong"

	"fieldbrain/field/cpu"
	"fieldbrain/files"
)

type versionCmd struct {
	JSON bool `help:"Print one JSON object." name:"json"`
}

// build says how this program came to be.
type build struct {
	Version  string   `json:"version"`
	Revision string   `json:"revision"`
	Go       string   `json:"go"`
	Platform string   `json:"platform"`
	Cgo      bool     `json:"cgo"`
	Engines  []string `json:"engines"`
}

// versionFlag is --version.
type versionFlag bool

// BeforeReset prints the build and ends; it ignores the rest of the line.
func (versionFlag) BeforeReset(e *env, parser *kong.Kong) error {
	thisBuild().print(e)
	parser.Exit(report(e, nil))
	return nil
}

// Run prints the build.
func (c versionCmd) Run(e *env) error {
	b := thisBuild()
	if c.JSON {
		return printJSON(e, b)
	}
	b.print(e)
	return nil
}

// print writes the build for people.
func (b build) print(e *env) {
	with := "without cgo"
	if b.Cgo {
		with = "with cgo"
	}
	fmt.Fprintf(e.out, "fieldbrain %s (%s), %s, %s, %s\nengines: %s\n",
		b.Version, b.Revision, b.Go, b.Platform, with, strings.Join(b.Engines, ", "))
}

// thisBuild reads the values that the linker left in the program.
func thisBuild() build {
	b := build{
		Version: "unreleased", Revision: "unknown revision",
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Engines: cpu.ISAs(),
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	dirty := ""
	for _, s := range info.Settings {
		switch s.Key {
		case "CGO_ENABLED":
			b.Cgo = s.Value == "1"
		case "vcs.revision":
			b.Revision = s.Value[:min(len(s.Value), 12)]
		case "vcs.modified":
			if s.Value == "true" {
				dirty = "+changes"
			}
		}
	}
	b.Revision = cmp.Or(b.Revision, "unknown revision") + dirty
	return b
}

// ownSum is the hash of this program's file, to which more can be added.
func ownSum() (hash.Hash, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	f, err := files.Open(self)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return nil, fmt.Errorf("read %s: %w", self, err)
	}
	return sum, nil
}
