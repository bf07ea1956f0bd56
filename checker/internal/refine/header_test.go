package refine

import (
	"slices"
	"strings"
	"testing"
)

// TestHeader says which alarms are no evidence, since the stream does not show something that they
// depend on. The node answers with the news that it has heard, and news depend on news alone.
func TestHeader(t *testing.T) {
	t.Parallel()
	const (
		all    = `{"event":"header","kinds":["asked","answered","news"],"inputs":["Meet"]}`
		quorum = `{"event":"header","networks":["Asks"]}`
		others = `{"event":"header","networks":["News","Votes"]}`
	)
	for _, c := range []struct {
		name, events string
		alarm        int64  // position from 0; -1: none
		cause        string // of what is undecided; "" if all is decided
	}{
		{"all is there", all + "; <2 asked 0; >2 answered 44; end", 2, ""},
		{"and by network", `{"event":"header","networks":["News","Asks"]}; <2 asked 0; >2 answered 44; end`, 2, ""},
		{"no port for news", quorum + "; <2 asked 0; >2 answered 44; end", -1, "news of News"},
		{"what is explained is decided", quorum + "; <2 asked 0; >2 answered 0; end", -1, ""},
		{"no port for questions", others + "; >2 answered 0; end", -1, "answered of Asks, asked of Asks"},
		{"news depend on news alone", others + "; <1 news 7; >2 news 8; end", 2, ""},
		{"after an answer that depends on both", others + "; >2 answered 0; <1 news 7; >2 news 8; end", -1, "answered of Asks"},
		{"a kind is left out", `{"event":"header","kinds":["answered","news"]}; >2 answered 0; end`, -1, "asked of Asks"},
		{"a kind that is sent is left out", `{"event":"header","kinds":["asked","news"]}; >2 news 8; end`, 1, ""},
		{"an input is left out", `{"event":"header","kinds":["asked","answered","news"],"inputs":[]}; <1 news 1; >2 news 8; end`, 2, ""},
		{"nothing is stated", "<2 asked 0; >2 answered 44; end", -1, "news of News"},
		{"news are read later", "<2 asked 0; >2 answered 44; <1 news 7; end", 1, ""},
		{"nothing but inputs is stated", `{"event":"header","inputs":["Meet"]}; <2 asked 0; >2 answered 44; end`, -1, "news of News"},
		{"a later header states less", all + "; <2 asked 0; >2 answered 0; " + quorum + "; >2 answered 0; end", -1, "news of News"},
		{"and a later one more", quorum + "; " + all + "; <2 asked 0; >2 answered 44; end", -1, "news of News"},
		{"it stands twice", all + "; " + all + "; <2 asked 0; >2 answered 44; end", 3, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, err := New(unreadSpec(), 0, Options{Keep: 100})
			if err != nil {
				t.Fatal(err)
			}
			for _, short := range strings.Split(c.events, "; ") {
				text := short
				if !strings.HasPrefix(short, "{") {
					text = strings.Replace(line(short), "Ticket", "Value", 1)
				}
				e, err := x.Decoder.Decode([]byte(text))
				if err != nil {
					t.Fatal(err)
				}
				x.Add(e)
				kept, err := x.Snapshot()
				if err != nil {
					t.Fatal(err)
				}
				if x, err = New(unreadSpec(), 0, Options{Keep: 100}); err == nil {
					err = x.Restore(kept)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			at := int64(-1)
			if a := x.Run(true); a != nil {
				at = a.Position - 1
				if slices.ContainsFunc(a.Last, func(s Shown) bool { return s.Event == "header" }) {
					t.Errorf("a header is among the events before the alarm: %+v", a.Last)
				}
			}
			if cause := x.Cause(); at != c.alarm || c.alarm < 0 && (c.cause == "") != (cause == "") || !strings.Contains(cause, c.cause) {
				t.Errorf("alarm at %d, want %d; undecided: %q, want %q", at, c.alarm, cause, c.cause)
			}
		})
	}
}

// TestHeaderNames refuses names that the specification does not have, and values that are no lists
// of names.
func TestHeaderNames(t *testing.T) {
	t.Parallel()
	x, err := New(newsSpec(int64(news)), 0, Options{Settings: map[string]string{"fix": "none"}})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		// The composition need not have what a header lists.
		`{"event":"header","kinds":["asked","vote"],"networks":["Votes"],"inputs":["Campaign"]}`: "",
		`{"event":"header","kinds":["told"]}`:                                                    `"told", and the specification has no such kind of messages`,
		`{"event":"header","networks":["Quorum"]}`:                                               "no such network",
		`{"event":"header","inputs":["Hear"]}`:                                                   "no such input",
		`{"event":"header","kinds":"asked"}`:                                                     "lists names",
		`{"event":"header","servers":3}`:                                                         "",
		`{"event":"header","servers":5}`:                                                         "of one of 5 servers, and the composition has 3",
		`{"event":"header","kinds":[1]}`:                                                         "lists names",
		`{"event":"header","options":{"fix":"none","other":"x"}}`:                                "",
		`{"event":"header","options":{"fix":"final"}}`:                                           `of a server with fix = "final", and the composition has fix = "none"`,
		`{"event":"header","options":["fix"]}`:                                                   "texts by name",
		`{"event":"header","kinds":[],"kinds":["asked"]}`:                                        "twice",
	} {
		switch _, err := x.Decoder.Decode([]byte(text)); {
		case want == "" && err != nil, want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestHeaderOfPart gives a part of a stream the header of the whole stream. A finer grain that
// judges the part alone would take a network for absent without it.
func TestHeaderOfPart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ events, want string }{
		{"<1 news 7; <2 asked 0; >2 answered 44", `{"event":"header","networks":["Asks","News"]}`},
		{`{"event":"header","networks":["Asks","News"]}; <2 asked 0; >2 answered 44`, `{"event":"header","networks":["Asks","News"]}`},
		{`{"event":"in","peer":1,"msg":{"Kind":"vote","For":2}}; <1 news 7; <2 asked 0; >2 answered 44`, `{"event":"header","networks":["Asks","News","Votes"]}`},
	} {
		x, err := New(newsSpec(int64(news)), 0, Options{Keep: 100})
		if err != nil {
			t.Fatal(err)
		}
		for _, short := range strings.Split(c.events, "; ") {
			text := short
			if !strings.HasPrefix(short, "{") {
				text = strings.Replace(line(short), "Ticket", "Value", 1)
			}
			e, err := x.Decoder.Decode([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			x.Add(e)
		}
		x.Run(true)
		parts := x.Parts()
		if len(parts) != 1 || string(parts[0].Lines[0]) != c.want {
			t.Errorf("%s: %d parts, %+v", c.events, len(parts), parts)
			continue
		}
		again, err := New(newsSpec(int64(news)), 0, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range parts[0].Lines {
			e, err := again.Decoder.Decode(l)
			if err != nil {
				t.Fatal(err)
			}
			again.Add(e)
		}
		if again.Run(true) == nil {
			t.Errorf("%s: the part has no alarm: %s", c.events, again.Cause())
		}
	}
}
