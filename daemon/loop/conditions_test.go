package loop_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/daemon/loop"
)

func TestConditionsReportEachChangeOnce(t *testing.T) {
	now := time.Unix(100, 0)
	var changes []string
	r := loop.NewConditions(func() time.Time { return now }, func(c loop.Condition, active bool) {
		if active {
			changes = append(changes, c.Name+"="+c.Value)
		} else {
			changes = append(changes, c.Name+" gone")
		}
	})
	r.Set(loop.Condition{Name: "link", Value: "degraded"})
	now = time.Unix(101, 0)
	r.Set(loop.Condition{Name: "link", Value: "degraded", Cause: "HAT off", Remedy: "switch it on"})
	early := loop.Condition{Name: "link", Value: "degraded", Since: time.Unix(100, 0), Cause: "HAT off", Remedy: "switch it on"}
	if d := cmp.Diff(r.List(), []loop.Condition{early}); d != "" {
		t.Errorf("a newer cause has to show, the older beginning to stay; got -, want +:\n%s", d)
	}
	r.Put(loop.Condition{Name: "gpu", Value: "lost"}, true)
	r.Set(loop.Condition{Name: "link", Value: "down"})
	want := []loop.Condition{
		{Name: "gpu", Value: "lost", Since: now},
		{Name: "link", Value: "down", Since: now},
	}
	if d := cmp.Diff(r.List(), want); d != "" {
		t.Errorf("list, got -, want +:\n%s", d)
	}
	r.Put(loop.Condition{Name: "gpu"}, false)
	r.Clear("link")
	r.Clear("link")
	if d := cmp.Diff(changes, []string{"link=degraded", "gpu=lost", "link=down", "gpu gone", "link gone"}); d != "" {
		t.Errorf("changes, got -, want +:\n%s", d)
	}
}

func ExampleConditions() {
	r := loop.NewConditions(func() time.Time { return time.Unix(0, 0) }, func(c loop.Condition, active bool) {
		fmt.Println(c.Name, c.Value, active)
	})
	r.Set(loop.Condition{Name: "link", Value: "degraded"})
	r.Set(loop.Condition{Name: "link", Value: "degraded"}) // said once
	r.Clear("link")
	// Output:
	// link degraded true
	// link degraded false
}
