package main

import (
	"slices"
	"time"

	"github.com/multigrain/multigrain/raft/etcdraft/tap/testdata/kv"
)

// A virtual machine stands still now and then, for longer than a write takes, and the p99 of a small load is then the machine's and not
// the server's. So a process of its own watches: a thread for each processor, which comes before all that has no real-time priority, sleeps
// for a millisecond at a time and says when it woke late. What a server or a tap does cannot delay it.
const (
	watchEnv  = "COST_WATCH"
	watchLate = time.Millisecond
)

// gap is a time at which a processor did nothing, in nanoseconds since 1970.
type gap struct{ from, to int64 }

// outside returns the requests that no pause meets.
func outside(requests []kv.Request, pauses []gap) []kv.Request {
	slices.SortFunc(pauses, func(a, b gap) int { return int(a.from - b.from) })
	last := make([]int64, len(pauses)) // by position: the end of those up to it
	end := int64(0)
	for k, p := range pauses {
		end = max(end, p.to)
		last[k] = end
	}
	return slices.DeleteFunc(slices.Clone(requests), func(r kv.Request) bool {
		from, to := r.Began.UnixNano(), r.Began.Add(r.Took).UnixNano()
		at, _ := slices.BinarySearchFunc(pauses, to, func(p gap, to int64) int {
			if p.from < to {
				return -1
			}
			return 1
		})
		return at > 0 && last[at-1] > from
	})
}
