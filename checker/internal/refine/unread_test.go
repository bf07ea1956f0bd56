package refine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/modules"
)

// unreadSpec is newsSpec where a server knows the sum of what it has read: all that it has
// received, except for the last of a connection that has ended.
func unreadSpec() *Spec[newsState] {
	pairs := modules.EachPair[server](3)
	hearAll := &newsAction[modules.Pair[server]]{
		Name:   "Hear",
		Params: pairs,
		Guard:  func(s *newsState, p modules.Pair[server]) bool { return s.News.Is(p.J, p.I, news) },
		// of 8 and more a server with nothing takes no notice
		Effect: func(s, n *newsState, p modules.Pair[server]) {
			if v := n.News.Recv(p.J, p.I, news).Value; v < 8 || s.Known[p.I] > 0 {
				n.Known[p.I] += v
			}
		},
	}
	meet := &newsAction[modules.Pair[server]]{Name: "Meet", Params: pairs, Effect: func(s, n *newsState, p modules.Pair[server]) {}}
	spec := newsSpec(int64(news))
	spec.Composition.Actions = nil
	for _, b := range modules.Bind([]modules.AnyAction[newsState]{spread, hearAll, reply, meet}, nil, nil) {
		spec.Composition.Actions = append(spec.Composition.Actions, modules.SpecAction[newsState]{Bound: b})
	}
	spec.Footprints = append(spec.Footprints, modules.Footprint{Name: "Meet"})
	spec.Runtime.Inputs = append(spec.Runtime.Inputs, modules.Input[newsState]{Action: meet, Network: "News", Ends: true})
	return spec
}

// TestUnread tells what a node may know that has not read all of a connection which has ended. It
// answers 2 with what it knows.
func TestUnread(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, events string
		alarm        int64 // position from 0; -1: none
	}{
		{"all is read", "<1 news 1, <1 news 2, meet 1, <1 news 4, >2 news 7, end", -1},
		{"nothing is read", "<1 news 1, meet 1, <1 news 2, >2 news 2, end", -1},
		{"one of two is read", "<1 news 1, <1 news 2, meet 1, <1 news 4, >2 news 5, end", -1},
		{"the other one of them cannot be", "<1 news 1, <1 news 2, meet 1, <1 news 4, >2 news 6, end", 4},
		{"it is told in between", "<1 news 1, <1 news 2, >2 news 1, meet 1, <1 news 4, >2 news 5, end", -1},
		{"two connections end", "<1 news 1, meet 1, <1 news 2, meet 1, <1 news 4, >2 news 2, >2 news 6, end", -1},
		{"of each a part is read", "<1 news 1, <1 news 2, meet 1, <1 news 4, <1 news 3, meet 1, <1 news 16, >2 news 1, >2 news 5, >2 news 21, end", -1},
		{"what changes nothing is taken later", "<1 news 8, >2 news 0, <2 news 1, meet 1, <1 news 2, >2 news 1, >2 news 9, end", -1},
		{"but not two connections later", "<1 news 8, >2 news 0, meet 1, >2 news 0, meet 1, <2 news 1, <1 news 2, >2 news 1, >2 news 9, end", 8},
		{"what was told is read", "<1 news 1, >2 news 1, meet 1, <1 news 2, >2 news 2, end", 4},
		{"what is not read stays so", "<1 news 1, meet 1, <1 news 2, >2 news 2, >2 news 3, end", 4},
		{"no connection has ended", "<1 news 1, <1 news 2, >2 news 2, end", 2},
		{"it is the other one's", "<1 news 1, meet 2, <1 news 2, >2 news 2, end", 3},
		{"over the new one all is read", "<1 news 1, meet 1, <1 news 2, <1 news 4, >2 news 4, end", 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, err := New(unreadSpec(), 0, Options{Verify: 1})
			if err != nil {
				t.Fatal(err)
			}
			at := int64(-1)
			run := func(flush bool) {
				if a := x.Run(flush); a != nil {
					at = a.Position - 1
				}
			}
			for _, short := range strings.Split(c.events, ", ") {
				text := strings.Replace(line(short), "Ticket", "Value", 1)
				if peer, ok := strings.CutPrefix(short, "meet "); ok {
					text = fmt.Sprintf(`{"event":"input","action":"Meet","params":{"J":%s}}`, peer)
				}
				e, err := x.Decoder.Decode([]byte(text))
				if err != nil {
					t.Fatal(err)
				}
				x.Add(e)
				run(false)
				kept, err := x.Snapshot()
				if err != nil {
					t.Fatal(err)
				}
				if x, err = New(unreadSpec(), 0, Options{Verify: 1}); err == nil {
					err = x.Restore(kept)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			run(true)
			if at != c.alarm {
				t.Errorf("alarm at %d, want %d", at, c.alarm)
			}
			if x.Verified.Broken != "" {
				t.Error(x.Verified.Broken)
			}
		})
	}
}
