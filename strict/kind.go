package strict

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// suits reports whether a value is of the example's kind. The decoder alone is
// too kind: it takes any whole number for a duration and calls it nanoseconds.
func suits(value, example any) bool {
	got, want := KindOf(value), KindOf(example)
	return got == want || got == whole && want == number
}

// The kinds of values, as a person calls them.
const (
	whole  = "a whole number"
	number = "a number"
)

// KindOf names a decoded value's type as a person writes it.
func KindOf(v any) string {
	switch v.(type) {
	case string:
		return "a text"
	case int64:
		return whole
	case float64:
		return number
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

// listed lists words as a person reads them.
func listed(words []string) string {
	if i := slices.Index(words, ""); i >= 0 {
		words = slices.Clone(words)
		words[i] = "empty"
	}
	return strings.Join(words, ", ")
}

// quoted lists words as they stand in a file.
func quoted(words []string) string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = strconv.Quote(w)
	}
	return strings.Join(list, ", ")
}
