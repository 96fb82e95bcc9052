package softcuda

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Options say which variant of the library to build.
type Options struct {
	Compiler string   // "" is g++; a cross compiler's name ends in g++ too
	Sanitize string   // "", "address" or "undefined"
	Track    bool     // see every load and store of the kernels (see Checks above)
	Sources  []string // .cu files; none is gpu/kernels/fieldbrain.cu of the module around
	Cache    string   // folder of the builds; "" is fieldbrain-softcuda in the user's cache
}

// A Library is a built libcuda.so.1.
type Library struct {
	Dir     string // has libcuda.so.1 and libcuda.so
	Include string // has cuda.h
	Kernels []string
	options Options
	preload string // the address sanitizer's own library
}

// Build compiles the library, or finds it in the cache: its folder's name is a
// hash of everything that goes into it. Several processes may build at once.
// The error says which tool is missing, or holds the compiler's words.
func Build(ctx context.Context, o Options) (Library, error) {
	o, err := o.complete()
	if err != nil {
		return Library{}, err
	}
	b := builder{Options: o}
	for _, ask := range []string{"-dumpmachine", "-dumpfullversion"} {
		said, err := b.run(ctx, "", o.Compiler, ask)
		if err != nil {
			return Library{}, fmt.Errorf("softcuda needs a C++ compiler: %w: install g++ (Debian: apt-get install g++)", err)
		}
		b.version += said
	}
	driver, err := b.driver(ctx)
	if err != nil {
		return Library{}, fmt.Errorf("softcuda: the driver: %w", err)
	}
	lib := Library{Include: filepath.Join(driver, "include"), options: o}
	if lib.Dir, err = b.library(ctx, driver); err != nil {
		return Library{}, fmt.Errorf("softcuda: the kernels: %w", err)
	}
	names, err := os.ReadFile(filepath.Join(lib.Dir, "kernels.txt"))
	if err != nil {
		return Library{}, fmt.Errorf("softcuda: %w: remove the folder %s", err, lib.Dir)
	}
	lib.Kernels = strings.Fields(string(names))
	if o.Sanitize == "address" {
		path, err := b.run(ctx, "", o.Compiler, "-print-file-name=libasan.so")
		if err != nil {
			return Library{}, fmt.Errorf("softcuda: the address sanitizer: %w", err)
		}
		lib.preload = strings.TrimSpace(path)
	}
	return lib, nil
}

// complete fills in the missing options.
func (o Options) complete() (Options, error) {
	if o.Compiler == "" {
		o.Compiler = "g++"
	}
	if !slices.Contains([]string{"", "address", "undefined"}, o.Sanitize) {
		return o, fmt.Errorf("softcuda: no sanitizer %q: want address or undefined", o.Sanitize)
	}
	if o.Track && o.Sanitize == "address" {
		return o, fmt.Errorf("softcuda: Track and the address sanitizer exclude each other: build one library for each")
	}
	if o.Cache == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			cache = os.TempDir() // no home: a test's clean environment
		}
		o.Cache = filepath.Join(cache, "fieldbrain-softcuda")
	}
	if len(o.Sources) == 0 {
		root, err := moduleRoot()
		if err != nil {
			return o, err
		}
		o.Sources = []string{filepath.Join(root, "gpu", "kernels", "fieldbrain.cu")}
	}
	o.Sources = slices.Clone(o.Sources)
	for i, s := range o.Sources {
		path, err := filepath.Abs(s)
		if err != nil {
			return o, fmt.Errorf("softcuda: the source %s: %w", s, err)
		}
		o.Sources[i] = path
	}
	return o, nil
}

// moduleRoot finds the folder of this module's go.mod above the working one.
func moduleRoot() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("softcuda: %w", err)
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(text), "module fieldbrain\n") {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("softcuda: %s is not in the fieldbrain module: name the kernels in Options.Sources", start)
		}
	}
}

// Env returns the process's environment in which programs find this library
// first, and extra variables last.
func (l Library) Env(extra ...string) []string {
	path := l.Dir
	if old := os.Getenv("LD_LIBRARY_PATH"); old != "" {
		path += string(filepath.ListSeparator) + old
	}
	env := without(os.Environ(), "LD_LIBRARY_PATH=", "SOFTCUDA_")
	env = append(env, "LD_LIBRARY_PATH="+path)
	if l.preload != "" {
		env = append(env, "LD_PRELOAD="+l.preload)
		if os.Getenv("ASAN_OPTIONS") == "" {
			env = append(env, "ASAN_OPTIONS=detect_leaks=0")
		}
	}
	return append(env, extra...)
}

// CgoEnv returns the variables with which go build compiles cgo packages against
// this library and its cuda.h.
func (l Library) CgoEnv() []string {
	env := []string{"CGO_ENABLED=1", "CGO_CFLAGS=-O2 -g -I" + l.Include, "CGO_LDFLAGS=-O2 -g -L" + l.Dir}
	if prefix, cross := strings.CutSuffix(l.options.Compiler, "g++"); cross && prefix != "" {
		env = append(env, "CC="+prefix+"gcc", "CXX="+l.options.Compiler)
	}
	return env
}

func without(env []string, prefixes ...string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(v, p) })
	})
}
