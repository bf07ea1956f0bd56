package program

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// TestMonitorOfWhatDoesNotReturn interrupts a monitor within a function that does not return. The
// monitor ends and says so.
func TestMonitorOfWhatDoesNotReturn(t *testing.T) {
	// Not parallel: the stacks of the whole process are looked at.
	for _, kind := range []string{"guard", "effect", "lane"} {
		t.Run(kind, func(t *testing.T) {
			release := make(chan struct{})
			defer close(release)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			hang := sync.OnceFunc(func() { cancel(); <-release })
			slow := &modules.Action[pingState, modules.Pair[peer]]{
				Name:   "Answer",
				Params: modules.EachPair[peer](2),
				Guard: func(s *pingState, p modules.Pair[peer]) bool {
					if kind == "guard" {
						hang()
					}
					return s.Msgs.Is(p.J, p.I, ping)
				},
				Effect: func(s, n *pingState, p modules.Pair[peer]) {
					if kind == "effect" {
						hang()
					}
					m := n.Msgs.Recv(p.J, p.I, ping)
					n.Count[p.I]++
					n.Msgs.Send(p.I, p.J, pingMsg{pong, m.N})
				},
			}
			m := echo()
			m.last, m.hurry = time.Second/10, 60*time.Millisecond
			m.Compose = func([]byte) (*modules.Spec[pingState], error) {
				s := &modules.Spec[pingState]{System: "echo", Init: func(yield func(pingState) bool) { yield(pingState{}) }}
				for _, b := range modules.Bind([]modules.AnyAction[pingState]{slow, reboot}, nil, nil) {
					s.Actions = append(s.Actions, modules.SpecAction[pingState]{Bound: b, Environment: b.Name == "Reboot"})
				}
				return s, nil
			}
			if kind == "lane" {
				m.Runtime.Lane = func(uint8) int { hang(); return 0 }
			}
			path := filepath.Join(t.TempDir(), "s")
			if err := os.WriteFile(path, []byte(pinged+ponged), 0o600); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := runMonitor(ctx, m, &wire.Monitor{Source: path, Footprints: prints(), Window: 1}, &out); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(out.String(), "has not returned") || !strings.Contains(out.String(), "interrupted") {
				t.Fatalf("%s", out.String())
			}
		})
	}
}
