package daemon_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"fieldbrain/daemon"
)

// A daemon that refuses to arm, and a client that wants it to.
func Example() {
	folder, err := os.MkdirTemp("", "fieldbrain-example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	control, err := daemon.Listen(filepath.Join(folder, "control.sock"))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, end := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() {
		served <- control.Serve(ctx, func(_ context.Context, r daemon.Request) daemon.Answer {
			return daemon.Answer{Error: r.Command + ": the emergency stop holds; fieldbrain reset clears it"}
		})
	}()
	answer, err := daemon.Call(ctx, control.Path(), daemon.Request{Command: "arm"})
	fmt.Println(answer.OK, answer.Error, err)
	end()
	fmt.Println(<-served)
	// Output:
	// false arm: the emergency stop holds; fieldbrain reset clears it <nil>
	// <nil>
}
