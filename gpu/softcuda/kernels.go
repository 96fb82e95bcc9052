package softcuda

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A kernel is one __global__ function.
type kernel struct {
	name  string
	bound string // the first argument of its __launch_bounds__, a C++ expression
}

// declared matches a kernel in what the preprocessor leaves of the sources when
// SOFTCUDA_LIST is defined (see device.h); bounded and named match what follows.
var (
	declared = regexp.MustCompile(`\bsoftcuda_global\s+void\s+`)
	bounded  = regexp.MustCompile(`^softcuda_bounds\s*\(`)
	named    = regexp.MustCompile(`^\s*(\w+)\s*\(`)
)

// list finds the kernels of the sources, macros expanded.
func (b *builder) list(ctx context.Context, driver string) ([]kernel, error) {
	var all []kernel
	for _, s := range b.Sources {
		args := []string{"-std=c++17", "-E", "-P", "-DSOFTCUDA_LIST", "-I.", "-Iinclude", "-include", "device.h", "-x", "c++", s}
		text, err := b.run(ctx, driver, b.Compiler, args...)
		if err != nil {
			return nil, err
		}
		found := parse(text)
		if len(found) == 0 {
			return nil, fmt.Errorf("%s declares no kernel: want extern \"C\" __global__ void name(...)", s)
		}
		all = append(all, found...)
	}
	return all, nil
}

// parse finds the kernels in preprocessed text.
func parse(text string) []kernel {
	var found []kernel
	for _, at := range declared.FindAllStringIndex(text, -1) {
		rest, k := text[at[1]:], kernel{bound: "kMaxThreads"}
		if m := bounded.FindString(rest); m != "" {
			k.bound, rest = firstArgument(rest[len(m):])
		}
		if m := named.FindStringSubmatch(rest); m != nil {
			k.name = m[1]
			found = append(found, k)
		}
	}
	return found
}

// firstArgument returns a call's first argument and what follows the call. The
// text begins behind the opening parenthesis.
func firstArgument(text string) (first, rest string) {
	depth, end := 1, -1
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if end < 0 && (depth == 0 || depth == 1 && c == ',') {
			end = i
		}
		if depth == 0 {
			return strings.TrimSpace(text[:end]), text[i+1:]
		}
	}
	return "", ""
}

// table is the translation unit that holds the sources and the table of their
// kernels.
func table(files []string, list []kernel) string {
	var b strings.Builder
	b.WriteString("#include \"device.h\"\n")
	for _, f := range files {
		fmt.Fprintf(&b, "#include %q\n", f)
	}
	b.WriteString("#include \"driver/registry.h\"\nnamespace softcuda {\nextern const Kernel kKernels[] = {\n")
	for _, k := range list {
		fmt.Fprintf(&b, "\tkernel<%s>(%q, unsigned(%s)),\n", k.name, k.name, k.bound)
	}
	fmt.Fprintf(&b, "};\nextern const size_t kKernelCount = %d;\n}\n", len(list))
	return b.String()
}

// included matches an include of a file beside the source.
var included = regexp.MustCompile(`(?m)^#include "([^"]+)"`)

// addSource adds a kernel source and every file that it includes by a path of its
// own, and those that they include.
func (h hash) addSource(path string, seen map[string]bool) error {
	path = filepath.Clean(path)
	if seen[path] {
		return nil
	}
	seen[path] = true
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("a kernel source: %w: name it in Options.Sources", err)
	}
	h.add(path, string(text))
	for _, m := range included.FindAllStringSubmatch(string(text), -1) {
		if err := h.addSource(filepath.Join(filepath.Dir(path), m[1]), seen); err != nil {
			return err
		}
	}
	return nil
}
