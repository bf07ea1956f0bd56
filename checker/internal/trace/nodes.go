package trace

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// words returns the words of a command of CCF's raft driver.
func words(command string) []any {
	var out []any
	for _, word := range strings.Split(command, ",") {
		out = append(out, word)
	}
	return out
}

// asserted are the commands of CCF's raft driver that assert something of one node.
var asserted = []string{"assert_commit_idx", "assert_detail"}

// assertion returns the event of a command that asserts something of a node. ok is false for other
// commands.
func assertion(command any) (e Event, ok bool) {
	text, _ := command.(string)
	list := words(text)
	name := list[0].(string)
	if len(list) < 3 || !slices.Contains(asserted, name) {
		return Event{}, false
	}
	state := map[string]any{"node_id": list[1]}
	return Event{Name: name, Node: list[1].(string), Fields: map[string]any{"cmd": list, "state": state}}, true
}

// numberNodes gives the nodes of ccf-raft events the numbers 0, 1, ... in the order of their ids,
// shorter ids first. The nodes of a configuration become a list of numbers. Event.Node keeps the
// id.
func numberNodes(events []Event) {
	ids := map[string]bool{}
	for k := range events {
		eachNode(events[k].Fields, func(id string) int64 {
			ids[id] = true
			return 0
		}, false)
	}
	sorted := make([]string, 0, len(ids))
	for id := range ids {
		sorted = append(sorted, id)
	}
	slices.SortFunc(sorted, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	number := map[string]int64{}
	for k, id := range sorted {
		number[id] = int64(k)
	}
	for k := range events {
		eachNode(events[k].Fields, func(id string) int64 { return number[id] }, true)
	}
}

// eachNode calls number for each id of a node in an event, and replaces it if replace is set.
func eachNode(event map[string]any, number func(id string) int64, replace bool) {
	one := func(m map[string]any, name string) {
		if id := m[name]; id != nil {
			if n := number(fmt.Sprint(id)); replace {
				m[name] = n
			}
		}
	}
	one(event, "from_node_id")
	one(event, "to_node_id")
	state, _ := event["state"].(map[string]any)
	one(state, "node_id")
	configuration := func(v any) {
		m, _ := v.(map[string]any)
		nodes, isMap := m["nodes"].(map[string]any)
		if !isMap {
			return
		}
		list := []any{}
		for id := range nodes {
			list = append(list, number(id))
		}
		if replace {
			slices.SortFunc(list, func(a, b any) int { return cmp.Compare(a.(int64), b.(int64)) })
			m["nodes"] = list
		}
	}
	args, _ := event["args"].(map[string]any)
	configuration(args["configuration"])
	configuration(event["new_configuration"])
	all, _ := event["configurations"].([]any)
	for _, c := range all {
		configuration(c)
	}
}
