package telemetry

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
)

var update = flag.Bool("update", false, "rewrite the tables of docs/telemetry.md from the layout")

const docsPath = "../../docs/telemetry.md"

// layouts are the structures of the files, in the order of the document.
func layouts() []any {
	return []any{
		header{},
		section{},
		entry{},
		Newest{},
		Tick{},
		Reading{},
		histogram{},
		Car{},
		Machine{},
		Card{},
		Late{},
		Rays{},
		Order{},
		Condition{},
		Field{},
		Ground{},
		Setup{},
		Still{},
	}
}

// TestPlain holds that the layouts hold plain numbers without gaps, so that they are
// the same on every machine and any bytes are a value.
func TestPlain(t *testing.T) {
	for _, v := range layouts() {
		plain(t, reflect.TypeOf(v))
	}
}

func plain(t *testing.T, kind reflect.Type) {
	switch kind.Kind() {
	case reflect.Struct:
		end := uintptr(0)
		for i := range kind.NumField() {
			f := kind.Field(i)
			if f.Offset != end {
				t.Errorf("%s.%s begins at %d, the field before ends at %d", kind, f.Name, f.Offset, end)
			}
			end = f.Offset + f.Type.Size()
			plain(t, f.Type)
		}
		if end != kind.Size() {
			t.Errorf("%s ends at %d, its size is %d", kind, end, kind.Size())
		}
	case reflect.Array:
		plain(t, kind.Elem())
	case reflect.Uint8, reflect.Uint32, reflect.Int32, reflect.Uint64, reflect.Int64, reflect.Float32, reflect.Float64:
	default:
		t.Errorf("%s is no plain number of a fixed size", kind)
	}
}

// TestDocs holds that docs/telemetry.md has the layout as it is.
func TestDocs(t *testing.T) {
	const begin, end = "<!-- layout -->\n", "<!-- end of layout -->\n"
	text, err := os.ReadFile(docsPath)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok1 := strings.Cut(string(text), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("%s lacks its marks", docsPath)
	}
	want := head + begin + tables(t) + end + tail
	if *update {
		if err := os.WriteFile(docsPath, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(text) != want {
		t.Errorf("%s has another layout than the code; go test ./daemon/telemetry -run TestDocs -update writes it. Has Version been raised?", docsPath)
	}
}

// tables returns the layouts as the document has them.
func tables(t *testing.T) string {
	notes := comments(t)
	var b strings.Builder
	for _, v := range layouts() {
		kind := reflect.TypeOf(v)
		fmt.Fprintf(&b, "\n### %s, %d bytes\n\n| offset | type | field | what |\n|---|---|---|---|\n", kind.Name(), kind.Size())
		for i := range kind.NumField() {
			f := kind.Field(i)
			name := f.Name
			if name == "_" {
				name = "(room)"
			}
			fmt.Fprintf(&b, "| %d | %s | %s | %s |\n", f.Offset, strings.ReplaceAll(f.Type.String(), "telemetry.", ""), name, notes[kind.Name()+"."+f.Name])
		}
	}
	b.WriteString("\n### Streams\n\n| number | name |\n|---|---|\n")
	for s := range NumStreams {
		fmt.Fprintf(&b, "| %d | %s |\n", s, s)
	}
	b.WriteString("\n")
	return b.String()
}

// comments returns what the source says about each field.
func comments(t *testing.T) map[string]string {
	notes := map[string]string{}
	for _, name := range []string{"layout.go", "tick.go", "car.go", "histogram.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, is := n.(*ast.TypeSpec)
			if !is {
				return true
			}
			fields, is := s.Type.(*ast.StructType)
			if !is {
				return false
			}
			for _, f := range fields.Fields.List {
				for _, n := range f.Names {
					notes[s.Name.Name+"."+n.Name] = strings.TrimSpace(f.Comment.Text())
				}
			}
			return false
		})
	}
	return notes
}

// TestIndex holds that lengths are counted where HdrHistogram counts them, over the
// whole range.
func TestIndex(t *testing.T) {
	for v := int64(0); v <= highest; v += 1 + v/37 {
		var own histogram
		want := hdrhistogram.New(lowest, highest, digits)
		own.add(0, 0)
		own.Counts[indexOf(v)]++
		if err := want.RecordValue(v); err != nil {
			t.Fatal(err)
		}
		if got := own.read(); !got.Equals(want) {
			t.Fatalf("%d ns is counted as %d, the library counts %d", v, got.Max(), want.Max())
		}
	}
	if len(hdrhistogram.New(lowest, highest, digits).Export().Counts) != countsTotal {
		t.Error("the library has another number of counts")
	}
}
