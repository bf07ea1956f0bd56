package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format, log string
		want        []Event
		skipped     int
		cut         string
	}{
		{"etcd-raft", `{"level":"debug","tag":"trace","event":{"name":"Ready","nid":"1","state":{"term":3}}}` + "\n\n" + `{"level":"info","msg":"started","tag":"other"}` + "\n",
			[]Event{{File: "f", Line: 1, Name: "Ready", Node: "1", Fields: map[string]any{"name": "Ready", "nid": "1", "state": map[string]any{"term": int64(3)}}}}, 2, ""},
		{"etcd-raft", `{"name":"Commit","nid":"2"}` + "\n" + `{"name":"Comm`,
			[]Event{{File: "f", Line: 1, Name: "Commit", Node: "2", Fields: map[string]any{"name": "Commit", "nid": "2"}}}, 0, "f:2"},
		{"ccf-raft", `<RaftDriver>step` + "\n" + `{"tag":"raft_trace","cmd":"start"}` + "\n" +
			`{"h_ts":"7","tag":"raft_trace","msg":{"function":"replicate","state":{"node_id":"0","last_idx":2},"globally_committable":true}}` + "\n",
			[]Event{{File: "f", Line: 3, Name: "replicate", Node: "0", Fields: map[string]any{"function": "replicate", "globally_committable": true,
				"state": map[string]any{"node_id": "0", "last_idx": int64(2)}}}}, 2, ""},
		{"ccf-raft", `[info ] {"tag":"raft_trace","msg":"{\"function\":\"commit\",\"state\":{\"node_id\":1}}"}`,
			[]Event{{File: "f", Line: 1, Name: "commit", Node: "1", Fields: map[string]any{"function": "commit", "state": map[string]any{"node_id": int64(1)}}}}, 0, ""},
		{"ndjson", `{"event":"vote","node":3,"ratio":0.5,"big":18446744073709551615,"list":[1,null]}`,
			[]Event{{File: "f", Line: 1, Name: "vote", Node: "3", Fields: map[string]any{"event": "vote", "node": int64(3), "ratio": 0.5,
				"big": float64(1 << 64), "list": []any{int64(1), nil}}}}, 0, ""},
		{"ccf-consistency", `{"action": "RwTxResponseAction", "tx": 0, "tx_id": [2, 10]}` + "\n" + `{"action":`,
			[]Event{{File: "f", Line: 1, Name: "RwTxResponseAction", Fields: map[string]any{"action": "RwTxResponseAction", "tx": int64(0), "tx_id": []any{int64(2), int64(10)}}}}, 0, "f:2"},
		{"ndjson", "", nil, 0, ""},
		{"ndjson", `{"event":"a"}` + "\n" + `{"event":"b"`, []Event{{File: "f", Line: 1, Name: "a", Fields: map[string]any{"event": "a"}}}, 0, "f:2"},
		{"ndjson", `{"event":"a"}`, []Event{{File: "f", Line: 1, Name: "a", Fields: map[string]any{"event": "a"}}}, 0, ""},
		{"ccf-raft", `{"tag":"raft_trace","cmd":"assert_commit_idx,n1,4"}` + "\n" + `{"tag":"raft_trace","cmd":"assert_commit_idx"}`,
			[]Event{{File: "f", Line: 1, Name: "assert_commit_idx", Node: "n1", Fields: map[string]any{"cmd": []any{"assert_commit_idx", "n1", "4"},
				"state": map[string]any{"node_id": "n1"}}}}, 1, ""},
		{"ccf-raft", early("send_append_entries_response", `,"leadership":"none","to":"n2","paket":{"msg":1,"success":1}`),
			[]Event{{File: "f", Line: 1, Name: "send_append_entries_response", Node: "n1", Fields: map[string]any{"to_node_id": "n2",
				"packet": map[string]any{"msg": "raft_append_entries_response", "success": "FAIL"},
				"state":  map[string]any{"node_id": "n1", "leadership_state": "None"}}}}, 0, ""},
		{"ccf-raft", early("execute_append_entries_sync", `,"index":2,"data":"eyJkYXRhIjoiYzJsbmJtRjBkWEpsIn0="`),
			[]Event{{File: "f", Line: 1, Name: "append", Node: "n1", Fields: map[string]any{"index": int64(2), "globally_committable": true,
				"state": map[string]any{"node_id": "n1"}}}}, 0, ""},
		{"ccf-raft", `[info ] {"tag":"other"}`, nil, 1, ""},
		{"ccf-raft", `[info ] {"tag":"raft_tr`, nil, 0, "f:1"},
		{"etcd-raft", `{"level":"info","level":"debug","tag":"other"}` + "\n", nil, 1, ""},
	} {
		log, err := Read(strings.NewReader(c.log), "f", c.format)
		if err != nil || !reflect.DeepEqual(log.Events, c.want) || log.Skipped != c.skipped || log.Truncated != c.cut {
			t.Errorf("%s\n%s\n got %+v, error %v\nwant %+v", c.format, c.log, log, err, c.want)
		}
	}
}

// early returns a line of 2023 with more fields.
func early(function, more string) string {
	return `{"tag":"tla","msg":{"event":{"component":"raft","function":"` + function + `"},"node":"n1","state":{}` + more + `}}`
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format, log, want string
		line              int
	}{
		{"ndjson", "{\"event\":\"a\"}\n{\"event\":\n{\"event\":\"b\"}\n", "unexpected EOF", 2},
		{"ndjson", "{\"node\":1}\n", `no text "event"`, 1},
		{"ndjson", "[1]\n", "not an object", 1},
		{"ndjson", "{\"event\":\"a\"} {}\n", "more than one value", 1},
		{"etcd-raft", "{\"tag\":\"trace\",\"event\":{\"name\":1}}\n", `no "name"`, 1},
		{"ccf-raft", "{\"tag\":\"raft_trace\",\"msg\":{}}\n", `no "function"`, 1},
		{"ccf-raft", `{"tag":"tla","msg":{"event":{"component":"raft","function":"become_leader"},"node":"0"}}`, `no "function", "node" or "state"`, 1},
		{"ccf-raft", early("send_authenticated", `,"paket":{"msg":2}`), `"msg" is 2`, 1},
		{"ccf-raft", early("send_authenticated", `,"paket":{"term":1}`), `"msg" is <nil>`, 1},
		{"ccf-raft", early("append", `,"index":1,"data":"?"`), `"data"`, 1},
		{"ccf-raft", early("append", `,"index":1,"data":"e30"`), `"data"`, 1},
		{"ccf-raft", early("add_configuration", `,"configurations":[{"idx":3,"nodes":{}}]`), "another configuration than the first one", 1},
		{"ccf-raft", early("add_configuration", `,"configurations":[{"idx":0,"nodes":{}},{"idx":3,"nodes":{}}]`), "another configuration than the first one", 1},
		{"ccf-raft", early("commit", `,"node":"1"`), `key "node" stands twice`, 1},
		{"ccf-raft", "{\"tag\":\"raft_trace\",\"msg\":\"legacy\"}\n", `"msg"`, 1},
		{"ccf-consistency", "{\"event\":\"a\"}\n", `no text "action"`, 1},
		{"ccf-consistency", `{"action":"a","tx_id":1,"tx_id":2}` + "\n", `key "tx_id" stands twice`, 1},
		{"ndjson", strings.Repeat("x", maxLine+70000), "longer than", 1},
		{"ndjson", `{"event":1}`, `no text "event"`, 1}, // whole without its line feed
		{"ndjson", `{"event":"b","n":1,"event":"a"}` + "\n", `key "event" stands twice`, 1},
		{"ndjson", `{"event":"a","n":{"m":1,"m":2}}` + "\n", `key "m" stands twice`, 1},
		{"etcd-raft", `{"tag":"trace","event":{"name":"Commit","nid":"1","nid":"2"}}` + "\n", `key "nid" stands twice`, 1},
		{"etcd-raft", `{"tag":"trace","event":{"name":"Commit","nid":"1"},"tag":"other"}` + "\n", `key "tag" stands twice`, 1},
		{"ccf-raft", `{"tag":"raft_trace","msg":"{\"function\":\"a\",\"function\":\"b\"}"}` + "\n", `key "function" stands twice`, 1},
	} {
		_, err := Read(strings.NewReader(c.log), "f", c.format)
		var line *LineError
		if !errors.As(err, &line) || line.Line != c.line || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: error %v, want one of line %d with %q", c.log, err, c.line, c.want)
		}
	}
	if _, err := Read(strings.NewReader(""), "f", "xml"); err == nil {
		t.Error("a format that does not exist was read")
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"tag":"trace","event":{"name":"Ready","nid":"1"}}`), uint8(0))
	f.Add([]byte(`{"tag":"raft_trace","msg":"{\"function\":\"x\"}"}`), uint8(1))
	f.Add([]byte("{\"event\":\"a\",\"x\":[1e400,{\"y\":null}]}\n{\"ev"), uint8(2))
	f.Fuzz(func(t *testing.T, src []byte, format uint8) {
		log, err := Read(bytes.NewReader(src), "f", Formats[int(format)%len(Formats)])
		if err != nil {
			return
		}
		for _, e := range log.Events {
			if e.Line < 1 || e.Fields == nil {
				t.Fatalf("%+v", e)
			}
		}
	})
}

// TestNumberServers: large ids of servers become numbers in all places of an event, over all files;
// small ids stay.
func TestNumberServers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const event = `{"name":"ApplyConfChange","nid":"A","state":{"term":99,"vote":"B"},"conf":[["A","B"],["3"]],` +
		`"msg":{"from":"A","to":"B","vote":"0","index":99},"prop":{"cc":{"newconf":["B"],"changes":[{"nid":"3","action":"AddLearner"}]}}}`
	for _, c := range []struct{ a, b, wantA, wantB, want3 string }{
		{"10276657743932975437", "9372538179322589801", "3", "2", "1"},
		{"17", "2", "3", "1", "2"},
		{"16", "2", "16", "2", "3"},
	} {
		replaced := func(a, b, three string) string {
			return strings.NewReplacer(`"A"`, `"`+a+`"`, `"B"`, `"`+b+`"`, `"3"`, `"`+three+`"`).Replace(event)
		}
		first, second := write("first", `{"name":"Ready","nid":"`+c.b+`"}`+"\n"), write("second", replaced(c.a, c.b, "3")+"\n")
		log, err := ReadFiles(t.Context(), []string{first, second}, "etcd-raft")
		if err != nil {
			t.Fatal(err)
		}
		var want map[string]any
		if err := json.Unmarshal([]byte(replaced(c.wantA, c.wantB, c.want3)), &want); err != nil {
			t.Fatal(err)
		}
		if got := log.Events[1]; !reflect.DeepEqual(got.Fields, normal(want)) || got.Node != c.a || log.Events[0].Fields["nid"] != c.wantB {
			t.Errorf("%s, %s: %v", c.a, c.b, log.Events)
		}
	}
}
