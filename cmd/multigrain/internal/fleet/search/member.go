package search

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/queue"
)

// Variable is the environment variable with the place of a Member.
const Variable = "MULTIGRAIN_PART"

// Place says which part a worker runs, and of what attempt.
type Place struct {
	ID     string
	Part   int
	Worker string // a name without blanks
}

// Setting returns the place as a setting of the environment.
func (p Place) Setting() string {
	return fmt.Sprintf("%s=%s %d %s", Variable, p.ID, p.Part, p.Worker)
}

// PlaceIn returns the place that an environment has.
func PlaceIn(environ []string) (p Place, ok bool) {
	for _, e := range environ {
		text, found := strings.CutPrefix(e, Variable+"=")
		words := strings.Fields(text)
		if !found || len(words) != 3 {
			continue
		}
		part, err := strconv.Atoi(words[1])
		p, ok = Place{words[0], part, words[2]}, err == nil && part > 0
	}
	return p, ok
}

// Member runs one part of the search of another command. It is the engine of a command that a
// worker has started with the same composition.
type Member struct {
	Conn *queue.Conn
	Place
}

// Run tells the other command that the program is there, and runs it with the request that the
// command answers. The command alone asks it to end early, so stop has no effect.
func (m *Member) Run(ctx context.Context, _ <-chan struct{}, program string, own wire.Request, _ func(wire.Progress)) (*wire.Report, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	h := newHub(wire.MostParts)
	begin := make(chan wire.Request, 1)
	var heard atomic.Int64
	heard.Store(host.Now().UnixNano())
	seat, err := m.Conn.Sit(m.ID, m.Part, func(frame []byte) { h.comes(m.Part, frame) }, func(n queue.Note) {
		var g goes
		if n.From != 0 || json.Unmarshal(n.Data, &g) != nil || g.Worker != m.Worker {
			return
		}
		heard.Store(host.Now().UnixNano())
		switch n.Kind {
		case noteGo:
			select {
			case begin <- g.Request:
			default:
			}
		case noteStop:
			cancel(errors.New("the command of the search ended this part"))
		}
	})
	if err != nil {
		return nil, err
	}
	defer seat.Leave()
	go m.beat(ctx, seat, func() {
		if host.Now().UnixNano()-heard.Load() > int64(wire.Silence) {
			cancel(errors.New("the command of the search has not been heard of"))
		}
	})
	if err := seat.Note(0, noteReady, Ends{Worker: m.Worker}); err != nil {
		return nil, err
	}
	var req wire.Request
	select {
	case req = <-begin:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	rep, err := m.run(ctx, seat, h, program, own, req)
	e := endsOf(err)
	e.Batches, e.Bytes = h.batches.Load(), h.bytes.Load()
	return rep, errors.Join(err, Ended(seat, m.Worker, e))
}

// run runs the program, if it is of the composition that the request has.
func (m *Member) run(ctx context.Context, seat *queue.Seat, h *hub, program string, own, req wire.Request) (*wire.Report, error) {
	share := req.Options.Share
	switch {
	case share == nil || share.Index != m.Part || share.Count > wire.MostParts:
		return nil, errors.New("the command of the search has another place for this part")
	case !bytes.Equal(compact(own.Choice), compact(req.Choice)):
		return nil, errors.New("the manifest is another composition here than at the command of the search")
	case req.Options.Profile != "" || req.Options.Spill != "" || req.Options.Checkpoint != nil:
		return nil, errors.New("a part of a search writes no files")
	}
	h.elsewhere(share.Count, m.Part, seat)
	p := wire.Program{Path: program, Frames: h.frames(m.Part)}
	return p.Run(ctx, req)
}

// compact returns JSON without blanks.
func compact(text json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return text
	}
	return b.Bytes()
}

// beat says at intervals that the part lives, and calls look.
func (m *Member) beat(ctx context.Context, seat *queue.Seat, look func()) {
	for ctx.Err() == nil {
		_ = seat.Note(0, noteBeat, Ends{Worker: m.Worker}) // silence is noticed
		select {
		case <-ctx.Done():
			return
		case <-time.After(queue.Beat):
		}
		look()
	}
}
