package explorer

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/html"
)

// explorer is one run of the verb: the engines, what was visited, and the search that runs.
type explorer struct {
	*engine
	beside *engine // of the composition that is shown next to it; nil for none
	first  *place  // where it begins; nil: in the initial state
	tree   tree
	ctx    context.Context // of the run
	work   sync.WaitGroup  // builds

	finding struct {
		mu     sync.Mutex
		stop   context.CancelFunc // nil where no search runs
		number int                // of searches
		latest searched
	}
}

// searched is a search, running or done.
type searched struct {
	Number  int      `json:"number"`
	Running bool     `json:"running"`
	States  int64    `json:"states"` // visited so far
	Depth   int      `json:"depth"`
	Seconds float64  `json:"seconds"`
	Found   *finding `json:"result,omitempty"`
	Error   string   `json:"error,omitempty"`
}

func (x *explorer) title() string { return x.engine.title() }

// title returns the name of a composition for people.
func (e *engine) title() string { return cmp.Or(e.name, e.run.Manifest.Name()) }

// look returns what is at a place, and keeps the path.
func (x *explorer) look(_ context.Context, q *asked) (any, error) {
	start := host.Now()
	v, err := x.lookAt(q.place)
	if err != nil {
		return nil, err
	}
	v.Millis = float64(host.Since(start).Microseconds()) / 1000
	return v, nil
}

// lookAt returns what is at a place, and adds it to the tree.
func (x *explorer) lookAt(p place) (*view, error) {
	a, t, err := x.at(p)
	if err != nil {
		return nil, err
	}
	// The names of the steps that were taken are those that check prints.
	p = place{p.Init, append(append([]string{}, callsOf(t)...), p.Path[len(t.Steps):]...)}
	x.tree.add(place{p.Init, p.Path[:len(t.Steps)]})
	return x.view(p, a, t), nil
}

// refused returns what refuses an action.
func (x *explorer) refused(ctx context.Context, q *asked) (any, error) {
	a, err := x.why(ctx, q.place, q.Action)
	if err != nil {
		return nil, err
	}
	return refusals(a), nil
}

func (x *explorer) valued(_ context.Context, q *asked) (any, error) {
	return x.value(q.place, q.Formula)
}

// search begins a search. One that runs is stopped.
func (x *explorer) search(_ context.Context, q *asked) (any, error) {
	f := &x.finding
	x.stopSearch()
	f.mu.Lock()
	defer f.mu.Unlock()
	ctx, stop := context.WithCancel(x.ctx)
	f.number++
	number := f.number
	f.stop, f.latest = stop, searched{Number: number, Running: true}
	update := func(change func(*searched)) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.number == number {
			change(&f.latest)
		}
	}
	go func() {
		defer stop()
		found, err := x.find(ctx, q.place, q.goal, func(p wire.Progress) {
			update(func(s *searched) { s.States, s.Depth, s.Seconds = p.Distinct, p.Depth, p.Seconds })
		})
		update(func(s *searched) {
			s.Running, s.Found = false, found
			if err != nil {
				s.Error = err.Error()
			} else {
				s.States, s.Depth, s.Seconds = found.Distinct, found.Depth, found.Seconds
			}
		})
	}()
	return f.latest, nil
}

// searched returns the latest search.
func (x *explorer) searched() searched {
	x.finding.mu.Lock()
	defer x.finding.mu.Unlock()
	return x.finding.latest
}

// stopSearch asks the search that runs to end.
func (x *explorer) stopSearch() {
	x.finding.mu.Lock()
	defer x.finding.mu.Unlock()
	if x.finding.stop != nil {
		x.finding.stop()
	}
}

// behaviour returns the behaviour to a place as documents have it.
func (x *explorer) behaviour(p place) (*result.Behaviour, error) {
	_, t, err := x.at(p)
	if err != nil {
		return nil, err
	}
	return narrate.BehaviourOf(t, x.known, false), nil
}

// drawn returns the sequence diagram of the path.
func (x *explorer) drawn(_ context.Context, q *asked) (any, error) {
	b, err := x.behaviour(q.place)
	if err != nil {
		return nil, err
	}
	return html.Picture(b), nil
}

// traced returns the path as a trace in ITF.
func (x *explorer) traced(_ context.Context, q *asked) (any, error) {
	text, err := x.itf(q.place)
	return string(text), err
}

// itf returns the path as a trace in ITF, with the ends of all branches that were visited.
func (x *explorer) itf(p place) ([]byte, error) {
	_, t, err := x.at(p)
	if err != nil {
		return nil, err
	}
	meta := session.MetaOf(x.run)
	meta.Kind, meta.Doc = x.kind(), session.ExploredDoc
	for _, end := range x.tree.ends() {
		meta.Explored = append(meta.Explored, itf.Way(end))
	}
	var out bytes.Buffer
	if err := itf.Write(&out, meta, t); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// kind is that of saved paths. Those of one side of a comparison are opened as its witnesses are.
func (e *engine) kind() string {
	if e.name != "" {
		return "witness"
	}
	return "explored"
}

// keep writes the path next to the manifest, where check writes traces. It returns the file and the
// arguments that begin walks there.
func (x *explorer) keep(p place) (file string, from string, err error) {
	_, t, err := x.at(p)
	if err != nil {
		return "", "", err
	}
	var ways []itf.Way
	for _, end := range x.tree.ends() {
		ways = append(ways, itf.Way(end))
	}
	if file = x.run.KeepExplored(x.kind(), ways, t); file == "" {
		return "", "", errors.New("the trace cannot be written next to the manifest: save it from the page")
	}
	return file, fmt.Sprintf("-from %s:%d", file, len(t.Steps)), nil
}

// kept answers with the file of the path, and commands that use it.
func (x *explorer) kept(_ context.Context, q *asked) (any, error) {
	file, from, err := x.keep(q.place)
	if err != nil {
		return nil, err
	}
	return map[string]string{"file": file, "from": from, "simulate": fmt.Sprintf("multigrain simulate %s %s", x.run.Manifest.Path, from)}, nil
}

// opened answers with the path of a trace, and adds what was visited when it was saved.
func (x *explorer) opened(_ context.Context, q *asked) (any, error) {
	meta, t, err := itf.Read(bytes.NewReader(q.Trace))
	if err != nil {
		return nil, fmt.Errorf("the file is not a trace: %w", err)
	}
	p, err := x.open(meta, t, q.Step)
	return p, err
}

// open returns the place at a step of a trace; after all of its steps for a negative number.
func (x *explorer) open(meta itf.Meta, t *wire.Trace, steps int) (*place, error) {
	init, err := x.initOf(t)
	if err != nil {
		return nil, err
	}
	for _, way := range meta.Explored {
		x.tree.add(place{way.Init, append([]string{}, way.Path...)})
	}
	p := &place{init, append([]string{}, callsOf(t)...)}
	if steps >= 0 && steps < len(p.Path) {
		x.tree.add(*p)
		p.Path = p.Path[:steps]
	}
	return p, nil
}

// initOf returns the number of the initial state with which a trace begins. A trace of a
// composition with other variables begins in the first one.
func (x *explorer) initOf(t *wire.Trace) (int, error) {
	for init := 0; ; init++ {
		a, own, err := x.at(place{init, []string{}})
		if err != nil {
			return 0, err
		}
		if itf.Text(own.Init) == itf.Text(t.Init) {
			return init, nil
		}
		if init+1 >= a.Inits {
			return 0, nil
		}
	}
}
