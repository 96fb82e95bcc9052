package daemon

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// maxConfig bounds what is read: a configuration has some hundred lines.
const maxConfig = 1 << 20

// ReadConfig reads and checks a file. It returns Complaints for what a person
// must mend, in the file or about it (a directory, no right to read it), and an
// ordinary error when the file is missing or breaks while it is read.
func ReadConfig(path string) (Config, error) {
	refuse := func(reason, remedy string) (Config, error) {
		return Config{}, Complaints{{File: path, Reason: reason, Remedy: remedy}}
	}
	// Without O_NONBLOCK, opening a named pipe would wait for its writer for ever.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return refuse("may not be read by this user", "make it readable, or run as its owner")
	case err != nil:
		return Config{}, fmt.Errorf("daemon: open configuration: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return Config{}, fmt.Errorf("daemon: look at configuration: %w", err)
	case info.IsDir():
		return refuse("is a directory", "name the file in it, such as "+filepath.Join(path, "fieldbrain.toml"))
	case !info.Mode().IsRegular():
		return refuse("is not a regular file", "write the settings into a file and name that")
	}
	text, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return Config{}, fmt.Errorf("daemon: read configuration: %w", err)
	}
	return ParseConfig(path, text)
}

// ParseConfig decodes a configuration over the defaults: unknown keys, wrong
// types and values out of range are complaints with file, line, key, reason and
// remedy, all at once. The Config is meaningful only when the error is nil.
func ParseConfig(file string, text []byte) (Config, error) {
	c := DefaultConfig()
	if len(text) > maxConfig {
		return c, Complaints{{File: file, Reason: "the file is larger than 1 MiB", Remedy: "is it the right file?"}}
	}
	document := map[string]any{}
	if err := toml.Unmarshal(text, &document); err != nil {
		return c, Complaints{syntax(file, err)}
	}
	lines := positions(text)
	defaults := map[string]any{}
	if known, err := c.Encode(); err != nil || toml.Unmarshal(known, &defaults) != nil {
		panic("daemon: the default configuration does not encode")
	}
	cs := c.fill(document, defaults)
	var limits Complaints
	if errors.As(c.Validate(), &limits) {
		cs = append(cs, limits...)
	}
	if len(cs) == 0 {
		return c, nil
	}
	for i := range cs {
		cs[i].File, cs[i].Line = file, lineOf(lines, cs[i].Key)
	}
	return c, cs.sorted()
}

// fill decodes the document's values into c one by one, so that one wrong value
// does not hide the next. defaults is the default configuration in the same
// form: it says which keys exist and what their values look like.
func (c *Config) fill(document, defaults map[string]any) (cs Complaints) {
	for section, content := range document {
		known, ok := defaults[section].(map[string]any)
		if !ok {
			cs = append(cs, unknown(section, "section", keysOf(defaults)))
			continue
		}
		values, ok := content.(map[string]any)
		if !ok {
			cs = append(cs, Complaint{
				Key: section, Reason: "is " + kindOf(content) + ", want a section",
				Remedy: fmt.Sprintf("write [%s] on a line of its own and its keys below", section),
			})
			continue
		}
		for key, value := range values {
			example, ok := known[key]
			if !ok {
				bad := unknown(key, "key of ["+section+"]", keysOf(known))
				bad.Key = section + "." + key
				cs = append(cs, bad)
				continue
			}
			if bad := c.set(section, key, value, example); bad != nil {
				cs = append(cs, *bad)
			}
		}
	}
	return cs
}

// set decodes one value strictly and leaves c alone when that fails.
func (c *Config) set(section, key string, value, example any) *Complaint {
	bad := &Complaint{Key: section + "." + key, Remedy: "write it like " + key + " = " + literal(example)}
	if legal := choices(bad.Key); legal != nil {
		bad.Remedy = "choose one of \"" + strings.Join(legal, "\", \"") + "\", with the quotes"
	}
	if !suits(value, example) {
		bad.Reason = fmt.Sprintf("is %s, want %s", kindOf(value), kindOf(example))
		return bad
	}
	one := map[string]any{section: map[string]any{key: value}}
	text, err := toml.Marshal(one)
	if err == nil {
		trial := *c
		trial.Body.Sonars = slices.Clone(c.Body.Sonars)
		if err = toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&trial); err == nil {
			*c = trial
			return nil
		}
	}
	bad.Reason = strings.TrimPrefix(err.Error(), "toml: ")
	return bad
}

// suits reports whether a value is of the example's kind. The decoder alone is
// too kind: it takes any whole number for a duration and calls it nanoseconds.
func suits(value, example any) bool {
	got, want := kindOf(value), kindOf(example)
	return got == want || got == "a whole number" && want == "a number"
}

func unknown(name, what string, candidates []string) Complaint {
	c := Complaint{Key: name, Reason: "no such " + what}
	if like := nearest(name, candidates); like != "" {
		c.Remedy = fmt.Sprintf("did you mean %s?", like)
		return c
	}
	c.Remedy = "known: " + strings.Join(candidates, ", ")
	return c
}

// syntax turns the decoder's refusal of the whole document into a complaint.
func syntax(file string, err error) Complaint {
	c := Complaint{File: file, Reason: strings.TrimPrefix(err.Error(), "toml: "), Remedy: "mend the line, or comment it out with #"}
	var at *toml.DecodeError
	if errors.As(err, &at) {
		c.Line, _ = at.Position()
		c.Key = strings.Join(at.Key(), ".")
	}
	return c
}

// positions returns the line of every key and section header of a document
// that parses.
func positions(text []byte) map[string]int {
	lines := map[string]int{}
	var p unstable.Parser
	p.Reset(text)
	table := ""
	for p.NextExpression() {
		e := p.Expression()
		path, line := pathOf(&p, e.Key())
		if e.Kind == unstable.Table || e.Kind == unstable.ArrayTable {
			table = path
			lines[path] = line
			continue
		}
		if e.Kind == unstable.KeyValue {
			place(&p, lines, table, e)
		}
	}
	return lines
}

// place records a key and, inside an inline table, the keys below it.
func place(p *unstable.Parser, lines map[string]int, table string, e *unstable.Node) {
	path, line := pathOf(p, e.Key())
	if table != "" {
		path = table + "." + path
	}
	lines[path] = line
	if value := e.Value(); value.Kind == unstable.InlineTable {
		for it := value.Children(); it.Next(); {
			place(p, lines, path, it.Node())
		}
	}
}

func pathOf(p *unstable.Parser, key unstable.Iterator) (path string, line int) {
	var parts []string
	for key.Next() {
		n := key.Node()
		parts = append(parts, string(n.Data))
		if line == 0 {
			line = p.Shape(n.Raw).Start.Line
		}
	}
	return strings.Join(parts, "."), line
}

// lineOf returns the line of a key, else of the nearest thing above it that the
// file does mention, else 0.
func lineOf(lines map[string]int, key string) int {
	for key != "" {
		if n, ok := lines[key]; ok {
			return n
		}
		first := 0
		for path, n := range lines { // dotted keys such as loop.cpu mention loop
			if strings.HasPrefix(path, key+".") && (first == 0 || n < first) {
				first = n
			}
		}
		if first > 0 {
			return first
		}
		key = key[:max(strings.LastIndexByte(key, '.'), 0)]
	}
	return 0
}

func keysOf(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// kindOf names a decoded value's type as a person writes it.
func kindOf(v any) string {
	switch v.(type) {
	case string:
		return "a text"
	case int64:
		return "a whole number"
	case float64:
		return "a number"
	case bool:
		return "true or false"
	case []any:
		return "a list"
	case map[string]any:
		return "a section"
	}
	return "a date or time"
}

// literal writes an example value as it would stand in the file.
func literal(v any) string {
	text, err := toml.Marshal(map[string]any{"v": v})
	if err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSpace(strings.TrimPrefix(string(text), "v = "))
}
