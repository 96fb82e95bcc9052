package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// A docPage is a text that people read: README, the files beside it, and docs.
type docPage struct {
	name string   // from the root, with slashes
	text string   // whole
	code []string // what stands between backquotes, and the lines of fenced blocks
}

var (
	docFence = regexp.MustCompile("(?ms)^```\\w*\n(.*?)^```")
	docSpan  = regexp.MustCompile("`([^`\n]+)`")
)

// docPages reads every Markdown file of the house.
func docPages(t *testing.T) []docPage {
	t.Helper()
	var list []docPage
	written(t, func(name string) {
		if path.Ext(name) != ".md" {
			return
		}
		p := docPage{name: name, text: read(t, name)}
		p.text, _, _ = strings.Cut(p.text, "\n## Rejected") // names what is not
		for _, block := range docFence.FindAllStringSubmatch(p.text, -1) {
			p.code = append(p.code, strings.Split(block[1], "\n")...)
		}
		for i := range p.code {
			p.code[i], _, _ = strings.Cut(p.code[i], "#")
		}
		p.text = docFence.ReplaceAllString(p.text, "")
		for _, span := range docSpan.FindAllStringSubmatch(p.text, -1) {
			p.code = append(p.code, span[1])
		}
		list = append(list, p)
	})
	if len(list) < 20 {
		t.Fatalf("only %d pages found", len(list))
	}
	return list
}

// there reports whether a path from the root names something, or begins the
// name of something, as docs/decisions/0004 does.
func there(name string) bool {
	if _, err := os.Stat(filepath.Join(root, name)); err == nil {
		return true
	}
	longer, err := filepath.Glob(filepath.Join(root, name) + "-*.md")
	return err == nil && len(longer) > 0
}

var docLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestDocsLinks: every link within the house leads somewhere.
func TestDocsLinks(t *testing.T) {
	for _, p := range docPages(t) {
		for _, found := range docLink.FindAllStringSubmatch(p.text, -1) {
			target, _, _ := strings.Cut(found[1], "#")
			if target == "" || strings.Contains(target, "://") {
				continue
			}
			if !there(path.Join(path.Dir(p.name), target)) {
				t.Errorf("%s: nothing is at %s", p.name, found[1])
			}
		}
	}
}

var docFunction = regexp.MustCompile("\\[`(?:\\w+\\.)?(\\w+)`\\]\\(([\\w./-]+\\.go)\\)")

// TestDocsFunctions: a function that a page links to is in that file.
func TestDocsFunctions(t *testing.T) {
	seen := 0
	for _, p := range docPages(t) {
		for _, found := range docFunction.FindAllStringSubmatch(p.text, -1) {
			seen++
			file := path.Join(path.Dir(p.name), found[2])
			if !there(file) {
				continue // TestDocsLinks says so
			}
			if !regexp.MustCompile(`(?m)^func (\([^)]+\) )?` + found[1] + `\(`).MatchString(read(t, file)) {
				t.Errorf("%s: %s has no function %s", p.name, file, found[1])
			}
		}
	}
	if seen < 4 {
		t.Errorf("only %d functions found in the pages: README leads to four", seen)
	}
}

var (
	docPath = regexp.MustCompile(`^([\w.-]+)/[\w./-]+$`)
	docFile = regexp.MustCompile(`^([\w-]+/)*[\w-]+\.md$`)
)

// named reports whether a word is meant as a file or folder of the house: its
// first folder is one of ours, or it is a document.
func named(word string) bool {
	found := docPath.FindStringSubmatch(word)
	switch {
	case strings.HasPrefix(word, "docs/source/"): // the vendor's
		return false
	case found != nil && found[1] != "bin":
		info, err := os.Stat(filepath.Join(root, found[1]))
		return err == nil && info.IsDir() || found[1] == "decisions"
	}
	return docFile.MatchString(word)
}

// TestDocsPaths: every file and folder that a page names is there. A page may
// name its neighbours from where it stands, and documents from docs.
func TestDocsPaths(t *testing.T) {
	for _, p := range docPages(t) {
		for _, code := range p.code {
			name := strings.TrimSuffix(strings.TrimSpace(code), "/")
			if named(name) && !there(name) && !there(path.Join(path.Dir(p.name), name)) && !there(path.Join("docs", name)) {
				t.Errorf("%s: there is no %s", p.name, name)
			}
		}
	}
}

// TestDocsTargets: every target that a page tells people to make is one.
func TestDocsTargets(t *testing.T) {
	var known []string
	for _, line := range regexp.MustCompile(`(?m)^([a-z][a-z0-9 -]*):`).FindAllStringSubmatch(read(t, "Makefile"), -1) {
		known = append(known, strings.Fields(line[1])...)
	}
	told := regexp.MustCompile(`^(?:sudo )?make((?: [a-z][a-z0-9-]*)+)`)
	seen := 0
	for _, p := range docPages(t) {
		for _, code := range p.code {
			words := told.FindStringSubmatch(strings.TrimSpace(code))
			if words == nil {
				continue
			}
			for _, target := range strings.Fields(words[1]) {
				seen++
				if !slices.Contains(known, target) {
					t.Errorf("%s: %q names a target that the Makefile does not have", p.name, code)
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d targets found in the pages", seen)
	}
}

var (
	docCall = regexp.MustCompile(`(?:^|[\s;&|(])(?:bin/|\./|/usr/bin/)?fieldbrain(?:-arm64)?((?: +[^\s;&|#]+)+)`)
	docWord = regexp.MustCompile(`^[a-z]+$`)
	docFlag = regexp.MustCompile(`^--([a-z-]+)`)
)

// TestDocsCommands: every command and flag that a page shows is one that the
// program knows.
func TestDocsCommands(t *testing.T) {
	parser, err := kong.New(&cli{}, kong.Name("fieldbrain"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, p := range docPages(t) {
		for _, code := range p.code {
			for _, call := range docCall.FindAllStringSubmatch(code, -1) {
				if why := misused(parser.Model.Node, strings.Fields(call[1])); why != "" {
					t.Errorf("%s: %q: %s", p.name, code, why)
				}
				seen++
			}
		}
	}
	if seen < 50 {
		t.Errorf("only %d commands found in the pages", seen)
	}
}

// misused says why the program would not take these words, or nothing.
func misused(node *kong.Node, words []string) string {
	for _, word := range words {
		child := slices.IndexFunc(node.Children, func(c *kong.Node) bool { return c.Name == word || slices.Contains(c.Aliases, word) })
		if child < 0 && node.DefaultCmd != nil {
			node = node.DefaultCmd // the group means this one of its commands
		}
		switch {
		case child >= 0:
			node = node.Children[child]
		case docFlag.MatchString(word):
			name := docFlag.FindStringSubmatch(word)[1]
			known := func(f *kong.Flag) bool { return f.Name == name || "no-"+f.Name == name && f.IsBool() }
			if name != "help" && !slices.ContainsFunc(slices.Concat(node.AllFlags(false)...), known) {
				return node.Name + " has no flag --" + name
			}
		case strings.Contains(word, "("):
			return "" // prose
		case docWord.MatchString(word) && len(node.Children) > 0 && len(node.Positional) == 0:
			return node.Name + " has no command " + word
		}
	}
	return ""
}

// TestDecisions: every record says its status and stands in the index.
func TestDecisions(t *testing.T) {
	index := read(t, "docs/decisions/README.md")
	status := regexp.MustCompile(`^# \d{4} [^\n]+\n\nStatus: (in force|replaced by \d{4})`)
	records, err := filepath.Glob(filepath.Join(root, "docs/decisions/[0-9]*.md"))
	if err != nil || len(records) < 17 {
		t.Fatalf("%d records: %v", len(records), err)
	}
	for i, name := range records {
		name = filepath.Base(name)
		if !status.MatchString(read(t, "docs/decisions/"+name)) {
			t.Errorf("%s does not begin with its number, title and status", name)
		}
		if !strings.Contains(index, "("+name+")") {
			t.Errorf("the index of decisions lacks %s", name)
		}
		if !strings.HasPrefix(name, fmt.Sprintf("%04d-", i+1)) {
			t.Errorf("%s is record %d: a number is missing or given twice", name, i+1)
		}
	}
}

// TestDocsIndex: the index names every document, and README is read at one
// sitting.
func TestDocsIndex(t *testing.T) {
	if n := strings.Count(read(t, "README.md"), "\n"); n > 200 {
		t.Errorf("README has %d lines, more than 200", n)
	}
	index := read(t, "docs/README.md")
	for _, p := range docPages(t) {
		name, is := strings.CutPrefix(p.name, "docs/")
		if is && path.Dir(name) == "." && name != "README.md" && !strings.Contains(index, "("+name+")") {
			t.Errorf("the index of documents lacks %s", name)
		}
	}
}

// TestDocsArchitecture: the page that shows the whole program is two screens long, but
// for its table of faults, and its lines can be read.
func TestDocsArchitecture(t *testing.T) {
	const name, mostLines, longest = "docs/architecture.md", 130, 300
	head, table, is := strings.Cut(read(t, name), "\n## Faults\n")
	if n := strings.Count(head, "\n"); !is || n > mostLines {
		t.Errorf("%s has %d lines before its table of faults, more than %d", name, n, mostLines)
	}
	for line := range strings.Lines(head + table) {
		if n := len([]rune(line)); n > longest && !strings.HasPrefix(line, "|") {
			t.Errorf("%s has a line of %d characters, more than %d: %.60s", name, n, longest, line)
		}
	}
}

// TestWorkflow: the hosted build runs every stage of .ci/run and no other.
func TestWorkflow(t *testing.T) {
	list := regexp.MustCompile(`(?m)^stages=\(([^)]+)\)`).FindStringSubmatch(read(t, ".ci/run"))
	if list == nil {
		t.Fatal(".ci/run has no line stages=(...)")
	}
	want := strings.Fields(list[1])
	var got []string
	for _, job := range regexp.MustCompile(`(?m)^ +- (tools [a-z0-9_ ]+)$`).FindAllStringSubmatch(read(t, ".github/workflows/ci.yml"), -1) {
		got = append(got, strings.Fields(job[1])...)
	}
	slices.Sort(want)
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("the workflow runs %q, .ci/run %q", got, want)
	}
}

// read returns a file by its path from the root.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
