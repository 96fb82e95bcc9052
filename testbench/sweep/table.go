package sweep

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strconv"

	"fieldbrain/testbench/scenarios"
)

// Lines writes every result as a line of JSON, in the batch's order.
func (t *Tally) Lines(w io.Writer) error {
	to := json.NewEncoder(w)
	for _, r := range t.Results() {
		if err := to.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// Restore takes from what Lines wrote, of an earlier run, the results of jobs that have
// none, and returns how many. A line that nobody can read it passes over.
func (t *Tally) Restore(from io.Reader) (n int, err error) {
	lines := bufio.NewReader(from)
	for err == nil {
		var line []byte
		line, err = lines.ReadBytes('\n')
		r := new(Result)
		if json.Unmarshal(line, r) != nil {
			continue
		}
		if i, known := t.place[r.ID]; known && t.first[i] == nil && t.Add(r) {
			n++
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// CSV writes a row per result, in the batch's order: the job, who drove, both
// hashes, and every metric of the bench; what a drive does not have is empty.
func (t *Tally) CSV(w io.Writer) error {
	to := csv.NewWriter(w)
	metrics := scenarios.Metrics()
	head := []string{"job", "world", "family", "seed", "pilot", "engine"}
	if len(t.batch.Jobs) > 0 {
		for _, s := range t.batch.Jobs[0].Values {
			head = append(head, s.Key)
		}
	}
	head = append(head, "machine", "platform", "version", "took_s", "pass", "sim_seconds", "field_hash", "trajectory_hash", "error")
	if err := to.Write(append(head, metrics...)); err != nil {
		return err
	}
	for _, r := range t.Results() {
		if err := to.Write(r.row(metrics)); err != nil {
			return err
		}
	}
	to.Flush()
	return to.Error()
}

// row writes one result.
func (r *Result) row(metrics []string) []string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	row := []string{r.ID, r.World, r.Family, strconv.FormatUint(r.Seed, 10), r.Pilot, r.Engine}
	for _, s := range r.Values {
		row = append(row, s.Value)
	}
	row = append(row, r.Machine, r.Platform, r.Version, number(r.Took))
	if r.Drive == nil {
		row = append(row, "", "", "", "", r.Error)
		return append(row, make([]string, len(metrics))...)
	}
	d := r.Drive
	row = append(row, strconv.FormatBool(d.Pass), number(d.Seconds), d.FieldHash, d.Trajectory, "")
	for _, name := range metrics {
		cell := ""
		if v, has := d.Metric(name); has {
			cell = number(v)
		}
		row = append(row, cell)
	}
	return row
}
