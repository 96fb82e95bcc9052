package freeze

import (
	"fmt"
	"hash"
	"reflect"
	"strings"
	"unsafe"
)

// A walk fills a Copier's lists.
type walk struct {
	*Copier
	leave map[string]bool // true: met
	keep  map[string]bool // slices; true: met
	text  hash.Hash64
	apart bool // what comes next lies behind another pointer
}

// value walks what lies at an address.
func (w *walk) value(v reflect.Value, name string) error {
	if _, leave := w.leave[name]; leave {
		w.leave[name] = true
		return nil
	}
	fmt.Fprintln(w.text, name, v.Type(), v.Type().Size())
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if err := w.value(v.Field(i), join(name, v.Type().Field(i).Name)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Array:
		return w.array(v, name)
	case reflect.Pointer:
		return w.pointer(v, name)
	case reflect.Func:
		if w.function.IsValid() && w.function.Type() != v.Type() {
			return fmt.Errorf("freeze: %s is a %v, and no %v", name, v.Type(), w.function.Type())
		}
		w.funcs = append(w.funcs, open(v))
		return nil
	case reflect.Slice:
		return w.slice(v, name)
	case reflect.Interface, reflect.String, reflect.Map, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
		return fmt.Errorf("freeze: %s is a %v: make it an array or a number, or leave it out and say what makes it anew", name, v.Type())
	}
	w.memory(v)
	return nil
}

// pointer notes a link and walks what it leads to, once.
func (w *walk) pointer(v reflect.Value, name string) error {
	to := v.Type().Elem()
	w.links = append(w.links, link{(*unsafe.Pointer)(v.Addr().UnsafePointer()), to})
	p := v.UnsafePointer()
	if _, known := w.number(p, to); known {
		return nil
	}
	w.objects = append(w.objects, object{p, to})
	w.apart = true
	err := w.value(reflect.NewAt(to, p).Elem(), name)
	w.apart = true
	return err
}

// array walks the elements of an array one by one where they are no plain memory.
func (w *walk) array(v reflect.Value, name string) error {
	if plain(v.Type().Elem()) {
		w.memory(v)
		return nil
	}
	for i := range v.Len() {
		if err := w.value(v.Index(i), fmt.Sprintf("%s[%d]", name, i)); err != nil {
			return err
		}
	}
	return nil
}

// slice notes a slice that stays, and its elements as an array.
func (w *walk) slice(v reflect.Value, name string) error {
	if _, keep := w.keep[name]; !keep {
		return fmt.Errorf("freeze: %s is a %v: make it an array, name it among the slices that stay what they are, or leave it out and say what makes it anew", name, v.Type())
	}
	w.keep[name] = true
	to := v.Type().Elem()
	if v.Len() == 0 || !plain(to) {
		return fmt.Errorf("freeze: %s is a %v of length %d: only slices of numbers that have been made are copied", name, v.Type(), v.Len())
	}
	of := reflect.ArrayOf(v.Len(), to)
	fmt.Fprintln(w.text, name, of)
	w.slices = append(w.slices, fixed{v, v.UnsafePointer(), v.Len()})
	w.apart = true
	w.memory(reflect.NewAt(of, v.UnsafePointer()).Elem())
	w.apart = true
	return nil
}

// memory notes plain memory; stretches that touch become one.
func (w *walk) memory(v reflect.Value) {
	at, size := v.Addr().UnsafePointer(), v.Type().Size()
	w.layout(v.Type(), w.size)
	w.size += int(size)
	if n := len(w.stretches); n > 0 && !w.apart {
		if last := &w.stretches[n-1]; unsafe.Add(last.at, last.size) == at {
			last.size += size
			return
		}
	}
	w.apart = false
	w.stretches = append(w.stretches, stretch{at, size})
}

// layout notes where bools lie in a copy, of which every other byte would be neither true
// nor false, and where nothing does. It describes the type for Kind as well.
func (w *walk) layout(t reflect.Type, at int) {
	switch t.Kind() {
	case reflect.Bool:
		w.bools = add(w.bools, span{at, 1})
	case reflect.Array:
		if t.Len() == 0 || !mixed(t.Elem()) {
			fmt.Fprintln(w.text, t)
			w.describe(t.Elem())
			return
		}
		w.describe(t.Elem())
		for i := range t.Len() {
			w.layout(t.Elem(), at+i*int(t.Elem().Size()))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			w.layout(f.Type, at+int(f.Offset))
			w.gaps = add(w.gaps, span{at + int(f.Offset+f.Type.Size()), gapBehind(t, i)})
		}
	}
}

// add adds a span, if it is any, to a list: spans that touch become one.
func add(list []span, s span) []span {
	if s.size == 0 {
		return list
	}
	if n := len(list); n > 0 && list[n-1].at+list[n-1].size == s.at {
		list[n-1].size += s.size
		return list
	}
	return append(list, s)
}

// gapBehind returns the bytes between a struct's member and the next one, or its end.
func gapBehind(t reflect.Type, i int) int {
	next := t.Size()
	if i+1 < t.NumField() {
		next = t.Field(i + 1).Offset
	}
	return int(next - t.Field(i).Offset - t.Field(i).Type.Size())
}

// describe adds a type's members to the text of which Kind is the hash.
func (w *walk) describe(t reflect.Type) {
	switch t.Kind() {
	case reflect.Array:
		fmt.Fprintln(w.text, t)
		w.describe(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			fmt.Fprintln(w.text, f.Name, f.Type, f.Offset)
			w.describe(f.Type)
		}
	}
}

// mixed reports whether a plain type has bools or gaps.
func mixed(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool:
		return true
	case reflect.Array:
		return t.Len() > 0 && mixed(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if gapBehind(t, i) > 0 || mixed(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// plain reports whether a type is numbers and bools all through.
func plain(t reflect.Type) bool {
	switch k := t.Kind(); {
	case k == reflect.Array:
		return t.Len() == 0 || plain(t.Elem())
	case k == reflect.Struct:
		for i := range t.NumField() {
			if !plain(t.Field(i).Type) {
				return false
			}
		}
		return true
	default:
		return k >= reflect.Bool && k <= reflect.Complex128 && k != reflect.Uintptr
	}
}

// open returns a member that may be set, exported or not.
func open(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
}

// join adds a member's name to the way to it; an embedded one's members have it, too.
func join(name, member string) string { return strings.TrimPrefix(name+"."+member, ".") }
