package main

import (
	"errors"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"fieldbrain/daemon/config"
)

// checkEmpty refuses a flag that is given nothing, such as a shell's variable that was not
// set: it would count as left out. What stops the car is not held up by it.
func checkEmpty(at *kong.Context) (err error) {
	if stops(at) {
		return nil
	}
	for _, step := range at.Path {
		if f := step.Flag; f != nil && !step.Resolved && empty(f.Target) {
			err = errors.Join(err, config.Usagef("--%s: its value is empty: give one, or leave the flag out", f.Name))
		}
	}
	return err
}

// stops reports whether a command stops the car.
func stops(at *kong.Context) bool {
	return slices.Contains([]string{"estop", "halt", "disarm"}, at.Selected().Name)
}

// checkText refuses words that are not UTF-8, as names of files from an older system may
// be: the parser puts other characters into them, and files of another name would be
// looked for, or written. What stops the car is not held up by it.
func checkText(at *kong.Context, args []string) (err error) {
	if stops(at) {
		return nil
	}
	for _, arg := range args {
		if !utf8.ValidString(arg) {
			err = errors.Join(err, config.Usagef("%q is not UTF-8: give the file or folder a name that is, or name a link to it", arg))
		}
	}
	return err
}

// empty reports whether a flag's value is a text without a letter, or a list without one.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		return v.Len() == 0
	case reflect.Slice:
		return v.Len() == 0 || v.Len() == 1 && empty(v.Index(0))
	}
	return false
}

// given returns those of the flags that a command line names, also with their defaults,
// in its order.
func given(at *kong.Context, flags ...string) (list []string) {
	for _, step := range at.Path {
		if step.Flag == nil || !slices.Contains(flags, step.Flag.Name) {
			continue
		}
		if name := "--" + step.Flag.Name; !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// once refuses one of the flags that is given twice: the last one would count, without a
// word. Of most flags that is how people override what a script says.
func once(at *kong.Context, flags ...string) error {
	var seen []string
	for _, step := range at.Path {
		if step.Flag == nil || !slices.Contains(flags, step.Flag.Name) {
			continue
		}
		name := step.Flag.Name
		if slices.Contains(seen, name) {
			return config.Usagef("--%s is given twice: it takes one value, leave one of them out", name)
		}
		seen = append(seen, name)
	}
	return nil
}
