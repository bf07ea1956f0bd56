package trace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// script reads a script.
func script(t *testing.T, text string) (Log, error) {
	path := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return ReadFiles(context.Background(), []string{path}, "ccf-scenario")
}

// names shows events as line:name, with the node and the numbers that matter.
func names(log Log) string {
	var out []string
	for _, e := range log.Events {
		text := fmt.Sprintf("%d:%s", e.Line, e.Name)
		for _, key := range []string{"node", "peer", "ms", "term", "nodes", "idx"} {
			if v, ok := e.Fields[key]; ok {
				text += fmt.Sprintf(" %s=%v", key, v)
			}
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n")
}

func TestScenario(t *testing.T) {
	log, err := script(t, "# a comment\nstart_node,0\n\nemit_signature,2 # another one\ntrust_node,2,10\n"+
		"swap_nodes,2,out,0,in,2\nperiodic_all,1000\ndispatch_one,2\nstate_all\nassert_config,0,3,0,10\n====\nnonsense,1\n")
	if err != nil {
		t.Fatal(err)
	}
	want := `2:create node=0
2:start_node node=0
4:emit_signature term=2
4:settled
5:create node=2
5:connect node=2 peer=0
5:configure term=2 nodes=[0 2]
5:settled
6:create node=1
6:connect node=1 peer=0
6:connect node=1 peer=2
6:configure term=2 nodes=[1 2]
6:settled
7:periodic_one node=0 ms=200
7:settled
7:periodic_one node=1 ms=200
7:settled
7:periodic_one node=2 ms=200
7:settled
8:dispatch_one node=1
8:settled
10:assert_config node=0 nodes=[0 2] idx=3`
	if got := names(log); got != want {
		t.Errorf("events are\n%s\nand not\n%s", got, want)
	}
}

func TestScenarioDispatchesInRounds(t *testing.T) {
	log, err := script(t, "start_node,0\ndispatch_all_once\ndispatch_all")
	if err != nil {
		t.Fatal(err)
	}
	if got := len(log.Events) - 2; got != 3*(1+dispatchRounds) {
		t.Errorf("two commands are %d events", got)
	}
}

func TestScenarioErrors(t *testing.T) {
	for text, want := range map[string]string{
		"emit_signature,2":                    ":1: emit_signature comes before start_node",
		"start_node,0\nstart_node,1":          ":2: the service has started already",
		"start_node,0\nperiodic_one,1,10":     `:2: no line before creates node "1"`,
		"start_node,0\nperiodic_one,0,ten":    `:2: "ten" is no number of milliseconds`,
		"start_node,0\nreplicate,two,x":       `:2: "two" is no term`,
		"start_node,0\ndispatch_all,0":        ":2: dispatch_all has 1 arguments",
		"start_node,0\nassert_commit_idx,0,x": `:2: "x" is no index`,
		"start_node,0\ntrust_node,2,0":        `:2: node "0" exists already`,
		"start_node,0\nswap_nodes,2,up,0":     `:2: swap_nodes has "up"`,
		"start_node,0\njump,1":                `:2: "jump" is no command`,
		"start_node,0\nassert_last_txid,0,2":  `:2: "2" is no transaction`,
		"start_node,0\nnominate_successor,1":  `:2: no line before creates node "1"`,
		"start_node,0\npre_vote_enabled,yes":  ":2: pre_vote_enabled is true or false",
	} {
		_, err := script(t, text)
		var line *LineError
		if !errors.As(err, &line) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, and not %s", text, err, want)
		}
	}
}

// TestScenarioUnsaid reads up to a command that the specification cannot say, and no line of the
// others is lost.
func TestScenarioUnsaid(t *testing.T) {
	for text, want := range map[string]string{
		"nodes,0,1\nconnect,0,1":                           ":1: nodes has no counterpart",
		"start_node,0\nshuffle_all\nperiodic_all,10":       ":2: shuffle_all has no counterpart",
		"start_node,0\nassert_detail,0,ticking,true":       ":2: assert_detail has no counterpart: the specification has no detail ticking",
		"create_new_node,0\nperiodic_all,500":              ":1: create_new_node has no counterpart",
		"start_node,0\nassert_loop_sync,9,0,1":             ":2: assert_loop_sync has no counterpart: only the driver of another commit",
		"start_node,0\nemit_signature,2":                   "",
		"start_node,0\nmark_seed,here":                     "",
		"start_node,0\nnominate_successor,0":               "",
		"start_node,0\nassert_!detail,0,current_view,3\n":  "",
		"start_node,0\nemit_signature,2\nshuffle_one,0\n#": ":3: shuffle_one has no counterpart",
	} {
		log, err := script(t, text)
		if err != nil || !strings.Contains(log.Unsaid, want) || want == "" && log.Unsaid != "" || log.Before != len(log.Events) {
			t.Errorf("%q: %q, %v, and not %q", text, log.Unsaid, err, want)
		}
	}
}
