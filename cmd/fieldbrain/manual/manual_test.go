package manual_test

import (
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"fieldbrain/cmd/fieldbrain/manual"
)

// line is a command line with one of everything.
type line struct {
	Drive struct {
		Engine string `help:"What steps it." enum:",fast,slow" default:"" short:"e"`
		World  string `help:"Where; -1 for none." complete:"world,file" placeholder:"NAME"`
		Quick  bool   `help:"At once."`
		Log    string `help:"Its log." placeholder:"FILE"`
		Secret bool   `help:"Nobody's." hidden:""`
	} `cmd:"" help:"Drive it."`
	Bench struct {
		Field struct{} `cmd:"" help:"Time the field."`
		Gpu   struct{} `cmd:"" help:"Time the card."`
	} `cmd:"" help:"Measure it."`
	Tell struct {
		Word string `arg:"" help:"A word." enum:"yes,no"`
		To   string `arg:"" optional:"" help:"A file." complete:"file"`
	} `cmd:"" help:"Tell it."`
	Many struct {
		Run struct {
			File string `arg:"" help:"A file." complete:"file"`
			Fast bool   `help:"At once."`
		} `cmd:"" default:"withargs" help:"Do many."`
		Stop struct{} `cmd:"" help:"Stop them."`
	} `cmd:"" help:"Do it often."`
	Inner struct{} `cmd:"" hidden:""`
}

func model(t testing.TB) *kong.Application {
	t.Helper()
	parser, err := kong.New(new(line), kong.Name("toy"), kong.Description("A toy.\n\n.Not a request."), kong.Writers(io.Discard, io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	return parser.Model
}

func names(kind string) []string {
	if kind != "world" {
		return nil
	}
	return []string{"room", "rest", "maze"}
}

func TestComplete(t *testing.T) {
	app := model(t)
	for _, c := range []struct {
		why, words, want string
	}{
		{"commands, but no hidden one", "", "drive bench tell many"},
		{"by their beginning", "b", "bench"},
		{"of a group", "bench ", "field gpu"},
		{"flags of a command and of the program", "drive --", "--help --engine --world --quick --log"},
		{"a flag's choices", "drive --engine ", "fast slow"},
		{"by its short name", "drive -e s", "slow"},
		{"in one word", "drive --engine=f", "--engine=fast"},
		{"in three, as bash has it", "drive --engine = f", "--engine=fast"},
		{"with nothing behind the sign", "drive --engine =", "--engine=fast --engine=slow"},
		{"names of a kind, and files", "drive --world r", "room rest :files"},
		{"a file by its placeholder", "drive --log ", ":files"},
		{"behind a flag without a value", "drive --quick --q", "--quick"},
		{"a value is no command", "drive --log bench --en", "--engine"},
		{"the first argument", "tell ", "yes no"},
		{"the second one", "tell yes ", ":files"},
		{"no third one", "tell yes x ", ""},
		{"behind -- no flags", "tell -- --", ""},
		{"behind -- arguments", "tell -- y", "yes"},
		{"an unknown flag", "drive --nothing=", ""},
		{"of a group that means one of its commands, both", "many ", "run stop :files"},
		{"and that one's flags", "many x --f", "--fast"},
		{"an unknown command", "nothing ", "drive bench tell many"},
	} {
		words := strings.Split(c.words, " ")
		var got []string
		for _, l := range manual.Complete(app, words, names).Lines() {
			word, _, _ := strings.Cut(l, "\t")
			got = append(got, word)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.why, c.words, got, c.want)
		}
	}
	if got := manual.Complete(app, nil, names).Candidates; len(got) != 4 || got[0].Help != "Drive it." {
		t.Errorf("no words give %+v", got)
	}
}

func TestPageHoldsTheModel(t *testing.T) {
	page := manual.Page(model(t), manual.Parts{
		Title: "plays", Version: "v1-2", Sections: []manual.Section{{Title: "Exit status", Text: "\t0\tDone.\n\t1\tNot done.\n\nMore."}},
	})
	for _, want := range []string{
		".TH TOY 1", `toy \- plays`, `toy v1\-2`, ".SS drive\nDrive it.\n", `\fB\-e, \-\-engine`, "What steps it. One of: fast, slow.",
		".SS bench gpu\nTime the card.\n", `.SS tell <word> [<to>]`, ".SH EXIT STATUS\n.TP\n\\fB0\\fR\nDone.\n", "\n.PP\nMore.\n", "\n\\&.Not a request.\n",
		`Where; \-1 for none.`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, hidden := range []string{"secret", "Secret", "inner"} {
		if strings.Contains(page, hidden) {
			t.Errorf("the page shows %q", hidden)
		}
	}
	if t.Failed() {
		t.Log(page)
	}
	lint(t, page)
}

// lint lets groff warn of everything.
func lint(t *testing.T, page string) {
	t.Helper()
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skipf("%v: the page is not set (apt-get install groff-base)", err)
	}
	cmd := exec.Command(groff, "-man", "-ww", "-Tutf8", "-z")
	cmd.Stdin = strings.NewReader(page)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("groff: %v\n%s", err, out)
	}
}

func TestScript(t *testing.T) {
	for _, shell := range manual.Shells() {
		text, err := manual.Script(shell)
		if err != nil || !strings.Contains(text, "complete -- ") {
			t.Errorf("%s: %v; the script does not ask the program:\n%s", shell, err, text)
		}
	}
	if _, err := manual.Script("csh"); err == nil || !strings.Contains(err.Error(), "choose bash, zsh, fish") {
		t.Errorf("csh: %v", err)
	}
	if !slices.Contains(manual.Shells(), "fish") {
		t.Error("no fish")
	}
}

func ExampleComplete() {
	parser, err := kong.New(new(line), kong.Name("toy"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range manual.Complete(parser.Model, []string{"bench", ""}, nil).Candidates {
		fmt.Println(c.Word, "-", c.Help)
	}
	// Output:
	// field - Time the field.
	// gpu - Time the card.
}
