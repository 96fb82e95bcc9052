package main

import (
	"errors"
	"fmt"
	"os"

	"fieldbrain/cmd/fieldbrain/service"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/forensics"
)

type missesCmd struct {
	socketFlag
	Path string `help:"Folder of the bundles (forensics.path); found by itself when left out." placeholder:"FOLDER"`
	Last int    `help:"How many of the newest to list." default:"20"`
	JSON bool   `help:"Print one JSON array with all evidence." name:"json"`
}

// Run lists why ticks missed their deadlines, the oldest first. It asks the daemon
// nothing, which need not run.
func (c missesCmd) Run(e *env) error {
	if c.Last < 1 || c.Last > 100000 {
		return config.Usagef("--last %d: choose 1 to 100000", c.Last)
	}
	folders, err := c.folders(e)
	if err != nil {
		return err
	}
	var kept []forensics.Kept
	for _, folder := range folders {
		some, err := forensics.Newest(folder, c.Last)
		if err != nil {
			return fmt.Errorf("misses: %w", daemon.Refusal(folder, err))
		}
		kept = append(kept, some...)
	}
	forensics.Sort(kept)
	kept = kept[max(0, len(kept)-c.Last):]
	if c.JSON {
		return c.printJSON(e, kept)
	}
	return c.print(e, folders, kept)
}

// folders returns where to look. A folder that somebody names is there, or the name is
// wrong; of the others most are not there on any machine.
func (c missesCmd) folders(e *env) ([]string, error) {
	switch {
	case c.Path == "" && c.Socket != "":
		return []string{service.MissesBeside(c.Socket)}, nil
	case c.Path == "":
		return service.MissesFolders(daemon.Sockets(e.getenv, e.uid), e.getenv), nil
	}
	info, err := os.Stat(c.Path)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s: no folder", daemon.Printable(c.Path))
	}
	if err != nil {
		return nil, fmt.Errorf("misses: --path: %w; leave it out, and the places are searched where daemons keep their bundles", err)
	}
	return []string{c.Path}, nil
}

// print prints a sentence for each.
func (c missesCmd) print(e *env, folders []string, kept []forensics.Kept) error {
	if len(kept) == 0 {
		fmt.Fprintln(e.out, "no bundle of a missed deadline in")
		for _, f := range folders {
			fmt.Fprintln(e.out, "    "+daemon.Printable(f))
		}
		return nil
	}
	var errs []error
	for _, k := range kept {
		if k.Err != nil {
			errs = append(errs, k.Err)
			continue
		}
		b := &k.Bundle
		fmt.Fprintf(e.out, "%s  %-15s %s\n", b.At.Local().Format("2006-01-02 15:04:05"), daemon.Line(string(b.Finding.Cause)), daemon.Line(b.Finding.Sentence))
		fmt.Fprintf(e.out, "    remedy: %s\n    bundle: %s\n", daemon.Line(b.Finding.Remedy), daemon.Line(k.Path))
		if b.Unkept > 0 {
			fmt.Fprintf(e.out, "    before it %d findings were not kept, so as not to write too often\n", b.Unkept)
		}
	}
	return errors.Join(errs...)
}

// printJSON prints the bundles.
func (c missesCmd) printJSON(e *env, kept []forensics.Kept) error {
	list := []forensics.Bundle{}
	var errs []error
	for _, k := range kept {
		if k.Err != nil {
			errs = append(errs, k.Err)
			continue
		}
		list = append(list, k.Bundle)
	}
	return errors.Join(append(errs, printJSON(e, list))...)
}
