package html_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/html"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
	"github.com/multigrain/multigrain/grains"
)

// changeWith returns the document of a change that departs and violates an invariant, and in which
// every text is a name. It has as many changed lines as are asked for.
func changeWith(name string, lines int) *result.Document {
	b := narrate.BehaviourOf(named(name), narrate.Known{}, false)
	b.Diagram.Departs = &result.Departure{Step: 2, Sides: []result.Differing{{Differing: wire.Differing{Path: name}, SpecificationText: name, ImplementationText: name}}}
	decl := result.Declaration{Name: name, Kind: "function", How: "changed", File: name, Line: 3, Last: 9}
	file := result.ChangedFile{Old: name, New: name, Note: name}
	for k := range lines {
		l := result.ChangedLine{Kind: "added", New: k + 1, Text: name, Mark: []string{"ran", "partly", "missed", "quiet", "unmodelled", "unseen"}[k%6], Why: name}
		file.Lines = append(file.Lines, l)
	}
	d := &result.Document{Verb: "change", Spec: "spec", System: name,
		Change: &result.Change{Implementation: name, Version: name, Diff: []result.ChangedFile{file}, Repeat: "multigrain " + name, Manifest: name,
			Choices: []result.Choice{{Module: name, Grain: name, Target: true, Why: name}}, Rejected: []result.Rejected{{Grains: []string{name}, Why: name}}, Dropped: []string{name},
			ChangeAnalysis: result.ChangeAnalysis{Doubts: []string{name}, Ignored: []result.Ignored{{File: name, Reason: name}}, Unmodelled: []result.Unmodelled{{Declaration: decl, Reason: name}},
				Trails: []result.Trail{{Declaration: decl, Path: []result.Caller{{Name: name}}, Place: &result.Modelled{Name: name, Grains: []grains.Ref{{Module: name, Grain: name}}}}}},
			Observed: &result.Observed{Verdict: "violated", Hash: "0123456789abcdef", Seed: 7, Judged: []string{name}, Compared: []string{name}, Unobserved: []string{name}, Unfired: []string{name},
				Never:   []result.Never{{Actions: []string{name}, Why: name}},
				Modules: []result.Module{{Module: name, Grain: name}}, Unjudged: []wire.Unjudged{{Invariant: name, Variable: name}},
				Places: []result.RanPlace{{File: name, Line: 3, Kind: "line", Text: name}},
				Found:  []result.Difference{{Kind: "variable", Variable: name, Action: name, Step: 2, Counterexample: b, Trace: name}},
				Shared: []result.Difference{{Kind: "variable", Variable: name, Action: name, Step: 1}},
				Broken: []result.BrokenInCode{{Invariant: name, Kind: "state", Doc: name, Departed: 2, Depth: 3, Counterexample: b, Trace: name, Frames: []string{name}}},
			}}}
	return d
}

// TestHostileChange: a change whose names, lines and values a browser would obey has a page with
// the same elements as a harmless one.
func TestHostileChange(t *testing.T) {
	t.Parallel()
	page := func(name string, lines int) string {
		pages, err := html.Pages(changeWith(name, lines), t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		return pages[html.ChangeName]
	}
	bad, plain := page(evil, 12), page("name", 12)
	if terminal.Visible(bad) != bad {
		t.Error("the page has characters that an editor obeys")
	}
	for _, tag := range []string{"<script", "</script", "<img", "onerror=alert(2)>", "<title", "<tr", "<td", "<span", "<section", "<details"} {
		if have, want := strings.Count(bad, tag), strings.Count(plain, tag); have != want {
			t.Errorf("the page has %s %d times, want %d", tag, have, want)
		}
	}
	if strings.Contains(plain, "http://") || strings.Contains(plain, "https://") {
		t.Error("the page needs the network")
	}
	for _, want := range []string{`data-mark="missed"`, `<table class="sides"><tr><th>after step 2</th>`, `class="step departs"`, "multigrain replay name", "ran in part: 2", `id="unjudged"`, "the specification does not take name here: name", "name/name"} {
		if !strings.Contains(plain, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if many := page(strings.Repeat("x", 500), 10_000); len(many) > 20<<20 || strings.Count(many, "data-mark=") < 10_000 {
		t.Errorf("%d bytes, %d lines", len(many), strings.Count(many, "data-mark="))
	}
}

// TestChangeVerdicts: the page has the first line of each verdict, also where nothing was run.
func TestChangeVerdicts(t *testing.T) {
	t.Parallel()
	change := func(o *result.Observed) *result.Change {
		return &result.Change{Implementation: "app", Observed: o}
	}
	for want, d := range map[string]*result.Document{
		"The change touches no module.":            {Change: change(nil)},
		"undecided: not run":                       {Change: change(nil), Exploration: result.Unexplored("not run")},
		"error: see the diagnostics":               {Change: change(nil), Diagnostics: []result.Diagnostic{{Severity: "error", Code: "MG101", Summary: "Change does not compile"}}},
		"behaves as the specification: 5 walks":    {Change: change(&result.Observed{Verdict: "behaves", Walks: 5})},
		"behaves differently: X after step 1, Act": {Change: change(&result.Observed{Verdict: "differs", Found: []result.Difference{{Kind: "variable", Variable: "X", Step: 1, Action: "Act"}}})},
		"1 of 1 changed line did not run":          {Change: change(&result.Observed{Verdict: "behaves", Accepted: []string{"a"}, Places: []result.RanPlace{{File: "a", Kind: "line"}}})},
		"undecided: interrupted after 3 walks":     {Change: change(&result.Observed{Verdict: "undecided", Reason: "interrupted after 3 walks"})},
	} {
		d.Verb, d.Spec = "change", "spec"
		pages, err := html.Pages(d, t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(pages[html.ChangeName], want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestChangeInBrowser opens the page of a change at the widths of phones and screens, light and
// dark. Keys lead from one open line to the next.
func TestChangeInBrowser(t *testing.T) {
	ctx := browser(t)
	pages, err := html.Pages(changeWith(strings.Repeat("long_name ", 60), 60), "", "")
	if err != nil {
		t.Fatal(err)
	}
	address := saved(t, pages, html.ChangeName)
	for _, width := range []int64{390, 768, 1280} {
		for _, scheme := range []string{"light", "dark"} {
			where := fmt.Sprintf("at %d, %s", width, scheme)
			opened(t, ctx, address, width, scheme)
			if w := value[int64](t, ctx, "document.documentElement.scrollWidth"); w > width {
				t.Errorf("%s: the page is %d wide: %s", where, w, value[string](t, ctx, widest))
			}
			if c := value[float64](t, ctx, leastContrast); c < 4.5 {
				t.Errorf("%s: text has a contrast of %.1f", where, c)
			}
			if folder := os.Getenv("MULTIGRAIN_PICTURES"); folder != "" {
				picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
				if err == nil {
					err = os.WriteFile(filepath.Join(folder, fmt.Sprintf("change-%d-%s.png", width, scheme)), picture, 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, c := range [][2]string{{"n", "1 of 40"}, {"j", "2 of 40"}, {"p", "1 of 40"}, {"k", "40 of 40"}} {
		if err := chromedp.Do(ctx, chromedp.KeyEvent(c[0])); err != nil {
			t.Fatal(err)
		}
		if s := value[string](t, ctx, `document.getElementById("at").textContent`); s != c[1] {
			t.Errorf("the key %s leads to %s, want %s", c[0], s, c[1])
		}
	}
	if n := value[int](t, ctx, `document.querySelectorAll("tr.now").length`); n != 1 {
		t.Errorf("%d lines are marked", n)
	}
}
