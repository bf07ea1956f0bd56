package html_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/axetest"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/html"
	"github.com/multigrain/multigrain/modules"
)

// browser starts Chromium with an empty profile and no network traffic of its own. The test is
// skipped where Chromium is missing or slow tests are not asked for.
func browser(t *testing.T) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil || os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it opens pages in Chromium; install it and set MULTIGRAIN_SLOW=1")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.UserDataDir(t.TempDir()), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(ctx)
	t.Cleanup(end)
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	ctx, late := context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(late)
	return ctx
}

// saved writes pages into a folder and returns the address of one.
func saved(t *testing.T, pages map[string]string, name string) string {
	t.Helper()
	dir := t.TempDir()
	for file, text := range pages {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return "file://" + filepath.Join(dir, name)
}

// opened opens a page at a width, light or dark.
func opened(t *testing.T, ctx context.Context, address string, width int64, scheme string) {
	t.Helper()
	media := func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return chromedp.Void{}, err
	}
	// Without the blank page, another hash of the same page would not load it again.
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 900), media, chromedp.Navigate("about:blank"), chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
}

// value evaluates an expression in the page.
func value[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// TestPage opens the page of a long trace in a browser: it steps, filters, searches and computes
// states.
func TestPage(t *testing.T) {
	ctx := browser(t)
	var steps []exchanged
	for k := range 1000 {
		from := k % 2
		steps = append(steps, exchanged{fmt.Sprint("Send", k), from, false, [2][2]string{{"", strings.Repeat("a", 1-from)}, {strings.Repeat("z", from), ""}}},
			exchanged{"Receive", 1 - from, false, [2][2]string{}})
	}
	page, err := html.Trace(html.About{Title: "long </script> trace", Lines: []string{"a line"}, Report: "r.html"},
		narrate.BehaviourOf(exchange(steps...), narrate.Known{}, false))
	if err != nil {
		t.Fatal(err)
	}
	address := saved(t, map[string]string{"t.html": page}, "t.html")
	// A trace is read from its beginning.
	opened(t, ctx, address, 1280, "light")
	if s := value[string](t, ctx, "document.getElementById('at').innerText"); s != "0 of 2000" {
		t.Errorf("the page opens at %q", s)
	}
	opened(t, ctx, address+"#step=3&full=1", 1280, "light")
	whole := value[string](t, ctx, "document.body.innerText")
	for _, want := range []string{"3 of 2000", "step 3: Send1", "Msgs[1][0]", "added {Kind: z}", "whole state", "long </script> trace", "server 1 sends, to server 0: z"} {
		if !strings.Contains(whole, want) {
			t.Errorf("step 3 does not show %q", want)
		}
	}
	// A step after the last one is the last one.
	opened(t, ctx, address+"#step=99999", 1280, "light")
	if s := value[string](t, ctx, `document.getElementById("at").textContent`); s != "2000 of 2000" {
		t.Errorf("step 99999 of a trace with 2000 steps is shown as %q", s)
	}
	// What is removed is not shown as what is new.
	opened(t, ctx, address+"#step=4", 1280, "light")
	if s := value[string](t, ctx, `document.querySelector("#state s").textContent`); s != "removed {Kind: z}" {
		t.Errorf("the removal is shown as %q", s)
	}
	// 77, 771, 773, 775, 777, 779 are of server 1.
	opened(t, ctx, address+"#step=1&q=send77&server=1", 1280, "light")
	if s := value[string](t, ctx, `document.getElementById("count").textContent`); s != "6 hits" {
		t.Errorf("a search finds %s", s)
	}
	opened(t, ctx, address+"#step=1&var=Msgs[0]", 1280, "light")
	if n := value[int](t, ctx, `document.querySelectorAll(".step[hidden]").length`); n != 1000 {
		t.Errorf("%d of 2000 steps are hidden where half of them change the variable", n)
	}
	if err := chromedp.Do(ctx, chromedp.KeyEvent("j")); err != nil {
		t.Fatal(err)
	}
	if s := value[string](t, ctx, `document.getElementById("at").textContent`); s != "2 of 2000" {
		t.Errorf("the key j goes to %s", s)
	}
	if s := value[string](t, ctx, `document.getElementById("report").getAttribute("href")`); s != "r.html" {
		t.Errorf("the page links to the report %q", s)
	}
}

// judged returns the document of a violation with a counterexample of five nodes.
func judged(t *testing.T) *result.Document {
	t.Helper()
	text, err := os.ReadFile("testdata/chain.json")
	if err != nil {
		t.Fatal(err)
	}
	d := new(result.Document)
	if err := json.Unmarshal(text, d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestWidths opens the page of a result and that of its counterexample at the widths of phones,
// tablets and screens, light and dark. Lanes share the width, their heads stay at the top, and text
// has contrast. With MULTIGRAIN_PICTURES, it keeps pictures in that folder.
func TestWidths(t *testing.T) {
	ctx := browser(t)
	pages, err := html.Pages(judged(t), "", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"chain-read-at-head.html", "chain-read-at-head-FreshReads.html"} {
		address := saved(t, pages, name)
		for _, width := range []int64{390, 768, 1280, 1920} {
			for _, scheme := range []string{"light", "dark"} {
				where := fmt.Sprintf("%s at %d, %s", name, width, scheme)
				opened(t, ctx, address, width, scheme)
				// The step that the page tells of is in view.
				if !value[bool](t, ctx, nowInView) {
					t.Errorf("%s: the current step is out of view", where)
				}
				if w := value[int64](t, ctx, "document.documentElement.scrollWidth"); w > width {
					t.Errorf("%s: the page is %d wide: %s", where, w, value[string](t, ctx, widest))
				}
				// Five lanes fit, in the order of their heads.
				if s := value[string](t, ctx, lanesFit); s != "" {
					t.Errorf("%s: %s", where, s)
				}
				if c := value[float64](t, ctx, leastContrast); c < 4.5 {
					t.Errorf("%s: text has a contrast of %.1f", where, c)
				}
				if width == 390 || width == 1280 {
					axetest.Check(t, where, func(expression string) string { return value[string](t, ctx, expression) })
				}
				if folder := os.Getenv("MULTIGRAIN_PICTURES"); folder != "" {
					picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
					if err == nil {
						err = os.WriteFile(filepath.Join(folder, fmt.Sprintf("%s-%d-%s.png", strings.TrimSuffix(name, ".html"), width, scheme)), picture, 0o644)
					}
					if err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
}

// nowInView reports whether the page has no current step, or the diagram shows its row.
const nowInView = `(() => {
	const row = document.querySelector(".labels .step.now"), box = row?.closest(".diagram")?.getBoundingClientRect();
	if (!row) return true;
	const at = row.getBoundingClientRect();
	return at.top >= box.top && at.bottom <= box.bottom;
})()`

// TestAccessible opens the pages of verbs about real systems, of a comparison, of an interaction
// and of a change. Each keeps the rules of axe-core.
func TestAccessible(t *testing.T) {
	ctx := browser(t)
	documents := html.RealDocuments()
	documents["interaction"] = html.InteractionDocument()
	documents["change"] = changeWith(strings.Repeat("long_name ", 60), 60)
	for verb, d := range documents {
		pages, err := html.Pages(d, "", "")
		if err != nil {
			t.Fatal(err)
		}
		for name := range pages {
			address := saved(t, pages, name)
			for _, width := range []int64{390, 1280} {
				for _, scheme := range []string{"light", "dark"} {
					opened(t, ctx, address, width, scheme)
					value[string](t, ctx, `for (const d of document.querySelectorAll("details")) d.open = true; ""`)
					where := fmt.Sprintf("%s: %s at %d, %s", verb, name, width, scheme)
					axetest.Check(t, where, func(expression string) string { return value[string](t, ctx, expression) })
				}
			}
		}
	}
}

// TestNamesShow opens a trace whose action has a long name. On a screen there is room for it. On a
// phone the labels stand over the lanes, and none hides the name of a message.
func TestNamesShow(t *testing.T) {
	ctx := browser(t)
	none := [2][2]string{}
	page, err := html.Trace(html.About{Title: "names"}, narrate.BehaviourOf(exchange(
		exchanged{"Send", 0, false, [2][2]string{{"", "abc"}, {"", ""}}},
		exchanged{"FollowerProcessNEWLEADERUpdateEpochAndItsHistory", 1, false, [2][2]string{{"", "bc"}, {"z", ""}}},
		exchanged{"Receive", 1, false, none},
		exchanged{"Receive", 0, false, none},
	), narrate.Known{}, false))
	if err != nil {
		t.Fatal(err)
	}
	address := saved(t, map[string]string{"t.html": page}, "t.html")
	opened(t, ctx, address, 1280, "light")
	if s := value[string](t, ctx, `[...document.querySelectorAll(".labels b")].filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent).join()`); s != "" {
		t.Errorf("labels are cut: %s", s)
	}
	if n := value[int](t, ctx, placeholderLacks); n > 0 {
		t.Errorf("the field of the search lacks %d pixels for what it says", n)
	}
	opened(t, ctx, address, 390, "light")
	if s := value[string](t, ctx, `(() => {
	  const labels = [...document.querySelectorAll(".labels b,.labels i")].map(e => e.getBoundingClientRect());
	  const names = [...document.querySelectorAll("svg.lanes text.kind")].map(e => [e.textContent, e.getBoundingClientRect()]);
	  const over = (a, b) => Math.min(a.right, b.right) > Math.max(a.left, b.left) && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
	  return names.filter(([, n], k) => labels.some(l => over(l, n)) || names.some(([, m], x) => x > k && over(m, n))).map(([s]) => s).join();
	})()`); s != "" {
		t.Errorf("names of messages are hidden: %s", s)
	}
	// Lanes and arrows pass under the labels, and do not cross their text.
	for _, scheme := range []string{"light", "dark"} {
		opened(t, ctx, address, 390, scheme)
		if a := value[float64](t, ctx, `Math.min(...[...document.querySelectorAll(".labels b,.labels i")].map(e => +(/rgba\(.*, (.*)\)/.exec(getComputedStyle(e).backgroundColor)?.[1] ?? 1)))`); a < 0.85 {
			t.Errorf("%s: lines show through labels, whose background has an opacity of %.2f", scheme, a)
		}
	}
}

// widest is the element that reaches farthest to the right, of those that do not scroll.
const widest = `[...document.querySelectorAll("body *")].filter(e => !e.closest(".wide,.diagram,pre,svg")).map(e => [e.getBoundingClientRect().right, e])
  .sort((a, b) => b[0] - a[0]).slice(0, 3).map(([x, e]) => x + " " + e.outerHTML.slice(0, 120)).join("; ")`

// lanesFit says what is wrong with the heads of lanes: "" for nothing. It scrolls, and expects the
// heads to stay at the top.
const lanesFit = `(() => {
  const box = document.querySelector(".diagram"), heads = [...box.querySelectorAll(".heads span")];
  if (heads.map(h => h.textContent).join() !== "server 0,server 1,server 2,client,master") return "heads are " + heads.map(h => h.textContent);
  box.scrollTop = 200;
  const b = box.getBoundingClientRect();
  let right = b.left;
  for (const h of heads) {
    const r = h.getBoundingClientRect();
    if (r.left < right - 1) return h.textContent + " overlaps";
    right = r.right;
    if (box.scrollTop > 0 && Math.abs(r.top - b.top) > 4) return h.textContent + " does not stay at the top";
  }
  if (box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 420) return "lanes do not fit: " + box.scrollWidth + " of " + box.clientWidth;
  return "";
})()`

// headsOverLanes says which head does not stand over its lane: "" for none.
const headsOverLanes = `(() => {
  const box = document.querySelector(".diagram"), lanes = [...box.querySelectorAll("svg.lanes line.lane")];
  const middle = e => { const r = e.getBoundingClientRect(); return (r.left + r.right) / 2; };
  for (const [k, h] of [...box.querySelectorAll(".heads span")].entries())
    if (Math.abs(middle(h) - middle(lanes[k])) > 3) return h.textContent + " is at " + middle(h) + ", its lane at " + middle(lanes[k]);
  return "";
})()`

// leastContrast is the smallest contrast of text to the page, as WCAG defines it.
const leastContrast = `(() => {
  const lum = c => { const v = c.match(/[\d.]+/g).slice(0, 3).map(x => { x /= 255; return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; }); return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };
  const page = lum(getComputedStyle(document.body).backgroundColor);
  let least = 21;
  for (const e of document.querySelectorAll("h1,h2,h3,p,td,th,b,i,a,summary")) {
    if (!e.textContent.trim()) continue;
    const x = lum(getComputedStyle(e).color);
    least = Math.min(least, (Math.max(x, page) + 0.05) / (Math.min(x, page) + 0.05));
  }
  return least;
})()`

// TestReport reads the page of a result: verdict with bounds and level, composition, coverage,
// plots, and a diagram that needs no other page.
func TestReport(t *testing.T) {
	ctx := browser(t)
	pages, err := html.Pages(judged(t), "", "")
	if err != nil {
		t.Fatal(err)
	}
	opened(t, ctx, saved(t, pages, "chain-read-at-head.html"), 1280, "light")
	for selector, want := range map[string]string{
		"#verdict":   "servers = 3",
		"#explored":  "not all states",
		"#modules":   "replication",
		"#coverage":  "actions that fired",
		"#figures":   "distinct states",
		".violation": "client",
	} {
		if selector == "#explored" {
			selector = "#verdict"
		}
		if s := value[string](t, ctx, fmt.Sprintf("document.querySelector(%q).innerText", selector)); !strings.Contains(s, want) {
			t.Errorf("%s does not show %q: %s", selector, want, s)
		}
	}
	for expression, least := range map[string]int{
		`document.querySelectorAll(".violation g.row").length`:       17,
		`document.querySelectorAll(".chart .bar").length`:            5,
		`document.querySelectorAll("#actions .fill").length`:         10,
		`document.querySelectorAll(".violation a.trace").length`:     1,
		`document.querySelectorAll(".legend span").length`:           6,
		`document.querySelectorAll('.violation path.stop').length`:   2, // with the legend
		`document.querySelectorAll('.violation .link.cut').length`:   1,
		`document.querySelectorAll('.picture .labels .step').length`: 18,
		`document.querySelectorAll('.violation g.message').length`:   5,
	} {
		if n := value[int](t, ctx, expression); n < least {
			t.Errorf("%s is %d, want at least %d", expression, n, least)
		}
	}
	printed := func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		return chromedp.Void{}, err
	}
	if err := chromedp.Do(ctx, printed); err != nil {
		t.Fatal(err)
	}
	if s := value[string](t, ctx, headsOverLanes); s != "" {
		t.Errorf("on paper: %s", s)
	}
	pdf, err := chromedp.Run(ctx, chromedp.PrintToPDF())
	if err != nil || len(pdf) < 1000 {
		t.Errorf("the page prints %d bytes: %v", len(pdf), err)
	}
	if folder := os.Getenv("MULTIGRAIN_PICTURES"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, "report.pdf"), pdf, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPaper prints the page of a result and that of its counterexample while the screen is dark.
// Paper is light, so text and the marks of the diagram must have the colours of light pages.
func TestPaper(t *testing.T) {
	ctx := browser(t)
	pages, err := html.Pages(judged(t), "", "")
	if err != nil {
		t.Fatal(err)
	}
	for name := range pages {
		opened(t, ctx, saved(t, pages, name), 1280, "light")
		ink := value[string](t, ctx, inks)
		opened(t, ctx, saved(t, pages, name), 1280, "dark")
		if value[string](t, ctx, inks) == ink {
			t.Errorf("%s: a dark screen has the colours of a light one", name)
		}
		printed := func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print",
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
			return chromedp.Void{}, err
		}
		if err := chromedp.Do(ctx, printed); err != nil {
			t.Fatal(err)
		}
		if got := value[string](t, ctx, inks); got != ink {
			t.Errorf("%s: paper has the colours %s, want %s", name, got, ink)
		}
		if c := value[float64](t, ctx, leastContrast); c < 4.5 {
			t.Errorf("%s: text on paper has a contrast of %.1f", name, c)
		}
		pdf, err := chromedp.Run(ctx, chromedp.PrintToPDF())
		if err != nil || len(pdf) < 1000 {
			t.Errorf("%s prints %d bytes: %v", name, len(pdf), err)
		}
		if folder := os.Getenv("MULTIGRAIN_PICTURES"); folder != "" {
			if err := os.WriteFile(filepath.Join(folder, strings.TrimSuffix(name, ".html")+".pdf"), pdf, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// inks are the colours of the page, its text, and the labels and marks of its diagram.
const inks = `[getComputedStyle(document.body).backgroundColor, ...[["h1", "color"], [".labels b", "color"], ["svg.lanes line.arrow", "stroke"],
  ["svg.lanes text.kind", "fill"], ["svg.lanes circle", "fill"]].map(([e, what]) => getComputedStyle(document.querySelector(e))[what])].join(" ")`

// TestDrag moves a picture that does not fit with the mouse: eight lanes on the width of a phone.
// The heads stay at the top and over their lanes. A drag does not go to another step, and a click
// does.
func TestDrag(t *testing.T) {
	ctx := browser(t)
	const nodes = 8
	state := func(from int) modules.View {
		net := modules.View{Shape: modules.Function}
		for i := range nodes {
			row := modules.View{Shape: modules.Function}
			for j := range nodes {
				q := modules.View{Shape: modules.Sequence}
				if i == from && j == (from+3)%nodes {
					q.Elems = []modules.View{{Shape: modules.Record, Names: []string{"Kind"}, Elems: []modules.View{{Text: "PING"}}}}
				}
				row.Elems = append(row.Elems, q)
			}
			net.Elems = append(net.Elems, row)
		}
		return modules.View{Shape: modules.Record, Names: []string{"Msgs"}, Elems: []modules.View{net}}
	}
	trace := &wire.Trace{Init: state(-1)}
	for k := range 40 {
		trace.Steps = append(trace.Steps, wire.Step{Action: fmt.Sprint("Send", k), Server: k % nodes, Params: modules.View{Shape: modules.Record}, State: state(k % nodes)})
	}
	page, err := html.Trace(html.About{Title: "wide"}, narrate.BehaviourOf(trace, narrate.Known{}, false))
	if err != nil {
		t.Fatal(err)
	}
	address := saved(t, map[string]string{"t.html": page}, "t.html")
	for _, width := range []int64{390, 768, 1280} {
		opened(t, ctx, address+"#step=5", width, "light")
		value[int](t, ctx, `document.querySelector(".diagram").scrollTop = 0`)
		before := value[[]float64](t, ctx, boxAt)
		mouse := func(kind input.DispatchMouseEventType, x, y float64, held int64) {
			t.Helper()
			send := func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
				_, err := cdp.Call(ctx, target, input.DispatchMouseEvent, input.DispatchMouseEventParams{
					Type: kind, X: x, Y: y, Button: "left", Buttons: held, ClickCount: 1})
				return chromedp.Void{}, err
			}
			if err := chromedp.Do(ctx, send); err != nil {
				t.Fatal(err)
			}
		}
		x, y := before[0]+before[2]*0.7, before[1]+before[3]*0.7
		mouse("mousePressed", x, y, 1)
		for k := 1.0; k <= 8; k++ {
			mouse("mouseMoved", x-k*20, y-k*15, 1)
		}
		mouse("mouseReleased", x-160, y-120, 0)
		after := value[[]float64](t, ctx, boxAt)
		// Sideways it goes as far as there is something to see.
		if want := min(160, before[6]); after[4]-before[4] != want || after[5]-before[5] != 120 {
			t.Errorf("at %d: a drag by 160 and 120 moves the picture by %v and %v, want %v and 120", width, after[4]-before[4], after[5]-before[5], want)
		}
		if width == 390 && before[6] < 160 {
			t.Errorf("eight lanes fit a phone: only %v pixels do not", before[6])
		}
		if s := value[string](t, ctx, headsOverLanes); s != "" {
			t.Errorf("at %d, after a drag: %s", width, s)
		}
		if top := value[float64](t, ctx, `document.querySelector(".heads").getBoundingClientRect().top`); top != after[1] {
			t.Errorf("at %d: the heads are at %v after a drag, the picture begins at %v", width, top, after[1])
		}
		if s := value[string](t, ctx, `document.getElementById("at").textContent`); s != "5 of 40" {
			t.Errorf("at %d: a drag goes to step %s", width, s)
		}
		at := value[[]float64](t, ctx, `(() => { const e = document.querySelector('.labels .step[data-step="7"] b'); e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect(); return [r.left + 5, r.top + 5]; })()`)
		mouse("mouseMoved", at[0], at[1], 0) // as a hand does before it presses
		mouse("mousePressed", at[0], at[1], 1)
		mouse("mouseReleased", at[0], at[1], 0)
		if s := value[string](t, ctx, `document.getElementById("at").textContent`); s != "7 of 40" {
			t.Errorf("at %d: a click on step 7 goes to step %s", width, s)
		}
	}
}

// boxAt is where the picture is, its size, how far it is scrolled, and how far it could be scrolled
// sideways.
const boxAt = `(() => { const b = document.querySelector(".diagram"), r = b.getBoundingClientRect();
  return [r.left, r.top, r.width, r.height, b.scrollLeft, b.scrollTop, b.scrollWidth - b.clientWidth]; })()`

// placeholderLacks is how many pixels the search field is too narrow for its placeholder. The
// padding takes 12 pixels of the field, and the button that empties it takes 16.
const placeholderLacks = `(() => {
  const field = document.getElementById("q");
  const canvas = document.createElement("canvas").getContext("2d");
  canvas.font = getComputedStyle(field).font;
  const text = canvas.measureText(field.placeholder).width;
  return Math.ceil(text + 12 + 16) - field.clientWidth;
})()`
