package zookeeper_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
)

// healthy are the recorded streams of servers without a known mistake, with the number of the
// server: testdata/README.md says how they were recorded.
var healthy = map[string]int{
	"streams/calm-0": 0, "streams/calm-1": 1, "streams/calm-2": 2, "streams/storm-0": 0, "streams/storm-1": 1, "streams/storm-2": 2,
	"elections/0": 0, "elections/1": 1,
}

// sick are the streams of testdata that have a mistake.
var sick = []string{"streams/zk-1154-0"}

// TestAllStreamsAreSorted holds that each stream of testdata is known to be healthy or not.
func TestAllStreamsAreSorted(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"streams", "elections"} {
		files, err := os.ReadDir(filepath.Join("testdata", dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			name := dir + "/" + strings.TrimSuffix(f.Name(), ".ndjson")
			if _, ok := healthy[name]; ok == slices.Contains(sick, name) {
				t.Errorf("%s is not listed once, as healthy or as sick", name)
			}
		}
	}
}

func healthyStream(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestNoManifestAccuses runs every manifest that runs next to a server against every healthy
// stream. A composition may need what a stream does not have, or specify another server, as those
// of pull request 2111 do: then it is undecided. An alarm would be a false one.
func TestNoManifestAccuses(t *testing.T) {
	slow := os.Getenv("MULTIGRAIN_SLOW") == "1"
	quick := []string{"zookeeper.hcl", "zookeeper-election.hcl"} // which other tests assemble, too
	var all []string
	err := filepath.WalkDir("../../configs/zab", func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && filepath.Ext(path) == ".hcl" {
			name, _ := filepath.Rel("../../configs/zab", path)
			all = append(all, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil || len(all) < 100 {
		t.Fatalf("%v, %d manifests", err, len(all))
	}
	for _, manifest := range all {
		t.Run(strings.TrimSuffix(manifest, ".hcl"), func(t *testing.T) {
			if !slow && !slices.Contains(quick, manifest) {
				t.Skip("its program takes seconds to build; set MULTIGRAIN_SLOW=1")
			}
			x, why := monitorOf(t, manifest)
			if x == nil {
				t.Skip(why)
			}
			for name, node := range healthy {
				r, err := x.try(t, node, healthyStream(t, name), wire.Monitor{})
				var fault *wire.Error
				switch {
				case errors.As(err, &fault) && fault.Kind == wire.ErrorOptions && strings.HasPrefix(fault.Message, "there is no node"):
					t.Logf("%s: the composition has fewer servers", name)
				case err != nil:
					t.Errorf("%s: %v", name, err)
				case r.verdict == "violated" || r.verdict != "holds" && r.reason == "":
					t.Errorf("%s: %s, %s; %s", name, r.verdict, r.reason, r.message())
				default:
					t.Logf("%s: %s %s", name, r.verdict, r.reason)
				}
			}
		})
	}
}

// monitorOf assembles a manifest to run next to a server. It returns nil and the reason for a part
// of manifests, and for a composition that does not run next to a server.
func monitorOf(t *testing.T, manifest string) (*monitored, string) {
	t.Helper()
	m, diags := configs.Load(filepath.Join("../../configs/zab", manifest), configs.Options{})
	if m.System == nil {
		return nil, fmt.Sprint("a part of manifests: ", diags)
	}
	comp, more := compose.Resolve(m, compose.Env{CacheDir: cacheDir})
	if diags = append(diags, more...); diags.HasErrors() {
		t.Fatal(diags)
	}
	program, diags := comp.AssembleMonitor(context.Background())
	switch {
	case diags.HasErrors() && strings.Contains(diags.Error(), "Nothing declared for run time"):
		return nil, diags.Error()
	case diags.HasErrors():
		t.Fatal(diags)
	}
	x := &monitored{program.Path, program.Choice, program.Footprints, program.Settings}
	_, err := wire.Run(context.Background(), x.path, wire.Request{Verb: "monitor", Choice: x.choice,
		Options: wire.Options{Monitor: &wire.Monitor{Footprints: x.prints, Plan: true}}}, nil)
	var fault *wire.Error
	switch {
	case errors.As(err, &fault) && fault.Kind == wire.ErrorLocal:
		return nil, err.Error()
	case err != nil:
		t.Fatal(err)
	}
	return x, ""
}

// TestAbsentKinds leaves a kind of messages or an input out of healthy streams, and states that in
// a header: nothing that depends on it is an alarm. A header that leaves nothing out changes no
// verdict.
func TestAbsentKinds(t *testing.T) {
	kinds := []string{"FOLLOWERINFO", "LEADERINFO", "ACKEPOCH", "DIFF", "TRUNC", "SNAP", "PROPOSAL", "COMMIT", "NEWLEADER", "ACKLD", "UPTODATE",
		"ACK", "CLOSED", "NOTIFICATION"}
	inputs := []string{"LeaderProcessRequest", "NodeMeets", "NodeParts"}
	some := slices.Concat(kinds, inputs)
	for _, m := range []struct {
		x       *monitored
		streams []string
		left    []string // one after the other
	}{
		{assemble(t), []string{"streams/calm-0", "streams/calm-1", "streams/storm-1"}, some},
		{elections(t), []string{"elections/0", "elections/1"}, []string{"NOTIFICATION", "NodeMeets", "FOLLOWERINFO"}},
	} {
		if os.Getenv("MULTIGRAIN_SLOW") == "1" {
			m.left = some
		} else {
			m.streams = m.streams[:1]
		}
		for _, name := range m.streams {
			stream := healthyStream(t, name)
			before := m.x.check(t, healthy[name], stream, wire.Monitor{})
			if r := m.x.check(t, healthy[name], without(stream, kinds, inputs, ""), wire.Monitor{}); r.verdict != before.verdict || r.stats.Decided != before.stats.Decided {
				t.Errorf("%s with a header: %s %s, %d decided", name, r.verdict, r.reason, r.stats.Decided)
			}
			for _, left := range m.left {
				if r := m.x.check(t, healthy[name], without(stream, kinds, inputs, left), wire.Monitor{}); r.verdict == "violated" {
					t.Errorf("%s without %s: %s", name, left, r.message())
				}
			}
		}
	}
	// A stream of an earlier tap, without a header and without elections.
	for _, c := range []struct {
		x    *monitored
		want string
	}{{assemble(t), "holds"}, {elections(t), "undecided"}} {
		if r := c.x.check(t, 0, headless(healthyStream(t, "streams/calm-0")), wire.Monitor{}); r.verdict != c.want {
			t.Errorf("calm-0 without a header: %s, %s; %s", r.verdict, r.reason, r.message())
		}
	}
	// With a header that has all of it a mistake is an alarm still.
	x := assemble(t)
	for _, header := range []string{"", kinds[0]} {
		r := x.check(t, 0, without(healthyStream(t, sick[0]), kinds, inputs, header), wire.Monitor{})
		if want := map[bool]string{true: "violated", false: "undecided"}[header == ""]; r.verdict != want {
			t.Errorf("a sick stream without %q: %s %s", header, r.verdict, r.reason)
		}
	}
}

// headless returns a stream without its header, as earlier taps wrote it.
func headless(stream []byte) []byte {
	if bytes.HasPrefix(stream, []byte(`{"event":"header"`)) {
		return stream[bytes.IndexByte(stream, '\n')+1:]
	}
	return stream
}

// without returns a stream without the events of a kind or an input, and with a header that has all
// others.
func without(stream []byte, kinds, inputs []string, left string) []byte {
	list := func(names []string) string {
		var quoted []string
		for _, name := range names {
			if name != left {
				quoted = append(quoted, fmt.Sprintf("%q", name))
			}
		}
		return "[" + strings.Join(quoted, ",") + "]"
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\"event\":\"header\",\"kinds\":%s,\"inputs\":%s}\n", list(kinds), list(inputs))
	for l := range bytes.Lines(headless(stream)) {
		if left == "" || !bytes.Contains(l, fmt.Appendf(nil, `"Kind":%q`, left)) && !bytes.Contains(l, fmt.Appendf(nil, `"action":%q`, left)) {
			out.Write(l)
		}
	}
	return out.Bytes()
}
