package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// beat is the time between two notifications of progress.
const beat = time.Second

// progress is the standard error of a run: lines of progress, and notes. It tells the caller every
// second how far the run is, if the caller asked for that. The figure of a notification is the
// number of seconds since the call, so that it grows while a program is built, too.
type progress struct {
	mu    sync.Mutex
	part  []byte  // of a line
	kept  bounded // lines that are no progress
	state string  // in words for people

	stop func()
	done sync.WaitGroup
}

// startProgress tells the caller of req how far a verb is, until end is called.
func startProgress(ctx context.Context, req *sdk.CallToolRequest, verb string) *progress {
	p := &progress{kept: bounded{most: mostNotes}, state: verb + " loads, analyses or builds; no state is explored yet"}
	ctx, p.stop = context.WithCancel(ctx)
	token := req.Params.GetProgressToken()
	if token == nil {
		return p
	}
	begun := host.Now()
	p.done.Go(func() {
		ticks := time.NewTicker(beat)
		defer ticks.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
			}
			p.mu.Lock()
			state := p.state
			p.mu.Unlock()
			// A caller that does not listen still gets the answer.
			_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: host.Since(begun).Seconds(), Message: state})
		}
	})
	return p
}

// end ends the notifications.
func (p *progress) end() {
	p.stop()
	p.done.Wait()
}

func (p *progress) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.part = append(p.part, b...)
	for {
		k := bytes.IndexByte(p.part, '\n')
		if k < 0 {
			return len(b), nil
		}
		p.line(p.part[:k])
		p.part = p.part[k+1:]
	}
}

// line takes one line of the standard error.
func (p *progress) line(line []byte) {
	var x struct {
		Progress *wire.Progress `json:"progress"`
	}
	if json.Unmarshal(line, &x) != nil || x.Progress == nil {
		p.kept.Write(append(line, '\n'))
		return
	}
	switch at := x.Progress; {
	case at.Doing != "":
		p.state = at.Doing + ": " + words.Count(at.Count)
	case at.Walks > 0:
		p.state = words.Plural(at.Walks, "walk") + ", " + words.Count(at.Distinct) + " distinct states"
	default:
		p.state = words.Count(at.Distinct) + " distinct states, " + words.Count(at.Queue) + " queued"
	}
}

// notes returns the lines that are no progress.
func (p *progress) notes() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.TrimSpace(p.kept.String() + string(p.part))
}
