package web_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"

	"fieldbrain/daemon/config"
	"fieldbrain/daemon/web"
)

// A server beside a daemon that does not run yet.
func Example() {
	settings := config.DefaultWeb()
	settings.Listen = "127.0.0.1:0" // any port that is free
	s, err := web.New(web.Options{Settings: settings, Sockets: []string{"/nowhere/control.sock"}})
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()

	answer, err := http.Get("http://" + s.Address() + "/healthz")
	if err != nil {
		log.Fatal(err)
	}
	text, _ := io.ReadAll(answer.Body)
	answer.Body.Close()
	fmt.Print(answer.StatusCode, " ", string(text))
	cancel()
	fmt.Println(<-done)
	// Output:
	// 503 {"healthy":false,"alive":false,"reasons":["no daemon has left a page"]}
	// <nil>
}
