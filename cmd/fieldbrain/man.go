package main

import (
	"fmt"

	"github.com/alecthomas/kong"

	"fieldbrain/cmd/fieldbrain/manual"
	"fieldbrain/daemon"
)

type manCmd struct{}

// Help says how to read the page that the command prints.
func (manCmd) Help() string { return "fieldbrain man | man -l -" }

// Run prints the man page.
func (manCmd) Run(e *env, parser *kong.Kong) error {
	_, err := fmt.Fprint(e.out, manual.Page(parser.Model, manual.Parts{
		Title:   "drive a robot car with a dynamic neural field",
		Version: thisBuild().Version,
		Sections: []manual.Section{
			{Title: "Exit status", Text: "\t0\tThe command has done its work, and the check it made holds.\n" +
				"\t1\tIt failed, or the check does not hold: a refused order, a failed scenario.\n" +
				"\t2\tWrong use: no command, an unknown command or flag, an invalid configuration."},
			{Title: "Files", Text: "\t" + systemConfig + "\tConfiguration, read where --config is not given. fieldbrain config doc prints every setting.\n" +
				"\t" + armFlagFile + "\tAllows run --arm on the real car.\n" +
				"\t" + daemon.Sockets(func(string) string { return "" }, 0)[0] + "\tControl socket of the service.\n" +
				"\t/var/lib/fieldbrain\tSaved brains of the service."},
			{Title: "Environment", Text: "\tNO_COLOR\tNo colour, in the log and in the monitor.\n" +
				"\tTERM\tdumb: no monitor, plain lines.\n" +
				"\tXDG_RUNTIME_DIR, RUNTIME_DIRECTORY\tFolders in which the control socket may be.\n" +
				"\tSTATE_DIRECTORY\tFolder of saved brains, where the service manager names one."},
			{Title: "See also", Text: "README.md, docs/ and the comments of every package (go doc fieldbrain/field) of the source."},
		},
	}))
	return err
}
