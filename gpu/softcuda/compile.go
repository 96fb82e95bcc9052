package softcuda

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// sources are the driver's, embedded: a build does not depend on where the module lies.
//
//go:embed device.h driver include
var sources embed.FS

// exports are all symbols that the library shows.
const exports = "{ global: cu*; softcuda_live_allocations; softcuda_launches; local: *; };\n"

// A builder compiles one variant.
type builder struct {
	Options
	version string // of the compiler
}

// run runs a program in a folder and returns its output; its complaints are in the
// error.
func (b *builder) run(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err == nil {
		return string(out), nil
	}
	text := complaints.String()
	if len(text) > 4000 {
		text = text[:4000] + "\n..."
	}
	return "", fmt.Errorf("%s: %w\n%s", name, err, text)
}

// flags are those of every translation unit. Contraction would fuse products
// and sums, which the kernels' float rule forbids.
func (b *builder) flags() []string {
	f := []string{
		"-std=c++17", "-O2", "-g1", "-fPIC", "-pthread", "-ftls-model=initial-exec", "-ffp-contract=off",
		"-fno-strict-aliasing", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Wno-unknown-pragmas", "-I.", "-Iinclude",
	}
	switch b.Sanitize {
	case "address":
		f = append(f, "-fsanitize=address", "-fno-omit-frame-pointer")
	case "undefined":
		f = append(f, "-fsanitize=undefined", "-fno-sanitize-recover=undefined")
	}
	if b.Track {
		f = append(f, "-DSOFTCUDA_TRACK")
	}
	return f
}

// kernelFlags are the further ones of the kernels.
func (b *builder) kernelFlags() []string {
	f := append(b.flags(), "-Wno-unused-function", "-Wno-unused-variable")
	if b.Track {
		f = append(f, "-fsanitize=kernel-address", "--param", "asan-instrumentation-with-call-threshold=0",
			"--param", "asan-stack=0", "--param", "asan-globals=0")
	}
	return f
}

// driver builds everything but the kernels, and returns its folder.
func (b *builder) driver(ctx context.Context) (string, error) {
	h := newHash("driver", b.version, strings.Join(b.flags(), " "), exports)
	if err := h.addFS(sources); err != nil {
		return "", err
	}
	return b.cached(ctx, "driver", h, func(dir string) error {
		if err := os.CopyFS(dir, sources); err != nil {
			return err
		}
		units, err := together(dir)
		if err != nil {
			return err
		}
		if err := b.compileAll(ctx, dir, units); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, "exports"), []byte(exports), 0o600)
	})
}

// together makes a few units of the driver's files, since most of the time goes
// into the standard library's headers: the machine, the calls, and the stubs,
// whose types contradict cuda.h.
func together(dir string) (units []string, err error) {
	files, err := fs.Glob(sources, "driver/*.cc")
	if err != nil {
		return nil, err
	}
	unit := map[string]string{"fiber.cc": "machine", "grid.cc": "machine", "machine.cc": "machine", "track.cc": "machine", "stubs.cc": "stubs"}
	text := map[string]string{}
	for _, f := range files {
		name := filepath.Base(f)
		text[cmp.Or(unit[name], "calls")] += fmt.Sprintf("#include %q\n", name)
	}
	for name, includes := range text {
		path := filepath.Join(dir, "driver", "all-"+name+".cc")
		if err := os.WriteFile(path, []byte(includes), 0o600); err != nil {
			return nil, err
		}
		units = append(units, path)
	}
	return units, nil
}

// compileAll compiles units beside themselves, as many at once as there are processors.
func (b *builder) compileAll(ctx context.Context, dir string, units []string) error {
	var group sync.WaitGroup
	permits := make(chan struct{}, runtime.GOMAXPROCS(0))
	failed := make([]error, len(units))
	for i, unit := range units {
		group.Go(func() {
			permits <- struct{}{}
			defer func() { <-permits }()
			object := strings.TrimSuffix(unit, ".cc") + ".o"
			_, failed[i] = b.run(ctx, dir, b.Compiler, append(b.flags(), "-c", unit, "-o", object)...)
		})
	}
	group.Wait()
	return errors.Join(failed...)
}

// library compiles the kernels, links them with the driver, and returns the folder.
func (b *builder) library(ctx context.Context, driver string) (string, error) {
	h := newHash("library", filepath.Base(driver), strings.Join(b.kernelFlags(), " "))
	for _, s := range b.Sources {
		if err := h.addSource(s, map[string]bool{}); err != nil {
			return "", err
		}
	}
	return b.cached(ctx, "lib", h, func(dir string) error {
		list, err := b.list(ctx, driver)
		if err != nil {
			return err
		}
		unit := filepath.Join(dir, "kernels.cc")
		if err := os.WriteFile(unit, []byte(table(b.Sources, list)), 0o600); err != nil {
			return err
		}
		object := filepath.Join(dir, "kernels.o")
		if _, err := b.run(ctx, driver, b.Compiler, append(b.kernelFlags(), "-c", unit, "-o", object)...); err != nil {
			return err
		}
		return b.link(ctx, driver, dir, list)
	})
}

// link makes the shared library and the file with the kernels' names.
func (b *builder) link(ctx context.Context, driver, dir string, list []kernel) error {
	objects, err := filepath.Glob(filepath.Join(driver, "driver", "*.o"))
	if err != nil {
		return err
	}
	args := append(b.flags(), "-shared", "-Wl,-soname,libcuda.so.1", "-Wl,--version-script="+filepath.Join(driver, "exports"),
		"-static-libstdc++", "-static-libgcc", "-o", filepath.Join(dir, "libcuda.so.1"), filepath.Join(dir, "kernels.o"))
	if _, err := b.run(ctx, driver, b.Compiler, append(args, objects...)...); err != nil {
		return err
	}
	if err := os.Symlink("libcuda.so.1", filepath.Join(dir, "libcuda.so")); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	var names strings.Builder
	for _, k := range list {
		fmt.Fprintln(&names, k.name)
	}
	return os.WriteFile(filepath.Join(dir, "kernels.txt"), []byte(names.String()), 0o600)
}
