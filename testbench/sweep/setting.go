package sweep

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// A Setting is a key and a value as it stands in a TOML file: a text keeps whole
// numbers and others apart on the way through JSON.
type Setting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// String writes the setting as a file has it.
func (s Setting) String() string { return s.Key + " = " + s.Value }

// errLiteral is for values that are no number, text or truth.
var errLiteral = errors.New("sweep: want a number, a text, or true or false")

// literal writes a decoded value as it would stand in a file.
func literal(v any) (string, error) {
	switch v.(type) {
	case string, int64, float64, bool:
	default:
		return "", errLiteral
	}
	text, err := toml.Marshal(map[string]any{"v": v})
	if err != nil {
		return "", fmt.Errorf("sweep: %w", err)
	}
	return strings.TrimSpace(strings.TrimPrefix(string(text), "v = ")), nil
}

// value reads a literal.
func (s Setting) value() (any, error) {
	document := map[string]any{}
	if err := toml.Unmarshal([]byte("v = "+s.Value), &document); err != nil || len(document) != 1 {
		return nil, fmt.Errorf("sweep: %s: %.100q is no value", s.Key, s.Value)
	}
	return document["v"], nil
}

// Override returns a TOML document with the settings put into it, comments lost. A
// part of a key that is a number counts tables of an array from 0.
func Override(text []byte, settings []Setting) ([]byte, error) {
	document := map[string]any{}
	if err := toml.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("sweep: %w", err)
	}
	for _, s := range settings {
		v, err := s.value()
		if err == nil {
			err = put(document, strings.Split(s.Key, "."), v)
		}
		if err != nil {
			return nil, err
		}
	}
	out, err := toml.Marshal(document)
	if err != nil {
		return nil, fmt.Errorf("sweep: %w", err)
	}
	return out, nil
}

// put sets a key.
func put(at map[string]any, key []string, v any) error {
	for i, part := range key[:len(key)-1] {
		inner, there := at[part]
		if list, is := inner.([]any); is && i+2 < len(key) {
			n, err := strconv.Atoi(key[i+1])
			if err != nil || n < 0 || n >= len(list) {
				return fmt.Errorf("sweep: %s: %s has %d entries, and %q is none of them", strings.Join(key, "."), part, len(list), key[i+1])
			}
			table, is := list[n].(map[string]any)
			if !is {
				return fmt.Errorf("sweep: %s: %s.%d is no section", strings.Join(key, "."), part, n)
			}
			return put(table, key[i+2:], v)
		}
		if !there {
			inner = map[string]any{}
			at[part] = inner
		}
		table, is := inner.(map[string]any)
		if !is {
			return fmt.Errorf("sweep: %s: %s is no section", strings.Join(key, "."), part)
		}
		at = table
	}
	at[key[len(key)-1]] = v
	return nil
}

// split parts settings of the world from those of the configuration, and takes the
// word scenario away.
func split(all []Setting) (world, config []Setting) {
	for _, s := range all {
		if rest, is := strings.CutPrefix(s.Key, InScenario); is {
			world = append(world, Setting{rest, s.Value})
		} else {
			config = append(config, s)
		}
	}
	return world, config
}

// combinations returns every choice of one value for each parameter, in the file's
// order; one empty choice without parameters.
func combinations(parameters []Parameter) ([][]Setting, error) {
	all := [][]Setting{nil}
	for _, p := range parameters {
		var next [][]Setting
		for _, chosen := range all {
			for _, v := range p.Values {
				text, err := literal(v)
				if err != nil {
					return nil, err
				}
				next = append(next, append(slices.Clone(chosen), Setting{p.Key, text}))
			}
		}
		all = next
	}
	return all, nil
}
