package trace

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// What it computes. The events of a script of CCF's raft driver. A line stands for simpler
// commands, so it becomes several events with the number of that line:
//
//	trust_node,2,1    create 1; connect 0,1; configure 0,1 in term 2; settled
//	periodic_all,10   for each node: periodic_one of 10 ms; settled
//	dispatch_all      five times: count; for each node: dispatch_counted; settled
//
// The event settled comes after what makes nodes act: they have done all that follows from it.
//
// Why it is right. Which nodes exist depends on the lines before only, so no state is needed. What
// depends on the state, as which node leads in a term, is for the mapping to say.

// scenarioCommands are the commands of the driver, with the numbers of words after the name: at
// least and at most, -1 for any number.
var scenarioCommands = map[string][2]int{
	"start_node": {1, 1}, "pre_vote_enabled": {1, 1}, "create_new_node": {1, 1}, "nodes": {1, -1},
	"trust_node": {2, 2}, "trust_nodes": {2, -1}, "swap_node": {3, 3}, "swap_nodes": {3, -1}, "replicate_new_configuration": {2, -1},
	"replicate": {2, 2}, "emit_signature": {1, 1}, "cleanup_nodes": {2, -1}, "nominate_successor": {1, 1},
	"periodic_one": {2, 2}, "periodic_all": {1, 1},
	"connect": {2, 2}, "reconnect": {2, 2}, "disconnect": {2, 2}, "disconnect_node": {1, 1}, "reconnect_node": {1, 1},
	"dispatch_one": {1, 1}, "dispatch_all": {0, 0}, "dispatch_all_once": {0, 0}, "dispatch_single": {2, 2},
	"drop_pending": {1, 1}, "drop_pending_to": {2, 2}, "shuffle_one": {1, 1}, "shuffle_all": {0, 0}, "loop_until_sync": {0, 0},
	"state_one": {1, 1}, "state_all": {0, 0}, "summarise_log": {1, 1}, "summarise_logs_all": {0, 0}, "summarise_messages": {2, 2}, "mark_seed": {1, 1},
	"dispatch_one_first_n": {2, 2}, "assert_loop_sync": {1, -1},
	"assert_commit_idx": {2, 2}, "assert_detail": {3, 3}, "assert_!detail": {3, 3}, "assert_config": {2, -1}, "assert_absent_config": {2, 2},
	"assert_state_sync": {0, 0}, "assert_commit_safety": {1, 1}, "assert_last_txid": {2, 2},
	"assert_is_primary": {1, 1}, "assert_is_backup": {1, 1}, "assert_is_candidate": {1, 1}, "assert_isnot_primary": {1, 1},
	"assert_isnot_backup": {1, 1}, "assert_isnot_candidate": {1, 1}, "assert_is_retired": {1, 1}, "assert_is_active": {1, 1},
}

// unsaid are commands that have no counterpart in the specification, with the reason.
var unsaid = map[string]string{
	"nodes":                "a service of the specification starts with one node that leads",
	"shuffle_one":          "messages between two nodes of this composition arrive in their order",
	"shuffle_all":          "messages between two nodes of this composition arrive in their order",
	"dispatch_one_first_n": "only the driver of another commit has this command",
	"assert_loop_sync":     "only the driver of another commit has this command",
}

// details name the parts of a state that assert_detail compares.
var details = []string{"leadership_state", "current_view", "membership_state", "retirement_phase"}

// longestTick bounds the milliseconds of a command: time-outs are at most half of it.
const longestTick = 200

// syncRounds is how often loop_until_sync lets time pass at most.
const syncRounds = 20

// dispatchRounds is how often dispatch_all dispatches at most.
const dispatchRounds = 5

// scenarioLine reads a line of a script. "cmd" of the event is the list of its words. "bad" is an
// error, which does not matter where the script ends before.
func scenarioLine(line []byte) (Event, error) {
	text, _, _ := strings.Cut(string(line), "#")
	text = strings.TrimSpace(text)
	if text == "" {
		return Event{}, errOther
	}
	words := strings.Split(text, ",")
	for k := range words {
		words[k] = strings.TrimSpace(words[k])
	}
	e := Event{Name: words[0], Fields: map[string]any{"cmd": words}}
	if strings.HasPrefix(text, "====") {
		return e, nil
	}
	count, known := scenarioCommands[words[0]]
	if n := len(words) - 1; !known {
		e.Fields["bad"] = fmt.Errorf("%q is no command of CCF's raft driver", words[0])
	} else if n < count[0] || count[1] >= 0 && n > count[1] {
		e.Fields["bad"] = fmt.Errorf("%s has %d arguments, which the driver does not take", words[0], n)
	}
	return e, nil
}

// interpret replaces the lines of one script by events. The log ends before the first line that the
// specification cannot express: see Log.Unsaid.
func interpret(log *Log) error {
	x := interpreter{number: map[string]int64{}}
	x.numberAll(log.Events)
	lines := log.Events
	log.Events = nil
	for k := range lines {
		x.line = &lines[k]
		words := lines[k].Fields["cmd"].([]string)
		if strings.HasPrefix(words[0], "====") {
			break
		}
		if bad, ok := lines[k].Fields["bad"].(error); ok {
			return &LineError{x.line.File, x.line.Line, bad}
		}
		reason := unsaid[words[0]]
		if strings.HasSuffix(words[0], "detail") && !slices.Contains(details, words[2]) {
			reason = "the specification has no detail " + words[2]
		}
		if words[0] == "create_new_node" && len(x.created) == 0 {
			reason = unsaid["nodes"]
		}
		if reason != "" {
			log.Unsaid = fmt.Sprintf("%s:%d: %s has no counterpart: %s", x.line.File, x.line.Line, words[0], reason)
			break
		}
		if err := x.command(words[0], words[1:]); err != nil {
			return &LineError{x.line.File, x.line.Line, err}
		}
	}
	log.Events = x.out
	return nil
}

// interpreter makes events of lines.
type interpreter struct {
	line    *Event
	number  map[string]int64 // of nodes by id
	created []string         // ids in their order
	preVote bool
	asks    bool // whether a line has set pre-votes
	out     []Event
}

// nodesOf returns the words of a command that are ids of nodes which it creates.
func nodesOf(words []string) []string {
	switch words[0] {
	case "start_node", "create_new_node", "nodes":
		return words[1:]
	case "trust_node", "trust_nodes", "replicate_new_configuration":
		return words[2:]
	case "swap_node":
		return words[3:]
	case "swap_nodes":
		in := slices.Index(words, "in")
		if in < 0 {
			return nil
		}
		end := slices.Index(words, "out")
		if end < in {
			end = len(words)
		}
		return words[in+1 : end]
	}
	return nil
}

// byLength orders ids: shorter ones first.
func byLength(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }

// numberAll gives the nodes of a script the numbers 0, 1, ... in the order of their ids.
func (x *interpreter) numberAll(lines []Event) {
	var ids []string
	for k := range lines {
		if lines[k].Fields["bad"] != nil {
			continue
		}
		for _, id := range nodesOf(lines[k].Fields["cmd"].([]string)) {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	slices.SortFunc(ids, byLength)
	for k, id := range ids {
		x.number[id] = int64(k)
	}
}

// add appends an event of a node; fields are names and values.
func (x *interpreter) add(name, node string, fields ...any) {
	e := Event{File: x.line.File, Line: x.line.Line, Name: name, Node: node, Fields: map[string]any{"created": x.numbers(x.created)}}
	if node != "" {
		e.Fields["node"] = x.number[node]
	}
	for k := 0; k < len(fields); k += 2 {
		e.Fields[fields[k].(string)] = fields[k+1]
	}
	x.out = append(x.out, e)
}

// numbers returns the numbers of nodes in their order.
func (x *interpreter) numbers(ids []string) []any {
	list := []any{}
	for _, id := range ids {
		list = append(list, x.number[id])
	}
	slices.SortFunc(list, func(a, b any) int { return cmp.Compare(a.(int64), b.(int64)) })
	return list
}

// known returns an error unless all ids are those of nodes that exist.
func (x *interpreter) known(ids ...string) error {
	for _, id := range ids {
		if !slices.Contains(x.created, id) {
			return fmt.Errorf("no line before creates node %q", id)
		}
	}
	return nil
}

// create adds a node.
func (x *interpreter) create(id string) error {
	if slices.Contains(x.created, id) {
		return fmt.Errorf("node %q exists already", id)
	}
	x.created = append(x.created, id)
	slices.SortFunc(x.created, byLength)
	if x.asks {
		x.add("create", id, "pre_vote", x.preVote)
	} else {
		x.add("create", id)
	}
	return nil
}

// command adds the events of a command with its arguments.
func (x *interpreter) command(name string, args []string) error {
	switch name {
	case "pre_vote_enabled":
		if args[0] != "true" && args[0] != "false" {
			return fmt.Errorf("pre_vote_enabled is true or false, and not %q", args[0])
		}
		x.preVote, x.asks = args[0] == "true", true
		return nil
	case "state_one", "state_all", "summarise_log", "summarise_logs_all", "summarise_messages", "mark_seed":
		return nil // they print
	case "start_node":
		if len(x.created) > 0 {
			return fmt.Errorf("the service has started already: a script has one start_node")
		}
		err := x.create(args[0])
		x.add(name, args[0])
		return err
	}
	if len(x.created) == 0 {
		return fmt.Errorf("%s comes before start_node", name)
	}
	switch {
	case strings.HasPrefix(name, "assert_"):
		return x.assert(name, args)
	case name == "periodic_one", name == "periodic_all":
		return x.periodic(name, args)
	case name == "connect", strings.HasPrefix(name, "disconnect"), strings.HasPrefix(name, "reconnect"):
		return x.link(name, args)
	case strings.HasPrefix(name, "dispatch"), strings.HasPrefix(name, "drop"):
		return x.messages(name, args)
	case name == "nominate_successor":
		err := x.known(args...)
		x.add(name, args[0])
		return err
	case name == "loop_until_sync":
		x.untilSync()
		return nil
	case name == "create_new_node":
		return x.create(args[0])
	}
	return x.append(name, args)
}

// append adds the events of a command that makes the leader of a term append an entry.
func (x *interpreter) append(name string, args []string) error {
	var term []any
	if args[0] == "latest" {
		term = []any{"latest", true}
	} else if n, err := strconv.ParseInt(args[0], 10, 64); err == nil {
		term = []any{"latest", false, "term", n}
	} else {
		return fmt.Errorf("%q is no term: a number or latest", args[0])
	}
	switch name {
	case "replicate", "emit_signature":
		x.add(name, "", term...)
	case "cleanup_nodes":
		if err := x.known(args[1:]...); err != nil {
			return err
		}
		x.add(name, "", append(term, "nodes", x.numbers(args[1:]))...)
	default:
		nodes, err := x.configuration(name, args)
		if err != nil {
			return err
		}
		x.add("configure", "", append(term, "nodes", x.numbers(nodes))...)
	}
	x.add("settled", "")
	return nil
}

// configuration creates and connects the nodes that a change takes in, and returns all nodes after
// it.
func (x *interpreter) configuration(name string, args []string) (nodes []string, err error) {
	in := nodesOf(append([]string{name}, args...))
	if name == "replicate_new_configuration" {
		for _, id := range in {
			if slices.Contains(x.created, id) {
				continue
			}
			if err := x.create(id); err != nil {
				return nil, err
			}
		}
		return in, nil
	}
	var out []string
	switch {
	case name == "swap_node":
		out = args[1:2]
	case name == "swap_nodes":
		if args[1] != "in" && args[1] != "out" {
			return nil, fmt.Errorf("swap_nodes has %q where in or out is expected", args[1])
		}
		if from := slices.Index(args, "out"); from >= 0 {
			out = args[from+1:]
			if end := slices.Index(out, "in"); end >= 0 {
				out = out[:end]
			}
		}
	}
	for _, id := range in {
		if err := x.create(id); err != nil {
			return nil, err
		}
	}
	for _, id := range in {
		for _, other := range x.created {
			if other != id {
				x.add("connect", id, "peer", x.number[other])
			}
		}
	}
	for _, id := range x.created {
		if !slices.Contains(out, id) {
			nodes = append(nodes, id)
		}
	}
	return nodes, nil
}

// periodic adds the time that passes at nodes.
func (x *interpreter) periodic(name string, args []string) error {
	nodes := x.created
	if name == "periodic_one" {
		nodes, args = args[:1], args[1:]
	}
	ms, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil || ms < 0 {
		return fmt.Errorf("%q is no number of milliseconds", args[0])
	}
	if err := x.known(nodes...); err != nil {
		return err
	}
	for _, id := range nodes {
		x.add("periodic_one", id, "ms", min(ms, longestTick))
		x.add("settled", "")
	}
	return nil
}

// link adds events that connect or disconnect nodes: the two, or one from all others.
func (x *interpreter) link(name string, args []string) error {
	if err := x.known(args...); err != nil {
		return err
	}
	peers := args[1:]
	if len(args) == 1 {
		peers = x.created
	}
	event := "connect"
	if strings.HasPrefix(name, "disconnect") {
		event = "disconnect"
	}
	for _, peer := range peers {
		if peer != args[0] {
			x.add(event, args[0], "peer", x.number[peer])
		}
	}
	return nil
}

// messages adds events that dispatch or lose messages.
func (x *interpreter) messages(name string, args []string) error {
	if err := x.known(args...); err != nil {
		return err
	}
	switch name {
	case "dispatch_one":
		x.add(name, args[0])
		x.add("settled", "")
	case "dispatch_single":
		x.add(name, args[0], "peer", x.number[args[1]])
		x.add("settled", "")
	case "dispatch_all_once":
		x.dispatchAll(1)
	case "dispatch_all":
		x.dispatchAll(dispatchRounds)
	case "drop_pending":
		for _, to := range x.created {
			x.add("drop_pending_to", args[0], "peer", x.number[to])
		}
	case "drop_pending_to":
		x.add(name, args[0], "peer", x.number[args[1]])
	}
	return nil
}

func (x *interpreter) dispatchAll(rounds int) {
	for range rounds {
		x.add("count", "")
		for _, id := range x.created {
			x.add("dispatch_counted", id)
			x.add("settled", "")
		}
	}
}

// untilSync adds the rounds of loop_until_sync. Time passes at the node that leads when the loop
// begins. The mapping leaves time as it is once nodes agree.
func (x *interpreter) untilSync() {
	x.add("until_sync", "")
	x.add("emit_signature", "", "latest", true)
	x.add("settled", "")
	for _, a := range x.created {
		for _, b := range x.created {
			if a != b {
				x.add("connect", a, "peer", x.number[b])
			}
		}
	}
	for range syncRounds {
		x.add("periodic_primary", "", "ms", int64(10))
		x.add("settled", "")
		x.dispatchAll(dispatchRounds)
	}
	x.add("loop_until_sync", "")
}

// assert adds an event for a command that asserts something.
func (x *interpreter) assert(name string, args []string) error {
	node := ""
	if len(args) > 0 {
		if err := x.known(args[0]); err != nil {
			return err
		}
		node = args[0]
	}
	number := func(text string) (int64, error) {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("%q is no index", text)
		}
		return n, nil
	}
	switch name {
	case "assert_commit_idx", "assert_config", "assert_absent_config":
		idx, err := number(args[1])
		if err != nil {
			return err
		}
		if err := x.known(args[2:]...); err != nil {
			return err
		}
		x.add(name, node, "idx", idx, "nodes", x.numbers(args[2:]))
	case "assert_last_txid":
		view, idx, ok := strings.Cut(args[1], ".")
		v, err := number(view)
		k, err2 := number(idx)
		if !ok || err != nil || err2 != nil {
			return fmt.Errorf("%q is no transaction: a term, a dot and an index", args[1])
		}
		x.add(name, node, "term", v, "idx", k)
	case "assert_detail", "assert_!detail":
		x.add(strings.Replace(name, "!", "not_", 1), node, "detail", args[1], "value", args[2])
	default:
		x.add(name, node)
	}
	return nil
}
