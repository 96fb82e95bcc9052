package strict

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"
)

// A Form says what a file may hold.
type Form struct {
	// Example is a document that has every key, one table in each array of
	// tables, and a value of the right kind for each: 1.0 where any number may
	// stand, 1 where only a whole one may.
	Example map[string]any
	// Choices are the legal words of a key that takes one of a few, by its
	// starred key: fault.*.kind.
	Choices map[string][]string
	// Renamed are the present names of keys that had others, both starred.
	Renamed map[string]string
}

// NewForm makes a form of an example that the program itself encodes. It panics
// when that does not work.
func NewForm(example any) *Form {
	f := &Form{Example: map[string]any{}}
	text, err := toml.Marshal(example)
	if err == nil {
		err = toml.Unmarshal(text, &f.Example)
	}
	if err != nil {
		panic("strict: the example does not encode: " + err.Error())
	}
	return f
}

// Decode decodes a text over what dst points to. The complaints, which have no
// file yet, tell what it left out: keys that the form does not have, and values
// of the wrong kind. Lines are those of the text, for the caller's complaints.
func (f *Form) Decode(text []byte, dst any) (Lines, Complaints) {
	text, bad := Text(text)
	if bad != nil {
		return nil, Complaints{*bad}
	}
	if found, full := f.scan(text); full {
		return Lines{}, append(found, Complaint{Line: noLine}) // more than Place shows
	}
	document := map[string]any{}
	if err := toml.Unmarshal(text, &document); err != nil {
		return nil, Complaints{syntax(err)}
	}
	lines := Locate(text)
	c := &comparison{form: f}
	c.table("", "", document, f.Example)
	c.decode(document, dst)
	return lines, c.found
}

// syntax turns the decoder's refusal of the whole document into a complaint.
func syntax(err error) Complaint {
	c := Complaint{Reason: strings.TrimPrefix(err.Error(), "toml: "), Remedy: "mend the line, or comment it out with #"}
	var at *toml.DecodeError
	if errors.As(err, &at) {
		c.Line, _ = at.Position()
		c.Key = strings.Join(at.Key(), ".")
	}
	return c
}

// A comparison of a document with a form. It takes out what does not fit.
type comparison struct {
	form  *Form
	found Complaints
}

func (c *comparison) complain(key, remedy, format string, args ...any) {
	c.add(Complaint{Key: key, Reason: fmt.Sprintf(format, args...), Remedy: remedy})
}

// add keeps a complaint, and of very many none that nobody would see.
func (c *comparison) add(found Complaint) {
	if len(c.found) <= 2*MaxComplaints {
		c.found = append(c.found, found)
	}
}

// table compares the keys of a table. Key is numbered, star is starred.
func (c *comparison) table(key, star string, got, want map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(got)) {
		example, known := want[name]
		at, starred := join(key, name), join(star, name)
		switch now, renamed := c.form.Renamed[starred]; {
		case renamed:
			c.complain(at, "write "+now, "is called %s now", now)
			delete(got, name)
		case !known:
			c.add(c.form.unknown(key, name, got[name], want))
			delete(got, name)
		case !c.value(at, starred, got[name], example):
			delete(got, name)
		}
	}
}

// value compares one value and reports whether it may stay.
func (c *comparison) value(key, star string, got, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		if got, is := got.(map[string]any); is {
			c.table(key, star, got, want)
			return true
		}
		c.complain(key, fmt.Sprintf("write [%s] on a line of its own and its keys below", key), "is %s, want a section", KindOf(got))
		return false
	case []any:
		if got, is := got.([]any); is {
			return c.list(key, star, got, want)
		}
	}
	if !suits(got, want) {
		c.complain(key, c.remedy(key, star, want), "is %s, want %s", KindOf(got), KindOf(want))
		return false
	}
	if word, is := got.(string); is && strings.ContainsFunc(word, unicode.IsControl) {
		c.complain(key, "write it without", "holds a control character")
		return false
	}
	return c.choice(key, star, got)
}

// choice holds a word against the legal ones.
func (c *comparison) choice(key, star string, got any) bool {
	legal := c.form.Choices[star]
	if word, is := got.(string); is && legal != nil && !slices.Contains(legal, word) {
		c.complain(key, "choose one of "+listed(legal), "%.200q is not known", word)
		return false
	}
	return true
}

// list compares the elements of a list with the example's first.
func (c *comparison) list(key, star string, got, want []any) bool {
	if len(want) == 0 {
		return true // the form does not say
	}
	if suits(want[0], 1.0) && len(got) != len(want) {
		c.complain(key, c.remedy(key, star, want), "has %d numbers, want %d", len(got), len(want))
		return false
	}
	_, tables := want[0].(map[string]any)
	each := tables || c.form.Choices[star+".*"] != nil // has a complaint of its own
	ok := true
	for i, element := range got {
		at := fmt.Sprintf("%s.%d", key, i)
		if !each {
			at = key
			if !suits(element, want[0]) { // a list is shown, not what is in it
				c.complain(key, c.remedy(key, star, want), "holds %s, want %s", KindOf(element), KindOf(want[0]))
				return false
			}
		}
		if !c.value(at, star+".*", element, want[0]) {
			ok = false
			if !each {
				break // the list has one line: one complaint is enough
			}
		}
	}
	return ok
}

// remedy shows how a value is written.
func (c *comparison) remedy(key, star string, example any) string {
	if legal := c.form.Choices[star]; legal != nil {
		return "choose one of " + quoted(legal) + ", with the quotes"
	}
	if tables, is := example.([]any); is && len(tables) > 0 {
		if _, is := tables[0].(map[string]any); is {
			return fmt.Sprintf("write [[%s]] on a line of its own and its keys below", key)
		}
	}
	return "write it like " + key[strings.LastIndexByte(key, '.')+1:] + " = " + literal(example)
}

// decode decodes what is left. A text that a key's own type refuses is one more
// complaint, and the rest is tried again without it.
func (c *comparison) decode(document map[string]any, dst any) {
	for {
		text, err := toml.Marshal(document)
		if err == nil {
			err = toml.Unmarshal(text, dst)
		}
		if err == nil {
			return
		}
		var at *toml.DecodeError
		if !errors.As(err, &at) || !remove(document, at.Key()) {
			c.complain("", "is it the right file?", "%s", strings.TrimPrefix(err.Error(), "toml: "))
			return
		}
		key := strings.Join(at.Key(), ".")
		c.complain(key, c.remedy(key, key, c.form.example(at.Key())), "%s", strings.TrimPrefix(err.Error(), "toml: "))
	}
}

// example returns the form's value of a key.
func (f *Form) example(key []string) any {
	var value any = f.Example
	for _, name := range key {
		if tables, is := value.([]any); is && len(tables) > 0 {
			value = tables[0]
		}
		table, is := value.(map[string]any)
		if !is {
			return nil
		}
		value = table[name]
	}
	return value
}

// remove deletes a key from a document, in every table of an array on the way.
func remove(table map[string]any, key []string) (done bool) {
	if len(key) == 0 {
		return false
	}
	if len(key) == 1 {
		_, done = table[key[0]]
		delete(table, key[0])
		return done
	}
	switch inner := table[key[0]].(type) {
	case map[string]any:
		return remove(inner, key[1:])
	case []any:
		for _, element := range inner {
			if t, is := element.(map[string]any); is {
				done = remove(t, key[1:]) || done
			}
		}
	}
	return done
}
