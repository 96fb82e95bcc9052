package softcuda

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// management is the source of the management library in software.
//
//go:embed nvml/nvml.cc
var management string

// NVML compiles a libnvidia-ml.so.1 for this driver's card, or finds it in the cache, and
// returns its folder. It lies apart from the driver: a program finds it only with that
// folder in LD_LIBRARY_PATH, too, see WithNVML. What it answers stands in a file that the
// variable SOFTCUDA_NVML names, "name value" in each line, and may change at any time:
//
//	bus 0000:00:00.0   the card's PCI address, as the driver says it
//	used, room         bytes
//	clock, most        MHz
//	load               percent
//	heat               C
//	reasons 0x20       nvmlClocksEventReasons
//	init 9             what nvmlInit answers, 0 without
//
// What is not in the file is not supported; the value hang never answers. The library
// lacks the functions that are named.
func (l Library) NVML(ctx context.Context, lacks ...string) (dir string, err error) {
	b := builder{Options: l.options}
	exports := "{ global: nvml*; local: *; " + strings.Join(append(lacks, "};"), "; ") + "\n"
	flags := []string{"-std=c++17", "-O1", "-fPIC", "-shared", "-static-libstdc++", "-static-libgcc", "-Wl,-soname,libnvidia-ml.so.1"}
	h := newHash("nvml", b.Compiler, management, exports, strings.Join(flags, " "))
	dir, err = b.cached(ctx, "nvml", h, func(dir string) error {
		source, script := filepath.Join(dir, "nvml.cc"), filepath.Join(dir, "exports")
		if err := os.WriteFile(source, []byte(management), 0o600); err != nil {
			return err
		}
		if err := os.WriteFile(script, []byte(exports), 0o600); err != nil {
			return err
		}
		_, err := b.run(ctx, dir, b.Compiler, append(flags, "-Wl,--version-script="+script, "-o", filepath.Join(dir, "libnvidia-ml.so.1"), source)...)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("softcuda: the management library: %w", err)
	}
	return dir, nil
}

// WithNVML returns Env with the management library of a folder before what else is there,
// and the file that it answers from.
func (l Library) WithNVML(dir, file string, extra ...string) []string {
	env := l.Env("SOFTCUDA_NVML=" + file)
	for i, v := range env {
		if path, is := strings.CutPrefix(v, "LD_LIBRARY_PATH="); is {
			env[i] = "LD_LIBRARY_PATH=" + dir + string(filepath.ListSeparator) + path
		}
	}
	return append(env, extra...)
}
