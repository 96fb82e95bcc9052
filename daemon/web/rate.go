package web

import (
	"sync"
	"time"
)

// Rates of one client; the emergency stop has none. A manual drive sends 20 requests a
// second, twenty scrapes are as many again, and all programs of a machine are one client
// of its loopback.
const (
	ratePerSecond  = 200
	rateBurst      = 400
	wrongPerSecond = 0.1 // tokens that are none
	wrongBurst     = 5
	maxClients     = 1024 // that are counted
)

// A bucket holds what a client may still ask for.
type bucket struct {
	left float64
	at   time.Time
}

// take takes one, if there is one.
func (b *bucket) take(now time.Time, perSecond, burst float64) bool {
	b.left = min(burst, b.left+now.Sub(b.at).Seconds()*perSecond)
	b.at = now
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}

// A meter has a bucket for each client.
type meter struct {
	perSecond, burst float64

	mu      sync.Mutex
	buckets map[string]*bucket
}

// allow reports whether a client may have one more. Of more clients than it has room for
// it forgets those whose buckets are full again, and else refuses the new one.
func (m *meter) allow(who string, now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.buckets[who]
	if b == nil {
		if len(m.buckets) >= maxClients && !m.forget(now) {
			return false
		}
		b = &bucket{left: m.burst, at: now}
		m.buckets[who] = b
	}
	return b.take(now, m.perSecond, m.burst)
}

// forget drops the clients that have asked for nothing lately.
func (m *meter) forget(now time.Time) bool {
	for who, b := range m.buckets {
		if b.left+now.Sub(b.at).Seconds()*m.perSecond >= m.burst {
			delete(m.buckets, who)
		}
	}
	return len(m.buckets) < maxClients
}

// rates are the meters of requests and of wrong tokens.
type rates struct{ requests, wrong *meter }

func newRates() rates {
	return rates{
		requests: &meter{perSecond: ratePerSecond, burst: rateBurst, buckets: map[string]*bucket{}},
		wrong:    &meter{perSecond: wrongPerSecond, burst: wrongBurst, buckets: map[string]*bucket{}},
	}
}

func (r *rates) allow(who string, now time.Time) bool { return r.requests.allow(who, now) }

// allowWrong reports whether a client's wrong token is answered as such: after some, he
// hears that he is too fast. A right one is always heard.
func (r *rates) allowWrong(who string, now time.Time) bool { return r.wrong.allow(who, now) }
