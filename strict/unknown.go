package strict

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// unknown complains about a name that a table does not have. Where another part of
// the form has just that name its section was forgotten, or begun too early, and the
// complaint says where it belongs.
func (f *Form) unknown(table, name string, value any, want map[string]any) Complaint {
	c := Unknown(join(table, name), name, missing(value, want, table), slices.Sorted(maps.Keys(want)))
	home := f.home(table, name, value)
	switch {
	case home == "":
	case table == "":
		c.Reason, c.Remedy = "stands outside of a section", "write it "+home
	default:
		c.Remedy = "write it " + home + "; " + c.Remedy
	}
	return c
}

// home says where in a file a key of this name may stand, or nothing: above all
// sections, or below those that have it.
func (f *Form) home(table, name string, value any) string {
	switch value.(type) {
	case map[string]any, []any:
		return "" // a section is looked for by its likeness
	}
	var below []string
	for _, section := range slices.Sorted(maps.Keys(f.Example)) {
		switch example := f.Example[section].(type) {
		case map[string]any:
			if _, has := example[name]; has && section != table {
				below = append(below, "["+section+"]")
			}
		case []any: // of tables, or of values
		default:
			if section == name {
				return "above the first section"
			}
		}
	}
	if len(below) == 0 {
		return ""
	}
	return "below " + strings.Join(below, " or ")
}

// missing says what an unknown key would have been, and where: at the top of a
// form that has sections only, a section.
func missing(value any, want map[string]any, table string) string {
	if table != "" {
		return "key of [" + table + "]"
	}
	switch value.(type) {
	case map[string]any, []any:
		return "section"
	}
	for _, example := range want {
		if _, is := example.(map[string]any); !is {
			return "key"
		}
	}
	return "section"
}

// Unknown complains about a key that no form has: it names the most similar of
// the candidates, or else lists them.
func Unknown(key, name, what string, candidates []string) Complaint {
	if extra := len(key) - maxKey; extra > 0 {
		key = key[:maxKey] + "..."
	}
	c := Complaint{Key: key, Reason: "no such " + what}
	if like := Nearest(name, candidates); like != "" {
		c.Remedy = fmt.Sprintf("did you mean %s?", like)
		return c
	}
	c.Remedy = "known: " + strings.Join(candidates, ", ")
	return c
}

// maxKey is how much of a key a complaint shows, in bytes: a line of a terminal.
const maxKey = 80

// Nearest returns the candidate most like word, or "" when none is alike.
func Nearest(word string, candidates []string) string {
	if len(word) > maxKey {
		return ""
	}
	best, least := "", max(2, len(word)/3)+1
	for _, c := range candidates {
		if d := distance(word, c); d < least {
			best, least = c, d
		}
	}
	return best
}

// distance is Levenshtein's: how many bytes must be changed, added or removed.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
