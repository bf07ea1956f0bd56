package trace

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// maxPlainID is the largest id of a server that an etcd-raft log keeps: the specification has up to
// 16 servers. A real etcd server has a random id of 64 bits.
const maxPlainID = 16

// numberServers gives the servers of etcd-raft events the numbers 1, 2, ... in the order of their
// ids, if one of the ids is greater than maxPlainID. Event.Node keeps the id. Without such an id
// nothing is changed, so that a server with the id "1" is server 1.
func numberServers(events []Event) {
	ids, large := map[string]bool{}, false
	for k := range events {
		eachID(events[k].Fields, func(id string) string {
			n, err := strconv.ParseUint(id, 10, 64)
			if err == nil && n > 0 {
				ids[id] = true
				large = large || n > maxPlainID
			}
			return id
		})
	}
	if !large {
		return
	}
	sorted := make([]string, 0, len(ids))
	for id := range ids {
		sorted = append(sorted, id)
	}
	slices.SortFunc(sorted, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	number := map[string]string{}
	for k, id := range sorted {
		number[id] = strconv.Itoa(k + 1)
	}
	for k := range events {
		eachID(events[k].Fields, func(id string) string { return cmp.Or(number[id], id) })
	}
}

// eachID replaces the ids of servers in a TracingEvent.
func eachID(event map[string]any, with func(id string) string) {
	one := func(m any, names ...string) {
		object, _ := m.(map[string]any)
		for _, name := range names {
			if id, ok := object[name].(string); ok {
				object[name] = with(id)
			}
		}
	}
	list := func(v any) {
		ids, _ := v.([]any)
		for k := range ids {
			if id, ok := ids[k].(string); ok {
				ids[k] = with(id)
			}
		}
	}
	one(event, "nid")
	one(event["state"], "vote")
	one(event["msg"], "from", "to", "vote")
	confs, _ := event["conf"].([]any)
	for _, conf := range confs {
		list(conf)
	}
	prop, _ := event["prop"].(map[string]any)
	one(prop, "target")
	cc, _ := prop["cc"].(map[string]any)
	list(cc["newconf"])
	list(cc["learners"])
	changes, _ := cc["changes"].([]any)
	for _, change := range changes {
		one(change, "nid")
	}
}
