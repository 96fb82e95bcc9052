package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fieldbrain/daemon/loop"
)

// gonePage returns a page whose process has ended.
func gonePage(address string) *webPage {
	p := &webPage{url: address, ended: make(chan struct{}), why: errors.New("signal: killed"), close: func() {}}
	close(p.ended)
	return p
}

// TestPageComesBack: a page that ends is started again, more and more rarely, at its
// address; people hear that it is gone, why, and that it is there again.
func TestPageComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const fails = 7
		var tries []time.Duration
		lasting := &webPage{url: "http://a/", ended: make(chan struct{})}
		conditions := loop.NewConditions(time.Now, nil)
		began := time.Now()
		k := &pageKeeper{page: gonePage("http://a/")}
		k.start = func(_ context.Context, before string) (*webPage, error) {
			if before != "http://a/" {
				t.Errorf("started after %q", before)
			}
			tries = append(tries, time.Since(began))
			began = time.Now()
			if len(tries) <= fails {
				return nil, errors.New("address already in use")
			}
			return lasting, nil
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- k.keep(ctx, conditions.Put) }()
		synctest.Wait()
		said := func(cause string) {
			t.Helper()
			got := conditions.List()
			if len(got) != 1 || got[0].Name != "page" || !strings.Contains(got[0].Cause, cause) || !strings.Contains(got[0].Remedy, "fieldbrain estop") {
				t.Errorf("%+v, want condition page with %q", got, cause)
			}
		}
		said("signal: killed")
		time.Sleep(2 * time.Second)
		synctest.Wait()
		said("address already in use")
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		want := []time.Duration{1, 2, 4, 8, 16, 30, 30, 30}
		for i := range want {
			want[i] *= time.Second
		}
		if !slices.Equal(tries, want) {
			t.Errorf("tried after %v, want %v", tries, want)
		}
		if got := conditions.List(); len(got) != 0 || k.page != lasting {
			t.Errorf("it runs again, and %+v", got)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// TestPageStandsStill: people hear that a page gives no sign of life for seconds, and when
// it does again; not at once, and not of one that goes on.
func TestPageStandsStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, out := io.Pipe()
		defer out.Close()
		first, beats := hear(in)
		k := &pageKeeper{page: &webPage{pid: 4711, beats: beats, ended: make(chan struct{})}}
		conditions := loop.NewConditions(time.Now, nil)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- k.keep(ctx, conditions.Put) }()
		if _, err := io.WriteString(out, "http://a/\n"); err != nil {
			t.Fatal(err)
		}
		if got := within(ctx, first); got != "http://a/" {
			t.Errorf("the first line is %q", got)
		}
		stop := func() {}
		for _, c := range []struct {
			after   time.Duration
			beats   bool
			stands  bool
			comment string
		}{
			{time.Minute, true, false, "it goes on"},
			{2 * time.Second, false, false, "two seconds"},
			{4 * time.Second, false, true, "six seconds"},
			{2 * time.Second, true, false, "it goes on again"},
		} {
			if stop(); c.beats {
				var beating context.Context
				beating, stop = context.WithCancel(ctx)
				go beat(beating, out)
			}
			time.Sleep(c.after)
			synctest.Wait()
			got := conditions.List()
			if (len(got) == 1) != c.stands || c.stands && (got[0].Name != "page" || !strings.Contains(got[0].Remedy, "kill -CONT 4711")) {
				t.Errorf("%s: %+v", c.comment, got)
			}
		}
		stop()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		synctest.Wait()
	})
}

// TestPlaceOf: what a page hands on to the one that takes its place.
func TestPlaceOf(t *testing.T) {
	for address, want := range map[string][2]string{
		"":                                 {},
		"http://127.0.0.1:8321/":           {"127.0.0.1:8321", ""},
		"https://[::1]:9/#token=00ff":      {"[::1]:9", "00ff"},
		"http://127.0.0.1:4711/#token=abc": {"127.0.0.1:4711", "abc"},
	} {
		if listen, token := placeOf(address); listen != want[0] || token != want[1] {
			t.Errorf("%q: %q, %q; want %q", address, listen, token, want)
		}
	}
}
