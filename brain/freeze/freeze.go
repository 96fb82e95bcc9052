package freeze

import (
	"errors"
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"
	"unsafe"
)

// Options say what a walk does where plain memory ends.
type Options struct {
	// Leave names what is not copied: members by the names of the way to them, joined by
	// dots, as "explorer.belief.isa".
	Leave []string
	// Slices names members that are slices of plain memory, which whoever built the value
	// made once and which never changes its place or length: they are copied as arrays.
	Slices []string
	// Func stands in the copy's place of every function that was not nil; all must have
	// its type. nil where there is none.
	Func any
}

// What can be wrong with a copy; errors of Put wrap one of them.
var (
	ErrStray   = errors.New("freeze: a pointer leads out of the value, or a slice to other memory than at first")
	ErrForeign = errors.New("freeze: no copy of such a value")
)

// A Copier copies one value and puts copies into it. The value's owner calls it.
type Copier struct {
	stretches []stretch
	links     []link
	objects   []object
	slices    []fixed
	funcs     []reflect.Value
	function  reflect.Value
	bools     []span // within a copy
	gaps      []span // that a struct's members leave, within a copy
	size      int
	kind      uint64
}

// A stretch is plain memory.
type stretch struct {
	at   unsafe.Pointer
	size uintptr
}

// A link is a pointer within the value.
type link struct {
	at *unsafe.Pointer
	to reflect.Type
}

// An object is what the value owns behind a pointer.
type object struct {
	at unsafe.Pointer
	of reflect.Type
}

// A fixed slice is one that stays where and as long as it was made.
type fixed struct {
	at   reflect.Value
	data unsafe.Pointer
	size int
}

// A span is a row of bools in a copy, or of bytes that are nobody's.
type span struct{ at, size int }

// linkSize is the bytes of a link and of a function in a copy.
const linkSize = 2

// New walks a value, to which root points.
func New(root any, o Options) (*Copier, error) {
	v := reflect.ValueOf(root)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return nil, fmt.Errorf("freeze: %T is no pointer to a value", root)
	}
	c := &Copier{function: reflect.ValueOf(o.Func)}
	w := &walk{Copier: c, leave: map[string]bool{}, keep: map[string]bool{}, text: fnv.New64a()}
	for _, name := range o.Leave {
		w.leave[name] = false
	}
	for _, name := range o.Slices {
		w.keep[name] = false
	}
	c.objects = append(c.objects, object{v.UnsafePointer(), v.Type().Elem()})
	if err := w.value(v.Elem(), ""); err != nil {
		return nil, err
	}
	for name, met := range w.leave {
		if !met {
			return nil, fmt.Errorf("freeze: %T has no %s to leave out", root, name)
		}
	}
	for name, met := range w.keep {
		if !met {
			return nil, fmt.Errorf("freeze: %T has no slice %s", root, name)
		}
	}
	c.size += linkSize * (len(c.links) + len(c.funcs))
	c.kind = w.text.Sum64()
	return c, nil
}

// Size returns the bytes of every copy.
func (c *Copier) Size() int { return c.size }

// Kind tells copies apart that do not suit each other.
func (c *Copier) Kind() uint64 { return c.kind }

// Copy copies the value to dst, which has Size bytes: equal values give equal copies. It
// allocates nothing.
func (c *Copier) Copy(dst []byte) error {
	if len(dst) != c.size {
		return fmt.Errorf("%w: %d bytes, it takes %d", ErrForeign, len(dst), c.size)
	}
	if c.moved() {
		return ErrStray
	}
	whole := dst
	for _, s := range c.stretches {
		dst = dst[copy(dst, unsafe.Slice((*byte)(s.at), s.size)):]
	}
	for _, g := range c.gaps { // they hold what was there before the value
		clear(whole[g.at : g.at+g.size])
	}
	for _, l := range c.links {
		n, known := c.number(*l.at, l.to)
		if !known {
			return ErrStray
		}
		dst[0], dst[1], dst = byte(n), byte(n>>8), dst[linkSize:]
	}
	for _, f := range c.funcs {
		dst[0], dst[1] = 0, 0
		if !f.IsNil() {
			dst[0] = 1
		}
		dst = dst[linkSize:]
	}
	return nil
}

// moved reports whether a slice is elsewhere, or of another length, than when it was made.
func (c *Copier) moved() bool {
	for _, s := range c.slices {
		if s.at.UnsafePointer() != s.data || s.at.Len() != s.size {
			return true
		}
	}
	return false
}

// number returns which object a pointer leads to, from 1, and 0 for none.
func (c *Copier) number(p unsafe.Pointer, to reflect.Type) (n int, known bool) {
	if p == nil {
		return 0, true
	}
	for i := range c.objects {
		if o := &c.objects[i]; o.at == p && o.of == to {
			return i + 1, true
		}
	}
	return 0, false
}

// Put makes the value what it was when src was copied.
func (c *Copier) Put(src []byte) error {
	if err := c.check(src); err != nil {
		return err
	}
	if c.moved() {
		return ErrStray
	}
	for _, s := range c.stretches {
		src = src[copy(unsafe.Slice((*byte)(s.at), s.size), src):]
	}
	for _, l := range c.links {
		n := int(src[0]) | int(src[1])<<8
		*l.at, src = nil, src[linkSize:]
		if n > 0 {
			*l.at = c.objects[n-1].at
		}
	}
	for _, f := range c.funcs {
		if src[0] == 0 {
			f.SetZero()
		} else {
			f.Set(c.function)
		}
		src = src[linkSize:]
	}
	return nil
}

// check returns why src is no copy of such a value.
func (c *Copier) check(src []byte) error {
	if len(src) != c.size {
		return fmt.Errorf("%w: %d bytes, it takes %d", ErrForeign, len(src), c.size)
	}
	for _, b := range c.bools {
		if i := slices.IndexFunc(src[b.at:b.at+b.size], func(v byte) bool { return v > 1 }); i >= 0 {
			return fmt.Errorf("%w: byte %d is no bool", ErrForeign, b.at+i)
		}
	}
	at := src[c.size-linkSize*(len(c.links)+len(c.funcs)):]
	for _, l := range c.links {
		n := int(at[0]) | int(at[1])<<8
		if n > len(c.objects) || n > 0 && c.objects[n-1].of != l.to {
			return fmt.Errorf("%w: a pointer to object %d", ErrForeign, n)
		}
		at = at[linkSize:]
	}
	for range c.funcs {
		if at[0] > 1 || at[1] != 0 || at[0] == 1 && !c.function.IsValid() {
			return fmt.Errorf("%w: a function that is none", ErrForeign)
		}
		at = at[linkSize:]
	}
	return nil
}
