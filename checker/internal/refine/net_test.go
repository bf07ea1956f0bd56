package refine

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/modules"
)

// Servers of two networks: over one they tell the highest number that they know, whenever they
// like, over the other they answer who asks for it. News may be missed. Of a third network the
// composition has no messages.

type (
	newsKind uint8
	askKind  uint8
	voteKind uint8
)

const (
	asked askKind = iota + 1
	answered
)

const news newsKind = 64

type (
	newsMsg struct {
		Kind  newsKind
		Value int32
	}
	askMsg struct {
		Kind  askKind
		Value uint8
	}
	voteMsg struct {
		Kind voteKind
		For  int64
	}
	newsState struct {
		Known [3]int32
		Asks  modules.Net[server, askKind, askMsg, [4]askMsg, [3]modules.Channel[askMsg, [4]askMsg], [3][3]modules.Channel[askMsg, [4]askMsg]]
		News  modules.Net[server, newsKind, newsMsg, [2]newsMsg, [3]modules.Channel[newsMsg, [2]newsMsg], [3][3]modules.Channel[newsMsg, [2]newsMsg]]
		Votes modules.Net[server, voteKind, voteMsg, [2]voteMsg, [3]modules.Channel[voteMsg, [2]voteMsg], [0][3]modules.Channel[voteMsg, [2]voteMsg]]
	}
	hearing struct {
		I, J   server
		Missed bool
	}
	newsAction[P any] = modules.Action[newsState, P]
)

var (
	spread = &newsAction[modules.Pair[server]]{
		Name:   "Spread",
		Params: modules.EachPair[server](3),
		Effect: func(s, n *newsState, p modules.Pair[server]) { n.News.Send(p.I, p.J, newsMsg{news, s.Known[p.I]}) },
	}
	hear = &newsAction[hearing]{
		Name: "Hear",
		Params: func(yield func(hearing) bool) {
			for p := range modules.EachPair[server](3) {
				if !yield(hearing{p.I, p.J, false}) || !yield(hearing{p.I, p.J, true}) {
					return
				}
			}
		},
		Guard: func(s *newsState, p hearing) bool { return s.News.Is(p.J, p.I, news) },
		Effect: func(s, n *newsState, p hearing) {
			if m := n.News.Recv(p.J, p.I, news); !p.Missed {
				n.Known[p.I] = max(n.Known[p.I], m.Value)
			}
		},
	}
	reply = &newsAction[modules.Pair[server]]{
		Name:   "Reply",
		Params: modules.EachPair[server](3),
		Guard:  func(s *newsState, p modules.Pair[server]) bool { return s.Asks.Is(p.J, p.I, asked) },
		Effect: func(s, n *newsState, p modules.Pair[server]) {
			n.Asks.Recv(p.J, p.I, asked)
			n.Asks.Send(p.I, p.J, askMsg{answered, uint8(s.Known[p.I])})
		},
	}
)

// campaign is an action that the composition does not have.
var campaign = &newsAction[modules.Pair[server]]{Name: "Campaign", Params: modules.EachPair[server](3)}

func newsSpec(kind int64) *Spec[newsState] {
	composition := &modules.Spec[newsState]{System: "news", Init: func(yield func(newsState) bool) { yield(newsState{}) }}
	for _, b := range modules.Bind([]modules.AnyAction[newsState]{spread, hear, reply}, nil, nil) {
		composition.Actions = append(composition.Actions, modules.SpecAction[newsState]{Bound: b})
	}
	at := func(v string, index ...string) modules.Access { return modules.Access{Variable: v, Index: index} }
	write := func(v string, index ...string) modules.Write {
		return modules.Write{Variable: v, Elements: []modules.Element{{Index: index}}, Data: []modules.Access{at("Known", "p.I")}}
	}
	in, out := []string{"p.J", "p.I"}, []string{"p.I", "p.J"}
	return &Spec[newsState]{
		Composition: composition,
		Footprints: []modules.Footprint{
			{Name: "Spread", Sends: []string{"News#news"}, Writes: []modules.Write{write("News#news", out...)}},
			{Name: "Hear", Receives: []string{"News#news"}, Guard: []modules.Access{at("News#news", in...)},
				Writes: []modules.Write{write("News#news", in...), write("Known", "p.I")}},
			{Name: "Reply", Receives: []string{"Asks#asked"}, Sends: []string{"Asks#answered"}, Guard: []modules.Access{at("Asks#asked", in...)},
				Writes: []modules.Write{write("Asks#asked", in...), write("Asks#answered", out...)}},
		},
		Runtime: &modules.Runtime[newsState]{Lanes: 2, Lane: func(kind uint8) int { return int(kind) / int(news) },
			Inputs: []modules.Input[newsState]{{Action: campaign, Network: "Votes"}}},
		Enum: func(t reflect.Type) map[string]int64 {
			switch t {
			case reflect.TypeFor[newsKind]():
				return map[string]int64{"news": kind}
			case reflect.TypeFor[askKind]():
				return map[string]int64{"asked": 1, "answered": 2}
			case reflect.TypeFor[voteKind]():
				return map[string]int64{"vote": 90}
			}
			return nil
		},
	}
}

// TestTwoNetworks compares messages of two networks with one specification.
func TestTwoNetworks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, events string
		alarm        int64 // position from 0; -1: none
	}{
		// 8 bits of it
		{"what was told is answered", "<1 news 300, <2 asked 0, >2 answered 44, end", -1},
		{"what was told is missed", "<1 news 7, <2 asked 0, >2 answered 0, end", -1},
		{"what was told is taken later", "<1 news 7, <2 asked 0, >2 answered 0, <2 asked 0, >2 answered 7, end", -1},
		{"missed and then not", "<1 news 7, <2 asked 0, >2 answered 7, <2 asked 0, >2 answered 0, end", 4},
		{"networks do not wait for each other", "<1 asked 0, <1 news 7, >1 answered 7, >2 news 7, end", -1},
		{"nor does what they send", "<1 news 7, <2 asked 0, >2 answered 7, >2 news 0, >2 news 7, >1 news 7, >2 news 7, end", -1},
		{"what is told again is old", "<1 news 7, >2 news 7, >2 news 0, end", 2},
		{"what nobody told", "<1 news 7, >2 news 8, end", 1},
		{"an answer to nobody", "<1 asked 0, >2 answered 0, end", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, err := New(newsSpec(int64(news)), 0, Options{Verify: 1, Complete: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, short := range strings.Split(c.events, ", ") {
				text := line(short)
				text = strings.Replace(text, "Ticket", "Value", 1)
				e, err := x.Decoder.Decode([]byte(text))
				if err != nil {
					t.Fatal(err)
				}
				x.Add(e)
				x.Run(false)
			}
			at := int64(-1)
			if a := x.Run(true); a != nil {
				at = a.Position - 1
			}
			if at != c.alarm {
				t.Errorf("alarm at %d, want %d", at, c.alarm)
			}
			if x.Verified.Broken != "" {
				t.Error(x.Verified.Broken)
			}
			if free := fmt.Sprint(x.Plan().Actions[0].Free, x.Plan().Actions[1].Free, x.Plan().Actions[2].Free); free != "true false false" {
				t.Errorf("actions that only send: %s", free)
			}
		})
	}
	if _, err := New(newsSpec(2), 0, Options{}); err == nil || !strings.Contains(err.Error(), "have the same number") {
		t.Errorf("kinds of two networks with one number: %v", err)
	}
}

// TestLeftOut holds that what is about a network without messages in the composition is counted,
// and means nothing else; what is no event of that network is an error still.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	x, err := New(newsSpec(int64(news)), 0, Options{Complete: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		`{"event":"in","peer":1,"msg":{"Kind":"vote","For":2}}`,
		`{"event":"input","action":"Campaign","params":{"J":1}}`,
		line("<1 asked 0"),
		`{"event":"out","peer":2,"msg":{"For":7,"Kind":"vote"}}`,
		line(">1 answered 1"),
		line("end"),
	} {
		e, err := x.Decoder.Decode([]byte(strings.Replace(text, "Ticket", "Value", 1)))
		if err != nil {
			t.Fatal(text, err)
		}
		x.Add(e)
	}
	a := x.Run(true)
	if a == nil || a.Position != 5 || a.Outgoing != 1 || len(a.Last) != 1 {
		t.Errorf("%+v", a)
	}
	if s := x.Finish(); fmt.Sprint(s.LeftOut) != "[{Votes 3}]" || s.In != 1 || s.Out != 1 || s.Inputs != 0 {
		t.Errorf("%+v", s)
	}
	for _, text := range []string{
		`{"event":"in","peer":1,"msg":{"Kind":"vote","Against":2}}`,
		`{"event":"in","peer":0,"msg":{"Kind":"vote","For":2}}`,
		`{"event":"in","peer":1,"msg":{"Kind":"ballot","For":2}}`,
		`{"event":"input","action":"Resign"}`,
	} {
		if e, err := x.Decoder.Decode([]byte(text)); err == nil {
			t.Errorf("%s is %+v", text, e)
		}
	}
}
