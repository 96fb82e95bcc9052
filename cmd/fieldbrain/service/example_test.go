package service_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"fieldbrain/cmd/fieldbrain/service"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
)

// The simulated car as a daemon, for half a second.
func Example() {
	folder, err := os.MkdirTemp("", "fieldbrain-example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	log, err := daemon.NewLog(io.Discard, "info", false, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer log.Close()
	control, err := daemon.Listen(filepath.Join(folder, "control.sock"))
	if err != nil {
		fmt.Println(err)
		return
	}
	settings := config.Default()
	settings.Engine.Kind = "purego"
	settings.Loop.Priority, settings.Loop.LockMemory = 0, false // asks nothing of the kernel
	s, err := service.New(service.Options{Settings: settings, Log: log, Control: control, Version: "example"})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := s.Serve(service.Session{Length: 500 * time.Millisecond}); err != nil {
		fmt.Println(err)
	}
	status := s.Status()
	fmt.Println(status.Body, status.Engine, "armed:", status.Armed)
	// Output:
	// sim cpu/purego/collapsed/1 armed: false
}
