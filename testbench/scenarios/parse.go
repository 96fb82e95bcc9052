package scenarios

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

//go:embed *.toml
var files embed.FS

// An Error is one complaint about a scenario file.
type Error struct {
	File   string // as the caller named it
	Line   int    // 1-based; 0 when the key is missing from the file
	Key    string // dotted; tables of an array are numbered from 0
	Reason string
}

// Error reads file:line: key: reason.
func (e *Error) Error() string {
	at := e.File
	if e.Line > 0 {
		at = fmt.Sprintf("%s:%d", at, e.Line)
	}
	if e.Key != "" {
		at += ": " + e.Key
	}
	return "scenario " + at + ": " + e.Reason
}

// Names lists the built-in scenarios in alphabetical order.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil // an embedded folder is always readable
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".toml")
	}
	return names
}

// Load returns a built-in scenario. An unknown name is refused with the list
// of those there are.
func Load(name string) (*Scenario, error) {
	data, err := files.ReadFile(name + ".toml")
	if err != nil {
		return nil, fmt.Errorf("scenario %q: unknown; there are %s", name, strings.Join(Names(), ", "))
	}
	return Parse(name+".toml", data)
}

// Parse decodes and checks a scenario file. It returns every complaint it has,
// joined, each an *Error.
func Parse(file string, data []byte) (*Scenario, error) {
	sc := defaults()
	sc.Name = strings.TrimSuffix(path.Base(file), ".toml")
	dec := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := dec.Decode(&sc); err != nil {
		return nil, refuse(file, err)
	}
	complaints := sc.check()
	if len(complaints) == 0 {
		slices.SortStableFunc(sc.Faults, func(a, b Fault) int { return cmp.Compare(a.From, b.From) })
		return &sc, nil
	}
	lines := keyLines(data)
	errs := make([]error, len(complaints))
	for i, e := range complaints {
		e.File, e.Line = file, lineOf(lines, e.Key)
		errs[i] = e
	}
	return nil, errors.Join(errs...)
}

// refuse turns the decoder's errors into ours.
func refuse(file string, err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) {
		errs := make([]error, len(unknown.Errors))
		for i := range unknown.Errors {
			e := &unknown.Errors[i]
			line, _ := e.Position()
			errs[i] = &Error{file, line, strings.Join(e.Key(), "."), "unknown key; correct its spelling or remove it"}
		}
		return errors.Join(errs...)
	}
	reason := strings.TrimPrefix(err.Error(), "toml: ")
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		line, _ := wrong.Position()
		return &Error{file, line, strings.Join(wrong.Key(), "."), reason}
	}
	return &Error{File: file, Reason: reason}
}

// lineOf finds the key's line, or that of the nearest table around it.
func lineOf(lines map[string]int, key string) int {
	for key != "" {
		if line := lines[key]; line > 0 {
			return line
		}
		key = key[:max(strings.LastIndexByte(key, '.'), 0)]
	}
	return 0
}

// keyLines maps every dotted key and table of a document to its line. The
// tables of an array are numbered from 0: fault.0.kind.
func keyLines(data []byte) map[string]int {
	lines, seen := map[string]int{}, map[string]int{}
	var p unstable.Parser
	p.Reset(data)
	table := ""
	for p.NextExpression() {
		switch n := p.Expression(); n.Kind {
		case unstable.Table:
			key, line := nodeKey(data, n)
			table = number(seen, key)
			lines[table] = line
		case unstable.ArrayTable:
			key, line := nodeKey(data, n)
			seen[key]++
			table = number(seen, key)
			lines[table] = line
		case unstable.KeyValue:
			noteKeys(data, table, n, lines)
		}
	}
	return lines
}

// number inserts the current index of every array of tables on the way.
func number(seen map[string]int, key string) string {
	numbered, plain := "", ""
	for part := range strings.SplitSeq(key, ".") {
		numbered, plain = join(numbered, part), join(plain, part)
		if n := seen[plain]; n > 0 {
			numbered = fmt.Sprintf("%s.%d", numbered, n-1)
		}
	}
	return numbered
}

// noteKeys notes a key and, for an inline table, the keys in it.
func noteKeys(data []byte, table string, n *unstable.Node, lines map[string]int) {
	key, line := nodeKey(data, n)
	key = join(table, key)
	lines[key] = line
	if v := n.Value(); v.Kind == unstable.InlineTable {
		for it := v.Children(); it.Next(); {
			noteKeys(data, key, it.Node(), lines)
		}
	}
}

// nodeKey returns the dotted key of a table or key-value node and its line.
func nodeKey(data []byte, n *unstable.Node) (key string, line int) {
	for it := n.Key(); it.Next(); {
		part := it.Node()
		key = join(key, string(part.Data))
		if line == 0 {
			line = 1 + bytes.Count(data[:part.Raw.Offset], []byte("\n"))
		}
	}
	return key, line
}

func join(table, key string) string {
	if table == "" {
		return key
	}
	return table + "." + key
}
