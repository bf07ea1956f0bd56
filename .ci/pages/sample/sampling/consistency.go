package sampling

import (
	"fmt"
	"maps"
	"slices"
)

// What it computes. Whether some order of all operations, which keeps the order of each client,
// explains what was read and leads from zeros to the final values: sequential consistency.
//
// Why it is right. The search takes, in all ways, the next operation of some client. A read is
// taken only with the value that it has read. A write without an answer may have taken effect or
// not, so the search takes both. An order exists if and only if the search reaches the end with the
// final values. What follows depends only on the operations that are left and on the values, so
// each such pair is visited once.
//
// What it costs. At most the product of the lengths of the clients, plus one each, times the sets
// of values. Harnesses have a few steps.
//
// Example. Client 0 writes k0=101 and gets no answer. Client 1 then reads k0=0, and the final value
// is 101:
//
//	r(k0)=0, w(k0=101)     explains all: the write took effect late

// What became of a request.
const (
	Done    = "done"    // the server has answered
	Unknown = "unknown" // no answer: it may have taken effect
	NotSent = "not-sent"
	NotTrue = "not-true" // the condition did not hold, so nothing was set
)

// Outcome describes what the client of a step saw.
type Outcome struct {
	Request string `json:"request"` // one of the words above, "" for an empty step
	// Read is the value that a conditional request has read; nil if there was no answer.
	Read *int `json:"read,omitempty"`
}

// operation is a read or a write of one client.
type operation struct {
	write   bool
	key     int
	value   int
	certain bool // a write that has taken effect
}

// operations returns the operations of each client, in its order.
func operations(servers int, h Harness, outcomes []Outcome) [][]operation {
	out := make([][]operation, servers)
	for k, s := range h {
		o := outcomes[k]
		if o.Read != nil {
			out[s.Server] = append(out[s.Server], operation{key: s.If, value: *o.Read, certain: true})
		}
		if o.Request == Done || o.Request == Unknown {
			out[s.Server] = append(out[s.Server], operation{write: true, key: s.Key, value: s.Value, certain: o.Request == Done})
		}
	}
	return out
}

// Consistent reports whether some order of all operations, which keeps the order of each client,
// explains what was read and leads from zeros to the final values. The search visits each set of
// done operations with each set of values once.
func Consistent(servers int, h Harness, outcomes []Outcome, final map[int]int) bool {
	clients := operations(servers, h, outcomes)
	seen := map[string]bool{}
	var search func(next []int, values map[int]int) bool
	search = func(next []int, values map[int]int) bool {
		key := fmt.Sprint(next, values)
		if seen[key] {
			return false
		}
		seen[key] = true
		ended := true
		for c, ops := range clients {
			if next[c] == len(ops) {
				continue
			}
			ended = false
			op := ops[next[c]]
			after := slices.Clone(next)
			after[c]++
			switch {
			case op.write:
				set := maps.Clone(values)
				set[op.key] = op.value
				if search(after, set) || !op.certain && search(after, values) {
					return true
				}
			case values[op.key] == op.value:
				if search(after, values) {
					return true
				}
			}
		}
		return ended && maps.Equal(values, final)
	}
	begin := map[int]int{}
	for _, k := range h.Keys() {
		begin[k] = 0
	}
	return search(make([]int, servers), begin)
}
