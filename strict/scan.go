package strict

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
)

// MaxComplaints is how many complaints about one file a person gets at once: who
// has mended twenty knows what the rest is about.
const MaxComplaints = 20

// maxStray is how many keys a file may have in places that no form knows.
const maxStray = 500

// stops is what the last complaint says when there would be more.
const stops = "the check stops here, mend these first"

// A scan looks for unknown keys before anything else is done with a document. The
// decoder compares each key of a table with all before it, so that many of them
// take it minutes; the form's own are few.
type scan struct {
	form  *Form
	lines *locator
	found Complaints
	stray int // keys below unknown ones
}

// scan returns complaints when a document has so many unknown keys that nobody
// should look at the rest, in time that grows with the length alone. It looks
// as far as the document parses.
func (f *Form) scan(text []byte) (Complaints, bool) {
	s := &scan{form: f, lines: &locator{text: text, lines: Lines{}, count: map[string]int{}}}
	var p unstable.Parser
	p.Reset(text)
	key, table := "", any(f.Example)
	for p.NextExpression() && !s.full() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			key, table = s.descend("", f.Example, e, map[string]any{})
		case unstable.KeyValue:
			s.value(key, table, e)
		}
	}
	if s.stray > maxStray && len(s.found) == 0 {
		s.found = Complaints{{Key: key, Reason: fmt.Sprintf("more than %d keys stand where none belongs", maxStray), Remedy: isIt}}
	}
	return s.found, s.full()
}

// full reports whether the document has more than a person can mend at once.
func (s *scan) full() bool { return len(s.found) > MaxComplaints || s.stray > maxStray }

// value looks at a key and the keys inside its value.
func (s *scan) value(key string, table any, e *unstable.Node) {
	v := e.Value()
	kind := any("")
	if v.Kind == unstable.InlineTable || v.Kind == unstable.Array {
		kind = map[string]any{}
	}
	at, inner := s.descend(key, table, e, kind)
	s.inside(at, inner, v)
}

// inside looks at the keys of an inline table, or of those in an array.
func (s *scan) inside(key string, table any, v *unstable.Node) {
	switch v.Kind {
	case unstable.InlineTable:
		for it := v.Children(); it.Next() && !s.full(); {
			s.value(key, table, it.Node())
		}
	case unstable.Array:
		for it := v.Children(); it.Next() && !s.full(); {
			s.inside(key, table, it.Node())
		}
	}
}

// descend follows the parts of a key into the form and returns what the form has
// there, nil where it has nothing; it complains about the first part that the form
// does not know. Kind is what stands there, for the complaint.
func (s *scan) descend(key string, at any, e *unstable.Node, kind any) (string, any) {
	it := e.Key()
	for i := 0; i < deepest && it.Next(); i++ {
		part := it.Node()
		name := string(part.Data)
		if tables, is := at.([]any); is && len(tables) > 0 {
			at = tables[0]
		}
		table, is := at.(map[string]any)
		if !is { // below a stray key, or below a value that is no table
			s.stray++
			return key, nil
		}
		inner, known := table[name]
		if !known {
			if _, renamed := s.form.Renamed[join(key, name)]; !renamed {
				c := Unknown(join(key, name), name, missing(kind, table, key), slices.Sorted(maps.Keys(table)))
				c.Line = s.lines.lineAt(int(part.Raw.Offset))
				s.found = append(s.found, c)
			}
			return join(key, name), nil
		}
		key, at = join(key, name), inner
	}
	return key, at
}
