package web

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"fieldbrain/daemon"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// bounds are the upper bounds of a stage's buckets in seconds: from a stage's part of a
// tick to a late one.
var bounds = []float64{1e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2, 2.5e-2, 0.1, 1}

// A metric is a number of the page by name; what nobody knows is left out of a scrape.
type metric struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	of   func(v *view) (float64, bool)
}

// A view is a page as a scrape sees it.
type view struct {
	newest telemetry.Newest
	car    telemetry.Car
	alive  bool
	age    float64 // s since the newest tick
	dated  bool    // age is known
}

// A collector reads the page when somebody scrapes, and keeps nothing. Its labels are
// from fixed tables: a scrape has as many series today as in a year.
type collector struct {
	server   *Server
	up       *prometheus.Desc
	info     *prometheus.Desc
	stage    *prometheus.Desc
	longest  *prometheus.Desc
	cause    *prometheus.Desc
	refused  *prometheus.Desc
	streams  *prometheus.Desc
	measures []metric
}

// metrics returns the handler of scrapes.
func (s *Server) metrics() http.Handler {
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(newCollector(s))
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{
		ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: 8, Timeout: headTime, DisableCompression: true,
	})
}

// describe names one metric.
func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("fieldbrain_"+name, help, labels, nil)
}

func newCollector(s *Server) *collector {
	return &collector{
		server:   s,
		up:       describe("up", "1 while a daemon writes the page, else 0."),
		info:     describe("run_info", "The run that the page is of; always 1.", "version", "body"),
		stage:    describe("stage_seconds", "How long the stages of the ticks took since the start.", "stage"),
		longest:  describe("stage_longest_seconds", "The longest of each stage since the start, exact.", "stage"),
		cause:    describe("failsafe_cause", "1 while a cause of the fault table holds (docs/faults.md).", "cause"),
		refused:  describe("web_refused_total", "Requests and connections that serve refused.", "reason"),
		streams:  describe("web_streams", "Pages that are being shown."),
		measures: measures(),
	}
}

// Describe names every metric.
func (c *collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{c.up, c.info, c.stage, c.longest, c.cause, c.refused, c.streams} {
		to <- d
	}
	for _, m := range c.measures {
		to <- m.desc
	}
}

// Collect reads the page.
func (c *collector) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	for i := range c.server.refused {
		to <- prometheus.MustNewConstMetric(c.refused, prometheus.CounterValue, float64(c.server.refused[i].Load()), refusalNames[i])
	}
	gauge(c.streams, float64(c.server.streams.Load()))
	path, _ := c.server.watch.shown()
	p, err := telemetry.OpenPage(path)
	if err != nil {
		gauge(c.up, 0)
		return
	}
	defer p.Close()
	var v view
	v.alive, _ = p.Written()
	gauge(c.up, one(v.alive))
	if v.newest, err = p.Newest(); err != nil {
		return
	}
	if v.car, err = p.Car(); err != nil {
		v.car = telemetry.Nothing()
	}
	age, dated := p.Age(&v.newest.Tick, time.Now())
	v.age, v.dated = age.Seconds(), dated
	gauge(c.info, 1, daemon.Printable(p.Run().Program), daemon.Printable(p.Run().Body)) // a label that is no text ends the scrape
	for _, f := range safety.Faults() {
		gauge(c.cause, one(safety.Causes(v.newest.Tick.Causes).Has(f.Cause)), f.Name)
	}
	for _, m := range c.measures {
		if value, known := m.of(&v); known {
			to <- prometheus.MustNewConstMetric(m.desc, m.kind, value)
		}
	}
	if all, err := p.Histograms(); err == nil {
		c.stages(to, &all)
	}
}

// stages sends every stage that was measured.
func (c *collector) stages(to chan<- prometheus.Metric, all *[telemetry.NumStreams]telemetry.Histogram) {
	for i := range all {
		h := &all[i]
		if h.TotalCount() == 0 {
			continue
		}
		name := telemetry.Stream(i).String()
		buckets := make(map[float64]uint64, len(bounds))
		var below uint64
		var sum float64
		at := 0
		for _, bar := range h.Distribution() {
			if bar.Count == 0 {
				continue
			}
			for ; at < len(bounds) && float64(bar.To)/1e9 > bounds[at]; at++ {
				buckets[bounds[at]] = below
			}
			below += uint64(bar.Count)
			sum += float64(bar.Count) * float64(bar.From+bar.To) / 2 / 1e9
		}
		for ; at < len(bounds); at++ {
			buckets[bounds[at]] = below
		}
		to <- prometheus.MustNewConstHistogram(c.stage, below, sum, buckets, name)
		to <- prometheus.MustNewConstMetric(c.longest, prometheus.GaugeValue, h.Longest.Seconds(), name)
	}
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// measures are the numbers without labels.
func measures() []metric {
	gauge, counter := prometheus.GaugeValue, prometheus.CounterValue
	float := func(v float32) (float64, bool) { return telemetry.Known(v) }
	late := func(n uint64, v *view) (float64, bool) { return float64(n), v.car.Late.Window > 0 } // no card, no number
	count := func(n uint64) (float64, bool) { return float64(n), n != telemetry.Unknown }
	seconds := func(ns int64) (float64, bool) { return float64(ns) / 1e9, ns >= 0 }
	return []metric{
		{describe("last_tick_age_seconds", "Since the newest tick ended."), gauge, func(v *view) (float64, bool) { return v.age, v.dated }},
		{describe("ticks_total", "Ticks since the start."), counter, func(v *view) (float64, bool) { return count(v.newest.Ticks) }},
		{describe("overruns_total", "Ticks that were not finished at the next release."), counter, func(v *view) (float64, bool) { return count(v.newest.Overruns) }},
		{describe("skipped_periods_total", "Periods left out because of overruns."), counter, func(v *view) (float64, bool) { return count(v.newest.Dropped) }},
		{describe("armed", "1 while commands reach the motors."), gauge, func(v *view) (float64, bool) { return one(v.newest.Tick.Is(telemetry.TickArmed)), true }},
		{describe("failsafe_level", "0 NORMAL, 1 LIMITED, 2 HOLD, 3 STOPPED, 4 LATCHED."), gauge, func(v *view) (float64, bool) { return float64(v.newest.Tick.Level), true }},
		{describe("quality_rung", "Rung of the quality ladder, 0 is the best."), gauge, func(v *view) (float64, bool) { return float64(v.newest.Tick.Rung), true }},
		{describe("quality_changes_total", "Changes of the rung."), counter, func(v *view) (float64, bool) { return count(v.car.Changes) }},
		{describe("speed_meters_per_second", "Commanded."), gauge, func(v *view) (float64, bool) { return float(v.newest.Tick.Speed) }},
		{describe("steering_radians", "Commanded, positive left."), gauge, func(v *view) (float64, bool) { return float(v.newest.Tick.Turn) }},
		{describe("front_range_meters", "Newest front range, left out while there is none."), gauge, func(v *view) (float64, bool) {
			state := v.newest.Tick.State()
			r := state.Range[robot.Front]
			f, ok := float(r.Value)
			return f, ok && r.OK
		}},
		{describe("battery_volts", "Newest voltage of the pack."), gauge, func(v *view) (float64, bool) {
			state := v.newest.Tick.State()
			f, ok := float(state.Battery.Value)
			return f, ok && state.Battery.OK
		}},
		{describe("degraded_parts", "Conditions of fieldbrain status."), gauge, func(v *view) (float64, bool) { return float64(v.car.NumConditions), true }},
		{describe("temperature_celsius", "Of the sensor nearest its limit."), gauge, func(v *view) (float64, bool) { return float(v.car.Machine.Temperature) }},
		{describe("processor_share_ratio", "Of one processor that the daemon took in the last second."), gauge, func(v *view) (float64, bool) { return float(v.car.Machine.Share) }},
		{describe("processor_frequency_hertz", "Of the slowest processor."), gauge, func(v *view) (float64, bool) { return float(v.car.Machine.Clock) }},
		{describe("processor_throttled_total", "Times the processor slowed itself down for its heat."), counter, func(v *view) (float64, bool) { return count(v.car.Machine.Throttled) }},
		{describe("stolen_seconds_total", "That a host took from the processors since the machine's start."), counter, func(v *view) (float64, bool) { return seconds(v.car.Machine.Stolen) }},
		{describe("collector_pause_seconds_total", "For which the collector stopped the daemon."), counter, func(v *view) (float64, bool) { return seconds(v.car.Machine.Collected) }},
		{describe("loop_waited_seconds_total", "For which the loop's thread was ready and got no processor."), counter, func(v *view) (float64, bool) { return seconds(v.car.Machine.Waited) }},
		{describe("card_memory_bytes", "Of the graphics card, in use."), gauge, func(v *view) (float64, bool) { return count(v.car.Card.Memory) }},
		{describe("card_memory_room_bytes", "Of the graphics card, that there are."), gauge, func(v *view) (float64, bool) { return count(v.car.Card.Room) }},
		{describe("card_frequency_hertz", "Of the graphics card, where driver or kernel tells it."), gauge, func(v *view) (float64, bool) { return float(v.car.Card.Clock) }},
		{describe("card_load_ratio", "Of the graphics card, where driver or kernel tells it."), gauge, func(v *view) (float64, bool) { return float(v.car.Card.Load) }},
		{describe("card_temperature_celsius", "Of the graphics card."), gauge, func(v *view) (float64, bool) { return float(v.car.Card.Temperature) }},
		{describe("card_failovers_total", "Times the processor took over within a tick."), counter, func(v *view) (float64, bool) { return count(v.car.Card.Failovers) }},
		{describe("card_late_answers", "Of the graphics card, in the last 64 ticks; 8 end it."), gauge, func(v *view) (float64, bool) { return late(uint64(v.car.Late.Recent), v) }},
		{describe("card_behind_ticks", "That the graphics card has yet to step, 0 while it keeps up."), gauge, func(v *view) (float64, bool) { return late(uint64(v.car.Late.Behind), v) }},
		{describe("card_late_ticks_total", "Ticks that the processor stepped because the card was late."), counter, func(v *view) (float64, bool) { return late(v.car.Late.Ticks, v) }},
		{describe("card_rays_ticks_total", "Ticks whose planner's rays the graphics card cast."), counter, func(v *view) (float64, bool) { return float64(v.car.Rays.Answered), v.car.Rays.Wanted != 0 }},
		{describe("card_rays_missed_ticks_total", "Ticks whose planner's rays the processor cast, though a card stepped the field."), counter, func(v *view) (float64, bool) {
			r := &v.car.Rays
			return float64(r.Late + r.Busy + r.Gone + r.Wrong), r.Wanted != 0
		}},
		{describe("card_processor_share_ratio", "Of one processor that the card's program took in the last second."), gauge, func(v *view) (float64, bool) { return float(v.car.Late.Share) }},
		{describe("log_lines_dropped_total", "Lines of the daemon's log that were lost."), counter, func(v *view) (float64, bool) { return count(v.car.Dropped) }},
		{describe("control_connections_refused_total", "Connections that the control socket refused."), counter, func(v *view) (float64, bool) { return count(v.car.Refused) }},
	}
}
