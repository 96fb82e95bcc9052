package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"fieldbrain/testbench/sweep"
	"fieldbrain/testbench/sweep/queue"
	"fieldbrain/verdict"

	"fieldbrain/cmd/fieldbrain/sweepworkers"
)

// A stormHalf is one of the two sweeps.
type stormHalf struct {
	Results     int         `json:"results"` // jobs with one
	Failed      int         `json:"failed"`
	Twice       sweep.Check `json:"twice"`
	Handed      int         `json:"handed_out_again"`
	Differences int         `json:"differences"`
	sweepworkers.Damage
	Seconds float64 `json:"seconds"`
	Pass    bool    `json:"pass"`
}

// A stormReport compares them.
type stormReport struct {
	Machine string    `json:"machine"`
	Drives  int       `json:"drives"`
	Workers int       `json:"workers"`
	Calm    stormHalf `json:"undisturbed"`
	Storm   stormHalf `json:"disturbed"`
	Equal   int       `json:"equal"` // jobs with equal hashes in both
	Pass    bool      `json:"pass"`
}

// judge compares the digests.
func (r *stormReport) judge(calm, storm map[string]string) {
	for id, digest := range calm {
		if storm[id] == digest {
			r.Equal++
		}
	}
	r.Pass = r.Calm.Pass && r.Storm.Pass && r.Equal == r.Drives
}

// Print writes the report for people.
func (r *stormReport) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%d drives, %d workers, %s\n", r.Drives, r.Workers, r.Machine)
	for _, half := range []struct {
		name string
		stormHalf
	}{{"undisturbed", r.Calm}, {"disturbed", r.Storm}} {
		verdict := "FAILED"
		if half.Pass {
			verdict = "ok"
		}
		_, bad := fmt.Fprintf(w, "  %-11s %s: %d results, %d stored on the server with %d of second workers, %d jobs left; %d workers killed, %d servers, %d jobs finished by another worker; %d of %d driven twice equal; %.0f s\n",
			half.name, verdict, half.Results, half.Stored, half.Twice.Compared+half.Twice.Alone, half.Waiting,
			half.Killed, half.Restarted, half.Handed, half.Twice.Equal, half.Twice.Wanted, half.Seconds)
		err = errors.Join(err, bad)
	}
	_, bad := fmt.Fprintf(w, "  %d of %d jobs have the same field and way in both\n", r.Equal, r.Drives)
	return errors.Join(err, bad)
}

// A costReport says what a worker costs.
type costReport struct {
	Machine string            `json:"machine"`
	Block   int               `json:"block"`
	Length  float64           `json:"length_s"`
	Wall    verdict.Judgement `json:"wall"`      // time of drives from a queue over the same drives without one
	CPU     verdict.Judgement `json:"processor"` // processor time of the worker's process
	Idle    verdict.Judgement `json:"between"`   // from the first drive's begin to the last one's over the time in which it drives meanwhile
	PerJob  float64           `json:"per_job_s"` // the median of the wall time more
	Drive   float64           `json:"drive_s"`   // of one, median
}

// mostCost is what a worker may cost: 2 % of the drives' own time.
const mostCost = 1.02

// sound reports whether nothing was missed.
func (r *costReport) sound() bool {
	return r.Wall.Verdict != verdict.Missed && r.CPU.Verdict != verdict.Missed && r.Idle.Verdict != verdict.Missed
}

// Print writes the report for people.
func (r *costReport) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "rounds of %d drives of %g s in the room, directly and from a queue in turn, %s\n%v\n%v\n%v\n%.2f ms more for a drive that takes %.1f ms\n",
		r.Block, r.Length, r.Machine, r.Wall, r.CPU, r.Idle, 1000*r.PerJob, 1000*r.Drive)
	return err
}

// cost times blocks of drives, directly and from a queue in turn, in one process with
// one drive at a time; the server is another one.
func (c benchSweepCmd) cost(progress func(done, total int)) (*costReport, error) {
	folder, err := os.MkdirTemp("", "fieldbrain-sweep-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	program, err := natsProgram()
	if err != nil {
		return nil, err
	}
	server, err := sweepworkers.Serve(sweepworkers.Site{Program: program, Folder: folder, Listen: "127.0.0.1:0"})
	if err != nil {
		return nil, err
	}
	defer server.Close()
	ctx, end := context.WithCancelCause(context.Background())
	defer end(nil)
	go func() {
		select {
		case err := <-server.Failed():
			end(fmt.Errorf("bench sweep: %w; what was timed with it does not count: run it again", err))
		case <-ctx.Done():
		}
	}()
	t, err := c.rounds(ctx, server.URL(), progress)
	if dead := context.Cause(ctx); dead != nil {
		return nil, dead
	}
	if err != nil {
		return nil, err
	}
	return c.costs(t)
}

// rounds times all blocks with a server. It returns early where the context ends.
func (c benchSweepCmd) rounds(ctx context.Context, url string, progress func(done, total int)) (*costTimes, error) {
	conn, js, err := queue.Connect(ctx, queue.Address{URL: url, Name: "fieldbrain bench sweep"})
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	heart, err := (sweepWorkerCmd{Name: "bench"}).heart()
	if err != nil {
		return nil, err
	}
	t := &costTimes{}
	for round := range c.Rounds {
		batch, err := c.batch(c.Block, c.Length, 1+round*c.Block, 0)
		if err != nil {
			return nil, err
		}
		lead := &queue.Lead{Batch: batch, Lease: queue.DefaultLease, Replicas: 1}
		if err := lead.Prepare(ctx, js); err != nil {
			return nil, err
		}
		ways := []func() error{
			func() error { return direct(batch) },
			func() error { return fromQueue(ctx, js, heart, batch, t) },
		}
		for i := range ways {
			way := (i + round) % 2 // who begins takes turns
			before, used := time.Now(), processorTime()
			if err := errors.Join(ways[way](), ctx.Err()); err != nil {
				return nil, err
			}
			t.wall[way] = append(t.wall[way], time.Since(before).Seconds())
			t.cpu[way] = append(t.cpu[way], (processorTime() - used).Seconds())
		}
		if err := queue.Remove(ctx, js, batch.ID); err != nil {
			return nil, err
		}
		progress(round+1, c.Rounds)
	}
	return t, nil
}

// costTimes are those of every round, in s: of drives without a queue and of drives from it.
type costTimes struct {
	wall, cpu      [2][]float64
	whole, driving []float64 // from a queue, from the first drive's begin to the last one's; and of it in drives
}

// costs judges the times.
func (c benchSweepCmd) costs(t *costTimes) (*costReport, error) {
	r := &costReport{Machine: pageFlags{}.machine(), Block: c.Block, Length: c.Length}
	for _, claim := range []struct {
		name       string
		time, over []float64
		to         *verdict.Judgement
	}{
		{"time from a queue over time without", t.wall[1], t.wall[0], &r.Wall},
		{"processor time of the worker likewise", t.cpu[1], t.cpu[0], &r.CPU},
		{"time of a worker over the time in which it drives", t.whole, t.driving, &r.Idle},
	} {
		i, err := verdict.Pairs(claim.time, claim.over)
		if err != nil {
			return nil, err
		}
		*claim.to = verdict.Claim{Name: claim.name, Direction: verdict.AtMost, Limit: mostCost}.Judge(i)
	}
	wall := t.wall
	more := make([]float64, len(wall[0]))
	for k := range more {
		more[k] = (wall[1][k] - wall[0][k]) / float64(c.Block)
	}
	r.PerJob, r.Drive = verdict.Median(more), verdict.Median(wall[0])/float64(c.Block)
	return r, nil
}

// direct drives all jobs of a batch without a queue.
func direct(batch *sweep.Batch) error {
	r := newRider()
	for i := range batch.Jobs {
		if _, err := r.drive(&batch.Jobs[i], func(name string) ([]byte, error) { return batch.Inputs[name], nil }); err != nil {
			return err
		}
	}
	return nil
}

// fromQueue lets one worker drive what is in the queue.
func fromQueue(ctx context.Context, js queue.Stream, heart queue.Heart, batch *sweep.Batch, t *costTimes) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	var first, last time.Time // begins of drives
	var before, driving float64
	var driven atomic.Int64
	drive := newRider().drive
	timed := func(job *sweep.Job, input func(string) ([]byte, error)) (queue.Outcome, error) {
		last = time.Now()
		if first.IsZero() {
			first = last
		}
		driving += before // the drive before
		out, err := drive(job, input)
		before = time.Since(last).Seconds()
		driven.Add(1)
		return out, err
	}
	finished := func(done int) {
		if n := len(batch.Jobs); done >= n && int(driven.Load()) >= n {
			end()
		}
	}
	w := &queue.Worker{Heart: heart, Only: batch.ID, AtOnce: 1, Drive: timed, Finished: finished}
	err := w.Run(ctx, js)
	t.whole, t.driving = append(t.whole, last.Sub(first).Seconds()), append(t.driving, driving)
	return err
}
