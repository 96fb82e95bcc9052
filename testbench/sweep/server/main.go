package server

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Exit codes of Main.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// Main is the program fieldbrain-nats: it prints the server's address on a line and
// serves until a signal, or until whoever holds the other end of its standard input,
// where that is a pipe, ends. It returns the exit code.
func Main(args []string, in *os.File, out, complaints io.Writer) int {
	flags := flag.NewFlagSet("fieldbrain-nats", flag.ContinueOnError)
	flags.SetOutput(complaints)
	var s Site
	flags.StringVar(&s.Folder, "out", "fieldbrain.nats", "`folder` for the server's streams, its token and its log")
	flags.StringVar(&s.Listen, "listen", "127.0.0.1:4222", "`HOST:PORT` where it listens; port 0 takes a free one")
	flags.StringVar(&s.Config, "server-config", "", "NATS' own configuration `file`: TLS, users, a cluster; it then decides where the server listens")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return exitDone
	case err != nil:
		return exitUsage
	case flags.NArg() > 0:
		fmt.Fprintf(complaints, "fieldbrain-nats: %q is too much\n", flags.Arg(0))
		return exitUsage
	}
	if err := serve(s, in, out); err != nil {
		fmt.Fprintf(complaints, "fieldbrain-nats: %v\n", err)
		return exitFailed
	}
	return exitDone
}

// serve serves until it shall end.
func serve(site Site, in *os.File, out io.Writer) error {
	ctx, end := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer end()
	s, err := Serve(site)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out, s.URL()); err != nil {
		return errors.Join(err, s.Close())
	}
	if info, err := in.Stat(); err == nil && info.Mode()&os.ModeNamedPipe != 0 {
		go func() {
			_, _ = io.Copy(io.Discard, in) // it ends with whoever holds the other end
			end()
		}()
	}
	<-ctx.Done()
	return s.Close()
}
