package loadbench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"fieldbrain/verdict"
)

// Seen is what browsers and scrapers got.
type Seen struct {
	Scrapes  int64 `json:"scrapes"`
	Failed   int64 `json:"failed"` // requests without the answer they asked for
	Streamed int64 `json:"streamed_bytes"`
}

// spared is how many requests may fail besides a tenth of the scrapes: a server that stands
// for a round ends some. A page that is refused asks ten times a second.
const spared = 60

// parse reads what Browse was told to print.
func (s *Seen) parse(text []byte) error {
	if err := json.Unmarshal(text, s); err != nil {
		return fmt.Errorf("loadbench: the browsers said %.80q: %w", text, err)
	}
	if s.Scrapes == 0 && s.Streamed == 0 || s.Failed > spared+s.Scrapes/10 {
		return fmt.Errorf("loadbench: %d scrapes and %d bytes came, and %d requests failed: that is no audience", s.Scrapes, s.Streamed, s.Failed)
	}
	return nil
}

// Browse keeps pages open and scrapes metrics so often a second, until ctx ends.
func Browse(ctx context.Context, url string, scrapes, pages int) Seen {
	var got struct{ scrapes, failed, streamed atomic.Int64 }
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4, MaxConnsPerHost: pages + 4}}
	fetch := func(path string, count *atomic.Int64) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+path, nil)
		if err != nil {
			got.failed.Add(1)
			return
		}
		answer, err := client.Do(request)
		if err != nil {
			if ctx.Err() == nil {
				got.failed.Add(1)
			}
			return
		}
		n, _ := io.Copy(io.Discard, answer.Body) // a stream ends with ctx
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			got.failed.Add(1)
			return
		}
		if count == &got.streamed {
			count.Add(n)
			return
		}
		count.Add(1)
	}
	var all sync.WaitGroup
	for range pages {
		all.Go(func() {
			for ctx.Err() == nil {
				fetch("/api/stream", &got.streamed)
				time.Sleep(100 * time.Millisecond)
			}
		})
	}
	if scrapes > 0 {
		all.Go(func() {
			ticker := time.NewTicker(time.Second / time.Duration(scrapes))
			defer ticker.Stop()
			for ctx.Err() == nil {
				fetch("/metrics", &got.scrapes)
				<-ticker.C
			}
		})
	}
	all.Wait()
	return Seen{got.scrapes.Load(), got.failed.Load(), got.streamed.Load()}
}

// Print writes the figures as docs have them.
func (w Watched) Print(out io.Writer) error {
	fmt.Fprintf(out, "%d monitors, %d scrapes a second, %d pages; %d pairs of rounds of %d ticks; %d scrapes, %d bytes streamed, %d failed\n\n",
		w.Audience.Monitors, w.Audience.Scrapes, w.Audience.Pages, w.Rounds, w.Ticks, w.Seen.Scrapes, w.Seen.Streamed, w.Seen.Failed)
	fmt.Fprintln(out, "| of | watched by | p50 us | p99 us | p99.9 us | max us |\n|---|---|---|---|---|---|")
	for _, r := range []struct {
		of, by string
		l      Lateness
	}{
		{"tick", "nobody", w.Alone}, {"tick", "all", w.With}, {"wake-up", "nobody", w.WakeA}, {"wake-up", "all", w.WakeW},
	} {
		fmt.Fprintf(out, "| %s | %s | %.0f | %.0f | %.0f | %.0f |\n", r.of, r.by, r.l.P50, r.l.P99, r.l.P999, r.l.Max)
	}
	return verdict.Print(out, w.Claims)
}
