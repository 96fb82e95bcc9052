package freeze_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"fieldbrain/brain/freeze"
)

// A leaf is what a tree owns.
type leaf struct {
	x     float32
	ready bool
	row   [3]int16
}

// A tree has everything that a frozen value may have, and something to leave out.
type tree struct {
	name   string
	n      uint8
	on     [4]bool
	own    *leaf
	other  *leaf
	may    *leaf // leads to one of both, or nowhere
	call   func(x float32) bool
	many   [2]leaf
	inside struct{ deep *int64 }
}

// grown returns a tree as its maker leaves it.
func grown() *tree {
	t := &tree{name: "oak", own: &leaf{}, other: &leaf{}}
	t.inside.deep = new(int64)
	return t
}

func yes(float32) bool { return true }

// copier returns that of a tree.
func copier(tb testing.TB, t *tree) *freeze.Copier {
	tb.Helper()
	c, err := freeze.New(t, freeze.Options{Leave: []string{"name"}, Func: yes})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// TestReturns: everything that the first tree carries is in the second, pointers and all,
// and what was left out stays.
func TestReturns(t *testing.T) {
	a, b := grown(), grown()
	from, to := copier(t, a), copier(t, b)
	if from.Kind() != to.Kind() || from.Size() != to.Size() {
		t.Fatalf("two trees of one make are of kinds %x and %x", from.Kind(), to.Kind())
	}
	a.n, a.on[2], a.own.x, a.other.row[1], a.many[1].ready, a.call, *a.inside.deep = 7, true, 1.5, -9, true, yes, 1<<40
	a.may, b.may, b.name = a.other, b.own, "elm"
	data := make([]byte, from.Size())
	if err := from.Copy(data); err != nil {
		t.Fatal(err)
	}
	if err := to.Put(data); err != nil {
		t.Fatal(err)
	}
	if b.n != 7 || !b.on[2] || *b.own != *a.own || *b.other != *a.other || b.many != a.many || *b.inside.deep != 1<<40 {
		t.Errorf("%+v, want %+v", b, a)
	}
	if b.may != b.other || b.call == nil || !b.call(0) || b.name != "elm" {
		t.Errorf("may leads to %p, want %p; call %v; name %s", b.may, b.other, b.call != nil, b.name)
	}
	a.may, a.call = nil, nil
	if err := errors.Join(from.Copy(data), to.Put(data)); err != nil || b.may != nil || b.call != nil {
		t.Errorf("%v: may %p, call %v, want nothing", err, b.may, b.call != nil)
	}
}

// TestEqual: what lies between a struct's members is nobody's, and no part of a copy.
func TestEqual(t *testing.T) {
	a, b := grown(), grown()
	of, dirty := copier(t, a), copier(t, b)
	for _, l := range []*leaf{&b.many[0], &b.many[1]} {
		behind := (*byte)(unsafe.Add(unsafe.Pointer(&l.ready), 1))
		if unsafe.Offsetof(l.row) != unsafe.Offsetof(l.ready)+2 {
			t.Fatal("a leaf has no gap")
		}
		*behind = 0xa5
	}
	one, other := make([]byte, of.Size()), make([]byte, of.Size())
	if err := errors.Join(of.Copy(one), dirty.Copy(other)); err != nil || !slices.Equal(one, other) {
		t.Errorf("equal trees, unequal copies: %v\n%x\n%x", err, one, other)
	}
	b.many[1].row[0] = 1
	if err := dirty.Copy(other); err != nil || slices.Equal(one, other) {
		t.Errorf("unequal trees, equal copies: %v", err)
	}
}

// TestRefuses: no copy that no tree can have gets into one.
func TestRefuses(t *testing.T) {
	a := grown()
	c := copier(t, a)
	a.n = 3
	good := make([]byte, c.Size())
	if err := c.Copy(good); err != nil {
		t.Fatal(err)
	}
	a.n = 4
	for at := range good {
		for _, v := range []byte{2, 0x80, 0xff} {
			bad := slices.Clone(good)
			bad[at] = v
			if c.Put(bad) != nil && a.n != 4 {
				t.Fatalf("byte %d = %d: refused, and changed the tree", at, v)
			}
			a.n = 4
		}
	}
	bad := slices.Clone(good)
	bad[1] = 2 // the first of the row of bools
	if err := c.Put(bad); !errors.Is(err, freeze.ErrForeign) {
		t.Errorf("a bool of 2: %v", err)
	}
	if err := c.Put(good[1:]); !errors.Is(err, freeze.ErrForeign) {
		t.Errorf("a short copy: %v", err)
	}
	a.may = &leaf{}
	if err := c.Copy(good); !errors.Is(err, freeze.ErrStray) {
		t.Errorf("a pointer to somewhere: %v", err)
	}
}

// TestSays: what cannot be copied must be named, and what is named must be there.
func TestSays(t *testing.T) {
	for want, o := range map[string]freeze.Options{
		"name is a string": {Func: yes},
		"no bark":          {Func: yes, Leave: []string{"name", "bark"}},
		"call is a func":   {Func: strings.ToUpper, Leave: []string{"name"}},
	} {
		if _, err := freeze.New(grown(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	type other struct{ A, B int32 }
	type another struct{ B, A int32 }
	x, err := freeze.New(&other{}, freeze.Options{})
	y, err2 := freeze.New(&another{}, freeze.Options{})
	if err := errors.Join(err, err2); err != nil || x.Kind() == y.Kind() {
		t.Errorf("%v: two types are of one kind", err)
	}
}

// TestSlices: a slice that is named is copied as an array would be; one that is not, one
// that nobody has made, and one that was made anew since, are none that can be.
func TestSlices(t *testing.T) {
	type row struct {
		before int8
		list   []float32
		behind bool
	}
	o := freeze.Options{Slices: []string{"list"}}
	a, b := &row{1, []float32{2, 3, 4}, true}, &row{list: make([]float32, 3)}
	from, err := freeze.New(a, o)
	to, err2 := freeze.New(b, o)
	if err := errors.Join(err, err2); err != nil || from.Kind() != to.Kind() {
		t.Fatalf("%v: kinds %x and %x", err, from.Kind(), to.Kind())
	}
	data := make([]byte, from.Size())
	if err := errors.Join(from.Copy(data), to.Put(data)); err != nil || b.before != 1 || !b.behind || !slices.Equal(b.list, a.list) {
		t.Errorf("%v: %+v, want %+v", err, b, a)
	}
	if &a.list[0] == &b.list[0] {
		t.Error("both have one row")
	}
	longer, err := freeze.New(&row{list: make([]float32, 4)}, o)
	if err != nil || longer.Kind() == from.Kind() {
		t.Errorf("%v: rows of different lengths are of one kind", err)
	}
	a.list = slices.Clone(a.list)
	if err := from.Copy(data); !errors.Is(err, freeze.ErrStray) {
		t.Errorf("a row made anew: %v", err)
	}
	b.list = b.list[:2]
	if err := to.Put(data); !errors.Is(err, freeze.ErrStray) {
		t.Errorf("a row cut short: %v", err)
	}
	for want, o := range map[string]freeze.Options{
		"list is a []float32": {}, "no slice twig": {Slices: []string{"list", "twig"}},
	} {
		if _, err := freeze.New(&row{list: make([]float32, 3)}, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := freeze.New(&row{}, o); err == nil || !strings.Contains(err.Error(), "length 0") {
		t.Errorf("%v, want that nobody has made it", err)
	}
}

// TestCopyDoesNotAllocate: copies are made between two ticks.
func TestCopyDoesNotAllocate(t *testing.T) {
	a := grown()
	c := copier(t, a)
	data := make([]byte, c.Size())
	if n := testing.AllocsPerRun(100, func() { _ = c.Copy(data) }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}
