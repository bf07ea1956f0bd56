package trace

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
)

// earlyEvent reads what CCF logged in 2023, with the tag "tla", as an event of ccf-raft. Names and
// places of fields become those of today, and so do the numbers of kinds of messages. Two events
// show a node after what they report, and today's before it. They keep names of their own:
//
//	append     an entry at "index", at a leader or a follower, is now in the log; "globally_committable" says that it is a
//	           signature
//	committed  the commit index is now state.commit_idx
//
// The error says what the line does not have, or that it shows a later configuration than the first
// one. No log that is known has that, so its form is not known either.
func earlyEvent(msg map[string]any) (Event, error) {
	of, _ := msg["event"].(map[string]any)
	name, _ := of["function"].(string)
	node, hasNode := msg["node"].(string)
	state, hasState := msg["state"].(map[string]any)
	if name == "" || !hasNode || !hasState {
		return Event{}, errors.New(`the event of 2023 has no "function", "node" or "state"`)
	}
	state["node_id"] = node
	if role, ok := msg["leadership"].(string); ok {
		if role == "none" {
			role = "None"
		}
		state["leadership_state"] = role
	}
	if stage, ok := msg["membership"].(string); ok {
		state["membership_state"] = stage
	}
	fields := map[string]any{"state": state}
	for early, today := range map[string]string{"from": "from_node_id", "to": "to_node_id"} {
		if msg[early] != nil {
			fields[today] = msg[early]
		}
	}
	if packet, ok := msg["paket"].(map[string]any); ok {
		if err := packetOfToday(packet); err != nil {
			return Event{}, err
		}
		fields["packet"] = packet
	}
	var err error
	switch name {
	case "send_authenticated":
		name = "send_append_entries"
	case "commit":
		name = "committed"
	case "append", "replicate", "execute_append_entries_sync":
		name, fields["index"] = "append", msg["index"]
		fields["globally_committable"], err = isSignature(msg["data"])
	case "add_configuration":
		fields["args"], err = firstConfiguration(msg["configurations"])
	}
	return Event{Name: name, Node: node, Fields: fields}, err
}

// earlyKinds are the kinds of messages by their numbers in raft_types.h of 2023.
var earlyKinds = map[int64]string{
	0: "raft_append_entries", 1: "raft_append_entries_response", 3: "raft_request_vote", 4: "raft_request_vote_response", 5: "raft_propose_request_vote",
}

// packetOfToday replaces numbers of a packet by today's names.
func packetOfToday(packet map[string]any) error {
	number, _ := packet["msg"].(int64)
	kind, known := earlyKinds[number]
	if !known || packet["msg"] == nil {
		return fmt.Errorf(`"paket" is of no kind that is known: "msg" is %v`, packet["msg"])
	}
	packet["msg"] = kind
	if success, ok := packet["success"].(int64); ok {
		packet["success"] = "FAIL"
		if success == 0 {
			packet["success"] = "OK"
		}
	}
	return nil
}

// isSignature reports whether the driver's data of an entry, an object in base 64 whose "data" is
// text in base 64, is a signature.
func isSignature(data any) (bool, error) {
	text, _ := data.(string)
	object, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return false, fmt.Errorf(`"data": %w`, err)
	}
	var entry struct{ Data []byte }
	if err := json.Unmarshal(object, &entry); err != nil {
		return false, fmt.Errorf(`"data": %w`, err)
	}
	return string(entry.Data) == "signature", nil
}

// firstConfiguration returns the arguments of today's add_configuration for the only configuration
// of a node, which no entry has.
func firstConfiguration(configurations any) (map[string]any, error) {
	all, _ := configurations.([]any)
	if len(all) == 1 {
		if first, ok := all[0].(map[string]any); ok && first["idx"] == int64(0) {
			return map[string]any{"configuration": first}, nil
		}
	}
	return nil, errors.New("it has another configuration than the first one, which logs of 2023 are not known to have")
}
