package tap_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/raft"
	"github.com/multigrain/multigrain/raft/etcdraft/tap"
)

// TestHeader holds that a header has all kinds and inputs that the tap of an application can have,
// and none that it cannot have.
func TestHeader(t *testing.T) {
	t.Parallel()
	var all []string
	for _, in := range raft.Runtime.Inputs {
		switch name := modules.NameOf(in.Action); name {
		case raft.AskAddition.Name, raft.AnswerAddition.Name: // those of RedisRaft's library
		case raft.Disconnect.Name: // that of a server with streams
		default:
			all = append(all, name)
		}
	}
	const kinds = 12 // of raft.Kind
	for _, c := range []struct {
		o       tap.Options
		without []string
		kinds   int
	}{
		{tap.Options{Snapshots: true}, nil, kinds},
		{tap.Options{}, []string{"NoteSnapshot", "NoteCompaction"}, kinds - 1},
		{tap.Options{Snapshots: true, Unnoted: []string{"AskRead", "Propose"}}, []string{"AskRead", "Propose"}, kinds},
	} {
		var h struct {
			Event         string
			Kinds, Inputs []string
		}
		if err := json.Unmarshal(tap.AppendHeader(nil, c.o), &h); err != nil {
			t.Fatal(err)
		}
		for _, name := range all {
			if slices.Contains(h.Inputs, name) == slices.Contains(c.without, name) {
				t.Errorf("%+v: inputs %v, and %s of those without %v", c.o, h.Inputs, name, c.without)
			}
		}
		if h.Event != "header" || len(h.Inputs) != len(all)-len(c.without) || len(h.Kinds) != c.kinds || slices.Contains(h.Kinds, "MsgSnap") != c.o.Snapshots {
			t.Errorf("%+v: %+v", c.o, h)
		}
	}
}
