// Report reads what go test -json prints and writes what a person wants of it:
// a line for each package, the whole output of every test that failed, and at
// the end every test that the run left out, with its reason. make test pipes
// into it.
//
//	go test -json ./... | go run ./testbench/tier/report -dearest 20
//
// With -left it writes a file with the arguments of go test that run what a tier
// left out, and nothing else; -without and -why add packages that somebody else has
// to run to the list. It exits with 1 when something failed or nothing was
// tested.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	dearest := flag.Int("dearest", 0, "list as many of the tests that took longest")
	left := flag.String("left", "", "write what runs the tests that a tier left out into this `file`")
	without := flag.String("without", "", "list `packages` that were not asked for at all")
	why := flag.String("why", "", "the reason of -without")
	flag.Parse()
	r := report{out: os.Stdout, tests: map[id]*test{}}
	good := r.read(os.Stdin)
	r.without(*without, *why)
	r.printDearest(*dearest)
	r.printLeftOut()
	if *left != "" {
		if err := os.WriteFile(*left, []byte(r.again()+"\n"), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			good = false
		}
	}
	if r.printResult(); !good || !r.good() {
		os.Exit(1)
	}
}

// read takes everything that comes in and says whether it could.
func (r *report) read(in io.Reader) bool {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		r.line(lines.Bytes())
	}
	if err := lines.Err(); err != nil {
		fmt.Fprintln(r.out, err)
		return false
	}
	return true
}
