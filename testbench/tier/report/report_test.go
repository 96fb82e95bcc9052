package main

import (
	"strings"
	"testing"
)

// lines are what go test -json prints of a run with everything in it.
const lines = `go: downloading something
{"Action":"build-output","ImportPath":"fieldbrain/c","Output":"c.go:1: no such thing\n"}
{"Action":"run","Package":"fieldbrain/a","Test":"TestGood"}
{"Action":"output","Package":"fieldbrain/a","Test":"TestGood","Output":"=== RUN   TestGood\n"}
{"Action":"output","Package":"fieldbrain/a","Test":"TestGood","Output":"    a_test.go:7: tier: 3 of 200 kills\n"}
{"Action":"output","Package":"fieldbrain/a","Test":"TestGood","Output":"    a_test.go:9: hidden, for it passed\n"}
{"Action":"pass","Package":"fieldbrain/a","Test":"TestGood","Elapsed":2.5}
{"Action":"output","Package":"fieldbrain/a","Test":"TestHeavy/sub","Output":"=== RUN   TestHeavy/sub\n"}
{"Action":"output","Package":"fieldbrain/a","Test":"TestHeavy/sub","Output":"    a_test.go:12: tier: heavy: drives for an hour\n"}
{"Action":"output","Package":"fieldbrain/a","Test":"TestHeavy/sub","Output":"    --- SKIP: TestHeavy/sub (0.00s)\n"}
{"Action":"skip","Package":"fieldbrain/a","Test":"TestHeavy/sub","Elapsed":0}
{"Action":"output","Package":"fieldbrain/a","Test":"TestTool","Output":"    a_test.go:15: no g++ here\n"}
{"Action":"output","Package":"fieldbrain/a","Test":"TestTool","Output":"--- SKIP: TestTool (0.00s)\n"}
{"Action":"skip","Package":"fieldbrain/a","Test":"TestTool","Elapsed":0}
{"Action":"output","Package":"fieldbrain/a","Test":"TestInner","Output":"            b_test.go:15: tier: 2 of 6 tables\n"}
{"Action":"pass","Package":"fieldbrain/a","Test":"TestInner","Elapsed":0}
{"Action":"output","Package":"fieldbrain/a","Output":"PASS\n"}
{"Action":"output","Package":"fieldbrain/a","Output":"ok  \tfieldbrain/a\t2.6s\n"}
{"Action":"pass","Package":"fieldbrain/a","Elapsed":2.6}
{"Action":"output","Package":"fieldbrain/none","Output":"?   \tfieldbrain/none\t[no test files]\n"}
{"Action":"skip","Package":"fieldbrain/none","Elapsed":0}
`

// failing is a package of which one test fails and another is cut off.
const failing = `{"Action":"output","Package":"fieldbrain/b","Test":"TestBad","Output":"=== RUN   TestBad\n"}
{"Action":"output","Package":"fieldbrain/b","Test":"TestBad","Output":"    b_test.go:3: 1, want 2\n"}
{"Action":"fail","Package":"fieldbrain/b","Test":"TestBad","Elapsed":1}
{"Action":"run","Package":"fieldbrain/b","Test":"TestHangs"}
{"Action":"output","Package":"fieldbrain/b","Test":"TestHangs","Output":"panic: test timed out\n"}
{"Action":"output","Package":"fieldbrain/b","Output":"FAIL\tfieldbrain/b\t3s\n"}
{"Action":"fail","Package":"fieldbrain/b","Elapsed":3}
`

func TestReport(t *testing.T) {
	for _, c := range []struct {
		name, in string
		good     bool
		says     []string
		hides    string
	}{
		{"good", lines, true, []string{
			"go: downloading something\n", "c.go:1: no such thing\n", "ok  \tfieldbrain/a\t2.6s\n",
			"     2.5 s  a TestGood\n", "5 omissions", "  c/d: heavy: compiles for long\n", "  a TestGood: 3 of 200 kills\n",
			"  a TestHeavy/sub: heavy: drives for an hour\n", "  a TestTool: no g++ here\n", "  a TestInner: 2 of 6 tables\n", "1 packages passed, 0 failed\n",
		}, "hidden"},
		{"bad", lines + failing, false, []string{
			"b_test.go:3: 1, want 2\n", "panic: test timed out\n", "FAIL\tfieldbrain/b\t3s\n", "1 packages passed, 1 failed\n",
		}, "=== RUN"},
		{"nothing", "", false, []string{"0 packages passed, 0 failed\n"}, "omissions"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			r := report{out: &out, tests: map[id]*test{}}
			read := r.read(strings.NewReader(strings.ReplaceAll(c.in, "fieldbrain/", module()+"/")))
			if c.good {
				r.without("./c/d", "heavy: compiles for long")
			}
			r.printDearest(1)
			r.printLeftOut()
			if r.printResult(); !read || r.good() != c.good {
				t.Errorf("read %v, good %v, want %v", read, r.good(), c.good)
			}
			for _, words := range c.says {
				words = strings.ReplaceAll(words, "fieldbrain/", module()+"/")
				if !strings.Contains(out.String(), words) {
					t.Errorf("the report lacks %q:\n%s", words, out.String())
				}
			}
			if strings.Contains(out.String(), c.hides) {
				t.Errorf("the report has %q:\n%s", c.hides, out.String())
			}
		})
	}
}

// TestAgain: the next tier runs the tests that this one left out, with those
// around their subtests.
func TestAgain(t *testing.T) {
	for in, want := range map[string]string{
		lines: "-run ^(TestGood|TestHeavy|TestInner)$ fieldbrain/a",
		"":    "-run ^$ ./...",
	} {
		r := report{out: new(strings.Builder), tests: map[id]*test{}}
		r.read(strings.NewReader(in))
		if got := r.again(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
