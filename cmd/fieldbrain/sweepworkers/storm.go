package sweepworkers

import (
	"context"
	"errors"
	"time"

	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/sweep"
	"fieldbrain/testbench/sweep/queue"
)

// A Storm is what a sweep has to live through.
type Storm struct {
	Kills    int           // workers killed at once
	Every    time.Duration // from one strike to the next; 0: none by the clock
	After    int           // results from one strike to the next; 0: none by how far it is
	Restarts int           // of the server, killed too, spread over the sweep
	Away     time.Duration // how long the server then is gone
	Seed     uint64        // decides whom it strikes
}

// Damage is what a storm did.
type Damage struct {
	Killed    int `json:"workers_killed"`
	Restarted int `json:"server_restarts"`
	Stored    int `json:"stored"`  // results on the server afterwards
	Waiting   int `json:"waiting"` // jobs in the queue afterwards
}

// A Drill is a sweep on this machine with a server of its own, and a storm.
type Drill struct {
	Program  string // fieldbrain
	NATS     string // fieldbrain-nats
	Folder   string
	Batch    *sweep.Batch
	Workers  int
	Lease    time.Duration
	Storm    Storm
	Progress func(queue.Progress)
}

// WorkerArgs are the arguments of a worker's process for one sweep.
func WorkerArgs(id string) []string {
	return []string{"sweep", "worker", id, "--at-once", "1", "--leash"}
}

// Run sweeps through the storm.
func (d Drill) Run(ctx context.Context) (tally *sweep.Tally, damage Damage, err error) {
	server, err := Serve(Site{Program: d.NATS, Folder: d.Folder, Listen: "127.0.0.1:0"})
	if err != nil {
		return nil, damage, err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	conn, js, err := queue.Connect(ctx, queue.Address{URL: server.URL(), Name: "fieldbrain bench sweep"})
	if err != nil {
		return nil, damage, err
	}
	defer conn.Close()
	workers := Start(Options{Program: d.Program, Args: WorkerArgs(d.Batch.ID), Env: []string{"NATS_URL=" + server.URL()}, Count: d.Workers})
	defer workers.Close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case bad := <-server.Failed():
			cancel(bad)
		case <-ctx.Done():
		}
	}()
	seen := make(chan queue.Progress, 1)
	strikes := make(chan error, 1)
	go func() {
		bad := d.strike(ctx, workers, server, seen, &damage)
		cancel(bad) // nil when ctx is done
		strikes <- bad
	}()
	lead := &queue.Lead{Batch: d.Batch, Lease: d.Lease, Replicas: 1, Progress: func(p queue.Progress) {
		if d.Progress != nil {
			d.Progress(p)
		}
		select {
		case seen <- p:
		default:
		}
	}}
	err = lead.Run(ctx, js)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	cancel(nil)
	if bad := <-strikes; err == nil {
		err = bad
	}
	if err == nil {
		damage.Stored, damage.Waiting, err = queue.Counts(context.Background(), js, d.Batch.ID)
	}
	return lead.Tally, damage, err
}

// strike kills workers by the clock and the server by how far the sweep has come.
func (d Drill) strike(ctx context.Context, workers *Workers, server *Server, seen <-chan queue.Progress, damage *Damage) error {
	dice := noise.New(d.Storm.Seed, "storm")
	pick := func(below int) int { return int(dice.Uint64() % uint64(below)) }
	due := d.Storm.After
	var tick <-chan time.Time
	if d.Storm.Every > 0 {
		ticker := time.NewTicker(d.Storm.Every)
		defer ticker.Stop()
		tick = ticker.C
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-workers.Failed():
			return err
		case <-tick:
			damage.Killed += workers.Kill(d.Storm.Kills, pick)
		case p := <-seen:
			if d.Storm.After > 0 && p.Done >= due && p.Done < p.Wanted {
				damage.Killed += workers.Kill(d.Storm.Kills, pick)
				due = p.Done + d.Storm.After
			}
			if damage.Restarted < d.Storm.Restarts && p.Done*(d.Storm.Restarts+1) >= p.Wanted*(damage.Restarted+1) && p.Done < p.Wanted {
				if err := server.Restart(d.Storm.Away); err != nil {
					return err
				}
				damage.Restarted++
			}
		}
	}
}
