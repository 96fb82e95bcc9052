package strict

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Lines tells where every key, table and section header of a document stands.
type Lines map[string]int

// Locate returns the lines of a document that parses.
func Locate(text []byte) Lines {
	l := &locator{text: text, lines: Lines{}, count: map[string]int{}}
	var p unstable.Parser
	p.Reset(text)
	table := ""
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table:
			key, line := l.path(e)
			table = l.number(key)
			l.note(table, line)
		case unstable.ArrayTable:
			key, line := l.path(e)
			table = l.number(key)
			l.count[table]++
			table = fmt.Sprintf("%s.%d", table, l.count[table]-1)
			l.note(table, line)
		case unstable.KeyValue:
			l.place(table, e)
		}
	}
	return l.lines
}

// Of returns the line of a key, else of the nearest table around it that the
// document mentions, else 0.
func (l Lines) Of(key string) int {
	for key != "" {
		if n, ok := l[key]; ok {
			return n
		}
		key = key[:max(strings.LastIndexByte(key, '.'), 0)]
	}
	return 0
}

// A locator walks a document. It counts lines as it goes on, since the parser
// tells only where in the text a key begins.
type locator struct {
	text  []byte
	lines Lines
	count map[string]int // tables of each array so far, by its numbered key
	at    int            // how much of the text has been counted
	line  int            // line breaks in it
}

// note keeps the first line of a key and of what it is part of: a dotted key
// mentions its tables.
func (l *locator) note(key string, line int) {
	for key != "" {
		if _, known := l.lines[key]; known {
			return
		}
		l.lines[key] = line
		key = key[:max(strings.LastIndexByte(key, '.'), 0)]
	}
}

// number inserts the current index of every array of tables on the way to a key.
func (l *locator) number(key string) string {
	numbered := ""
	parts := strings.Split(key, ".")
	for i, part := range parts {
		numbered = join(numbered, part)
		if n := l.count[numbered]; n > 0 && i < len(parts)-1 {
			numbered = fmt.Sprintf("%s.%d", numbered, n-1)
		}
	}
	return numbered
}

// place notes a key and, inside its value, the keys of tables.
func (l *locator) place(table string, e *unstable.Node) {
	key, line := l.path(e)
	key = join(table, key)
	l.note(key, line)
	l.inside(key, e.Value())
}

// inside notes the keys of an inline table, or of those in an array.
func (l *locator) inside(key string, v *unstable.Node) {
	switch v.Kind {
	case unstable.InlineTable:
		for it := v.Children(); it.Next(); {
			l.place(key, it.Node())
		}
	case unstable.Array:
		i := 0
		for it := v.Children(); it.Next(); i++ {
			if n := it.Node(); n.Kind == unstable.InlineTable {
				l.inside(fmt.Sprintf("%s.%d", key, i), n)
			}
		}
	}
}

// deepest is how many parts of a key are looked at: no form has more, and a
// hostile file could have half a million.
const deepest = 16

// path returns the dotted key of a table or key-value node and its line.
func (l *locator) path(n *unstable.Node) (key string, line int) {
	it := n.Key()
	for i := 0; i < deepest && it.Next(); i++ {
		part := it.Node()
		if line == 0 {
			line = l.lineAt(int(part.Raw.Offset))
		}
		key = join(key, string(part.Data))
	}
	return key, line
}

// lineAt returns the line of an offset. Offsets mostly ascend.
func (l *locator) lineAt(offset int) int {
	if offset < l.at {
		l.at, l.line = 0, 0
	}
	l.line += bytes.Count(l.text[l.at:offset], []byte("\n"))
	l.at = offset
	return l.line + 1
}

func join(table, key string) string {
	if table == "" {
		return key
	}
	return table + "." + key
}
