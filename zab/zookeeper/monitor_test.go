package zookeeper_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"

	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/modules"
)

// monitored is configs/zab/zookeeper.hcl, assembled to run next to a server.
type monitored struct {
	path   string
	choice json.RawMessage
	prints []modules.Footprint
	// settings are the values of the composition's options.
	settings map[string]string
}

var (
	cacheDir  string
	assembly  sync.Once
	assembled *monitored
)

// TestMain has all tests share one cache of programs, and packages if MULTIGRAIN_CACHE is set.
func TestMain(m *testing.M) {
	if cacheDir = os.Getenv("MULTIGRAIN_CACHE"); cacheDir == "" {
		dir, err := os.MkdirTemp("", "multigrain-zookeeper-*")
		if err != nil {
			panic(err)
		}
		cacheDir = dir
		defer os.RemoveAll(dir)
	}
	m.Run() // it sets the exit code
}

// assemble builds the monitor once.
func assemble(t *testing.T) *monitored {
	t.Helper()
	assembly.Do(func() {
		comp := resolve(t, "zookeeper.hcl")
		program, diags := comp.AssembleMonitor(context.Background())
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		assembled = &monitored{program.Path, program.Choice, program.Footprints, program.Settings}
	})
	if assembled == nil {
		t.Fatal("the monitor could not be assembled")
	}
	return assembled
}

func resolve(t *testing.T, manifest string, vars ...string) *compose.Composition {
	t.Helper()
	var opt configs.Options
	for _, v := range vars {
		opt.Assignments = append(opt.Assignments, configs.Assignment{Var: v})
	}
	m, diags := configs.Load(filepath.Join("../../configs/zab", manifest), opt)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	comp, diags := compose.Resolve(m, compose.Env{CacheDir: cacheDir})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return comp
}

// outcome holds the monitor's answer about a stream.
type outcome struct {
	verdict, reason string
	stats           spectest.Stats
	alarm           *spectest.Alarm
	verified        spectest.Verification
}

func (x *monitored) check(t *testing.T, node int, stream []byte, o wire.Monitor) outcome {
	t.Helper()
	out, err := x.try(t, node, stream, o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// try is check, with the error of a declaration that does not hold.
func (x *monitored) try(t *testing.T, node int, stream []byte, o wire.Monitor) (outcome, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "stream")
	if err := os.WriteFile(file, stream, 0o644); err != nil {
		t.Fatal(err)
	}
	o.Node, o.Source, o.Footprints, o.Settings = node, file, x.prints, x.settings
	r, err := wire.Run(context.Background(), x.path, wire.Request{Verb: "monitor", Choice: x.choice, Options: wire.Options{Monitor: &o}}, nil)
	if err != nil {
		return outcome{}, err
	}
	out := outcome{verdict: r.Verdict, reason: r.Reason}
	decode(t, r.Refinement.Stats, &out.stats)
	decode(t, r.Refinement.Verified, &out.verified)
	if r.Refinement.Alarm != nil {
		out.alarm = new(spectest.Alarm)
		decode(t, r.Refinement.Alarm, out.alarm)
	}
	return out, nil
}

// message returns the message that the alarm is about, as JSON.
func (o *outcome) message() string {
	if o.alarm == nil {
		return "no alarm"
	}
	b, _ := json.Marshal(o.alarm.Message.Value)
	return fmt.Sprintf("event %d, %s", o.alarm.Position, b)
}

func decode(t *testing.T, from, to any) {
	t.Helper()
	b, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(b, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

var lastNumber = regexp.MustCompile(`-(\d)\.ndjson$`)

// recorded are the streams in testdata, by name.
func recorded(t *testing.T) (names []string, nodes []int, streams [][]byte) {
	t.Helper()
	names, err := filepath.Glob("testdata/streams/*.ndjson")
	if err != nil || len(names) == 0 {
		t.Fatal("no streams", err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		i, _ := strconv.Atoi(lastNumber.FindStringSubmatch(name)[1])
		nodes, streams = append(nodes, i), append(streams, b)
	}
	return names, nodes, streams
}

// walks are random walks of a manifest of configs/zab, as projector reads them.
func walks(t *testing.T, number, depth int, manifest string, vars ...string) (out [][]step) {
	t.Helper()
	comp := resolve(t, manifest, vars...)
	path, diags := comp.Assemble(context.Background(), compose.Simulate)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	weights := map[string]float64{"NodeCrash": 0.1, "NodeStart": 0.5, "LeaderProcessRequest": 2}
	r, err := wire.Run(context.Background(), path, wire.Request{Verb: "simulate", Choice: comp.EncodedChoice(), Options: wire.Options{
		Seed: 1, Workers: 1, Simulate: &wire.Simulate{Number: 1, Depth: depth, Weights: weights, Keep: number}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, trace := range r.Simulation.Kept {
		states := []step{{vars: fields(&trace.Init)}}
		for k := range trace.Steps {
			s := &trace.Steps[k]
			states = append(states, step{s.Action, fields(&s.Params), fields(&s.State)})
		}
		out = append(out, states)
	}
	return out
}

func fields(v *modules.View) map[string]any {
	out := map[string]any{}
	for k, name := range v.Names {
		out[name] = value(&v.Elems[k])
	}
	return out
}

// value is a view as plain has it.
func value(v *modules.View) any {
	switch v.Shape {
	case modules.Record:
		return fields(v)
	case modules.Scalar:
		if n, err := strconv.ParseFloat(v.Text, 64); err == nil {
			return n
		}
		return v.Text
	}
	out := []any{}
	for k := range v.Elems {
		out = append(out, value(&v.Elems[k]))
	}
	return out
}
