package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// layout is how Go's compiler places the fields of a struct on the machines that
// the engines run on: amd64 and arm64 agree, and so do their C compilers.
var layout = types.SizesFor("gc", "amd64")

// text renders a header.
func (h *header) text(s *sources) ([]byte, error) {
	var b strings.Builder
	guard := "FIELDBRAIN_" + strings.ToUpper(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return '_'
	}, h.path[strings.LastIndexByte(h.path, '/')+1:]))
	fmt.Fprintf(&b, "// Code generated from the Go sources by gpu/kernels/header. DO NOT EDIT.\n//\n%s#ifndef %s\n#define %s\n\n", h.about, guard, guard)
	for _, include := range h.includes {
		fmt.Fprintf(&b, "#include %s\n", include)
	}
	for _, p := range h.parts {
		src, err := s.load(p.folder)
		if err != nil {
			return nil, err
		}
		if err := src.constants(&b, &p); err != nil {
			return nil, err
		}
		for _, t := range p.tables {
			list, err := src.numbers(t.name)
			if err != nil {
				return nil, err
			}
			if t.length != "" {
				fmt.Fprintf(&b, "enum { %s = %d };\n", t.length, len(list))
			}
			fmt.Fprintf(&b, "#define %s {%s}\n", t.macro, strings.Join(list, ", "))
		}
		for _, name := range p.structs {
			if err := src.declare(&b, name); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	fmt.Fprintf(&b, "\n#endif\n")
	return []byte(b.String()), nil
}

// constants writes groups of whole numbers as enums and the others as macros.
func (p *source) constants(b *strings.Builder, of *part) error {
	for i, g := range of.names {
		if i == 0 {
			b.WriteByte('\n')
		}
		var words []string
		for _, name := range g.names {
			v, err := p.value(name)
			if err != nil {
				return err
			}
			if v.Kind() == constant.Int {
				words = append(words, fmt.Sprintf("%s%s = %s", g.prefix, upper(name), v.ExactString()))
				continue
			}
			f, _ := constant.Float32Val(v)
			fmt.Fprintf(b, "#define %s%s %sf\n", g.prefix, upper(name), strconv.FormatFloat(float64(f), 'g', -1, 32))
		}
		if len(words) > 0 {
			fmt.Fprintf(b, "enum { %s };\n", strings.Join(words, ", "))
		}
	}
	return nil
}

// value returns a constant of the package.
func (p *source) value(name string) (constant.Value, error) {
	c, ok := p.types.Scope().Lookup(name).(*types.Const)
	if !ok || c.Val().Kind() == constant.Unknown {
		return nil, fmt.Errorf("package %s has no constant %s", p.types.Name(), name)
	}
	return c.Val(), nil
}

// declare writes one named struct or array and what its size must be.
func (p *source) declare(b *strings.Builder, name string) error {
	spec, object := p.structs[name], p.types.Scope().Lookup(name)
	if spec == nil || object == nil {
		return fmt.Errorf("package %s has no such type", p.types.Name())
	}
	if invalid(object.Type()) {
		return errors.New("its size is not known: a field's type is of another module")
	}
	fmt.Fprintf(b, "\n// %s.%s\n", p.types.Name(), name)
	fields, ok := spec.Type.(*ast.StructType)
	if !ok {
		base, dims, err := p.ctype(spec.Type)
		fmt.Fprintf(b, "typedef %s %s%s;\n", base, name, dims)
		return err
	}
	b.WriteString("typedef struct {")
	if err := p.fields(b, fields); err != nil {
		return err
	}
	fmt.Fprintf(b, "\n} %s;\nstatic_assert(sizeof(%s) == %d, \"%s\");\n", name, name, layout.Sizeof(object.Type()), name)
	return nil
}

// fields writes the fields of a struct; neighbours of one type share a line.
func (p *source) fields(b *strings.Builder, of *ast.StructType) error {
	last, length, pads := "", 0, 0
	for _, f := range of.Fields.List {
		base, dims, err := p.ctype(f.Type)
		if err != nil {
			return err
		}
		if address := tag(f); address != "" {
			base = address
		}
		base, pointer := strings.CutSuffix(base, " *")
		for _, n := range f.Names {
			word := lower(n.Name)
			if n.Name == "_" {
				pads++
				word = fmt.Sprintf("pad%d", pads)
			}
			if pointer {
				word = "*" + word
			}
			word += dims
			if base != last || length+len(word) > lineLength {
				fmt.Fprintf(b, "%s\n\t%s %s", end(last), base, word)
				last, length = base, len(base)+len(word)
				continue
			}
			fmt.Fprintf(b, ", %s", word)
			length += len(word) + 2
		}
	}
	b.WriteByte(';')
	return nil
}

// lineLength is about how long a line of a header may become.
const lineLength = 100

// end closes the line before, if there is one.
func end(last string) string {
	if last == "" {
		return ""
	}
	return ";"
}

// invalid reports whether part of a type is not known.
func invalid(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() == types.Invalid
	case *types.Array:
		return invalid(t.Elem())
	case *types.Struct:
		for i := range t.NumFields() {
			if invalid(t.Field(i).Type()) {
				return true
			}
		}
	}
	return false
}

// tag returns the C type that a field's tag gives an address.
func tag(f *ast.Field) string {
	if f.Tag == nil {
		return ""
	}
	text, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return ""
	}
	return reflect.StructTag(text).Get("c")
}

// ctype returns the C type of a Go type, and the lengths of its arrays.
func (p *source) ctype(e ast.Expr) (base, dims string, err error) {
	switch e := e.(type) {
	case *ast.ArrayType:
		length, err := expression(e.Len)
		if err != nil {
			return "", "", err
		}
		base, dims, err = p.ctype(e.Elt)
		return base, "[" + length + "]" + dims, err
	case *ast.SelectorExpr:
		return e.Sel.Name, "", nil // a struct of another package, declared before
	case *ast.Ident:
		if c, ok := scalars[e.Name]; ok {
			return c, "", nil
		}
		if t := p.types.Scope().Lookup(e.Name); t != nil {
			if basic, ok := t.Type().Underlying().(*types.Basic); ok {
				return scalars[basic.Name()], "", nil
			}
			return e.Name, "", nil
		}
	}
	return "", "", fmt.Errorf("no C type for %s", types.ExprString(e))
}

// scalars are Go's numbers in C.
var scalars = map[string]string{
	"float32": "float", "float64": "double", "bool": "uint8_t",
	"int": "int64_t", "int8": "int8_t", "int32": "int32_t", "int64": "int64_t",
	"uint8": "uint8_t", "uint16": "uint16_t", "uint32": "uint32_t", "uint64": "uint64_t",
}

// expression renders a length with C's names.
func expression(e ast.Expr) (string, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Value, nil
	case *ast.Ident:
		return upper(e.Name), nil
	case *ast.SelectorExpr:
		return upper(e.Sel.Name), nil
	case *ast.ParenExpr:
		in, err := expression(e.X)
		return "(" + in + ")", err
	case *ast.BinaryExpr:
		x, err := expression(e.X)
		y, other := expression(e.Y)
		if e.Op == token.SHL || e.Op == token.SHR {
			return "", errors.New("a shift in a length: name it")
		}
		return x + " " + e.Op.String() + " " + y, errors.Join(err, other)
	}
	return "", fmt.Errorf("no C for the length %s", types.ExprString(e))
}

// lower and upper turn a Go name into one of C: NumTerms into num_terms and
// NUM_TERMS, WTurn into w_turn, E2 into e2.
func lower(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func upper(name string) string { return strings.ToUpper(lower(name)) }

// words returns how many 32-bit words of a struct stand before a field, or are in
// all of it.
func (p *source) words(name, field string) (int64, error) {
	object := p.types.Scope().Lookup(name)
	if object == nil || invalid(object.Type()) {
		return 0, fmt.Errorf("package %s has no struct %s of known size", p.types.Name(), name)
	}
	if field == "" {
		return layout.Sizeof(object.Type()) / 4, nil
	}
	t, ok := object.Type().Underlying().(*types.Struct)
	if !ok {
		return 0, fmt.Errorf("%s.%s is no struct", p.types.Name(), name)
	}
	var fields []*types.Var
	for f := range t.Fields() {
		fields = append(fields, f)
	}
	for i, at := range layout.Offsetsof(fields) {
		if fields[i].Name() == field {
			return at / 4, nil
		}
	}
	return 0, fmt.Errorf("%s.%s has no field %s", p.types.Name(), name, field)
}
