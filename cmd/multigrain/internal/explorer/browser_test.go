package explorer

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/axetest"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/loopback"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
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
	ctx, late := context.WithTimeout(ctx, 10*time.Minute)
	t.Cleanup(late)
	return ctx
}

// served serves the page of a manifest before its program is built, and returns its address.
func served(t *testing.T, manifest, beside string) (*explorer, string) {
	t.Helper()
	ctx, end := context.WithCancel(context.Background())
	x := &explorer{engine: newEngine(resolved(t, manifest), session.Limits{Workers: 1}), ctx: ctx}
	if beside != "" {
		x.beside = newEngine(resolved(t, beside), session.Limits{Workers: 1})
	}
	s, err := newServer(x)
	if err != nil {
		t.Fatal(err)
	}
	l, err := loopback.Listen("")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		end()
		<-done
		x.end()
		if x.beside != nil {
			x.beside.end()
		}
	})
	return x, s.Address(l)
}

// do runs an expression in the page.
func do(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[any](expression+"; 0")); err != nil {
		t.Fatalf("%s: %v", expression, err)
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

// until waits until an expression of the page is true.
func until(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	for range 3000 {
		if value[bool](t, ctx, "!!("+expression+")") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("%s does not become true; the page shows\n%s", expression, value[string](t, ctx, "document.body.innerText"))
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
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 900), media, chromedp.Navigate("about:blank"), chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
}

// TestPage opens the page before a program is built. It shows the progress. Then steps are taken,
// undone and taken again with the mouse and with keys, the address holds the path, and refusals,
// formulas, searches, branches and the diagram are shown.
func TestPage(t *testing.T) {
	ctx := browser(t)
	x, address := served(t, chain, "../../../../configs/examples/chain-coarse-client.hcl")
	r, err := http.Get(address)
	if err != nil || r.StatusCode != 200 {
		t.Fatalf("%v, %v", r, err)
	}
	r.Body.Close()
	opened(t, ctx, address, 1280, "light")
	until(t, ctx, `$("wait").textContent.includes("waiting (")`)
	if err := x.prepare(x.ctx, nil); err != nil {
		t.Fatal(err)
	}
	until(t, ctx, `view && view.taken === 0`)
	do(t, ctx, `document.querySelector('[data-call="CallPut()"]').click()`)
	until(t, ctx, `view.taken === 1`)
	if got := value[string](t, ctx, `location.hash`); got != "#p=CallPut()" {
		t.Errorf("the address is %s", got)
	}
	if n := value[int](t, ctx, `document.querySelectorAll("td.changed").length`); n != 2 {
		t.Errorf("%d values are marked as changed, want Puts and Queued", n)
	}
	for _, key := range []struct {
		press string
		want  string
	}{{"u", "view.taken === 0 && ahead.length === 1"}, {"r", "view.taken === 1 && ahead.length === 0"}, {"1", "view.taken === 2"}} {
		if err := chromedp.Do(ctx, chromedp.KeyEvent(key.press)); err != nil {
			t.Fatal(err)
		}
		until(t, ctx, key.want)
	}
	// A branch, and then the tree with both.
	do(t, ctx, `jump(1)`)
	until(t, ctx, `view.taken === 1`)
	do(t, ctx, `document.querySelector('[data-call^="Crash(I: 1)"]').click(); $("branches").open = true`)
	until(t, ctx, `view.taken === 2 && $("tree").textContent.includes("Crash(I: 1)")`)
	if !value[bool](t, ctx, `document.querySelectorAll("#tree [aria-current]").length === 1`) {
		t.Error("the tree does not mark where the page is")
	}
	// Why not.
	do(t, ctx, `document.querySelector('#idle details[data-action="Serve"]').open = true`)
	until(t, ctx, `/Serve.*\.go:\d+/s.test(document.querySelector('#idle details[data-action="Serve"]').innerText)`)
	// A formula, and a search.
	do(t, ctx, `$("formula").value = "Alive[1]"; $("ask").requestSubmit()`)
	until(t, ctx, `$("answer").textContent === "false"`)
	do(t, ctx, `$("formula").value = "Nobody[1]"; $("ask").requestSubmit()`)
	until(t, ctx, `$("answer").textContent.includes("no variable") && !$("said").textContent.includes("no variable")`)
	do(t, ctx, `$("formula").value = "Alive[1]"; $("find").click()`)
	until(t, ctx, `$("answer").textContent.startsWith("there is none")`)
	do(t, ctx, `$("formula").value = "Phase == \"Called\""; $("find").click()`)
	until(t, ctx, `$("answer").textContent.startsWith("found after") && view.taken > 2`)
	do(t, ctx, `$("picture").open = true`)
	until(t, ctx, `document.querySelectorAll("#drawing .labels .step").length === view.taken + 1`)
	until(t, ctx, `$("parted").textContent.includes("step")`)
	// The address alone opens the same state, and a step that is not possible is refused there.
	hash := value[string](t, ctx, `location.hash`)
	opened(t, ctx, address+hash, 390, "dark")
	until(t, ctx, `view && view.taken > 2`)
	opened(t, ctx, address+"#p=CallPut().Crash(0).Crash(1).CallGet()", 390, "dark")
	until(t, ctx, `view && view.taken === 2 && $("said").className === "bad" && $("answer").textContent.includes("bound crashes")`)
	// Nothing is wider than the page.
	for _, width := range []int64{390, 1280, 1920} {
		for _, scheme := range []string{"light", "dark"} {
			opened(t, ctx, address+hash, width, scheme)
			until(t, ctx, `view && view.taken > 2`)
			do(t, ctx, `$("picture").open = true; document.querySelector('#idle details').open = true`)
			until(t, ctx, `document.querySelectorAll("#drawing .labels .step").length > 1 && document.querySelector("#idle details pre")`)
			if wide := value[int](t, ctx, "document.documentElement.scrollWidth"); wide > int(width) {
				t.Errorf("at %d pixels the page is %d wide", width, wide)
			}
			kept(t, ctx, fmt.Sprintf("chain-%d-%s", width, scheme))
		}
	}
	// What a screen reader and the keyboard need.
	for _, scheme := range []string{"light", "dark"} {
		opened(t, ctx, address+hash, 1280, scheme)
		until(t, ctx, `view && view.taken > 2`)
		do(t, ctx, `$("picture").open = true; $("branches").open = true; document.querySelector('#idle details').open = true`)
		until(t, ctx, `document.querySelectorAll("#drawing .labels .step").length > 1 && document.querySelector("#idle details pre")`)
		axetest.Check(t, scheme, func(expression string) string { return value[string](t, ctx, expression) })
	}
	// What a screen reader needs: names of all controls, and landmarks.
	for _, wrong := range []string{
		`[...document.querySelectorAll("button,input,select")].filter(e => !e.textContent.trim() && !e.labels?.length && !e.getAttribute("aria-label")).length`,
		`["header", "main", "nav"].filter(e => !document.querySelector(e)).length`,
		`[...document.querySelectorAll("main>section")].filter(e => !document.getElementById(e.getAttribute("aria-labelledby"))).length`,
	} {
		if n := value[int](t, ctx, wrong); n != 0 {
			t.Errorf("%d: %s", n, wrong)
		}
	}
}

// kept writes a picture of the page into the folder MULTIGRAIN_PICTURES, if that is set.
func kept(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	folder := os.Getenv("MULTIGRAIN_PICTURES")
	if folder == "" {
		return
	}
	png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".png"), png, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestCounterexampleIsClicked searches for the violation of mspec-3, which is ZOOKEEPER-4712. Then
// each step of the way is clicked, from the initial state on.
func TestCounterexampleIsClicked(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it builds a program for mspec-3; set MULTIGRAIN_SLOW=1")
	}
	ctx := browser(t)
	x, address := served(t, mspec3, "")
	if err := x.prepare(x.ctx, nil); err != nil {
		t.Fatal(err)
	}
	f, err := x.find(t.Context(), place{Path: []string{}}, goal{}, nil)
	if err != nil || !f.Found || f.What != "I-10" || len(f.Path) != 22 {
		t.Fatalf("%+v, %v", f, err)
	}
	opened(t, ctx, address, 1280, "light")
	until(t, ctx, `view && view.taken === 0`)
	var slowest float64
	for k, call := range f.Path {
		do(t, ctx, fmt.Sprintf(`window.began = performance.now(); document.querySelector('[data-call=%q]').click()`, call))
		until(t, ctx, fmt.Sprintf(`view.taken === %d`, k+1))
		slowest = max(slowest, value[float64](t, ctx, `view.millis`))
	}
	if !strings.Contains(value[string](t, ctx, `$("notes").innerText`), "violates I-10") {
		t.Errorf("the page shows %s", value[string](t, ctx, `document.body.innerText`))
	}
	t.Logf("the slowest answer took %.1f ms", slowest)
	do(t, ctx, `$("picture").open = true`)
	until(t, ctx, `document.querySelectorAll("#drawing .labels .step").length === 23`)
	kept(t, ctx, "zk-4712")
}

// TestSessionInPage saves a session with two branches, and opens the file in another page of
// another server. It has the path and the branches there. Then a step is taken with the keyboard
// alone. A file that is no trace is refused, and the page stays where it is.
func TestSessionInPage(t *testing.T) {
	ctx := browser(t)
	x, address := served(t, chain, "")
	if err := x.prepare(x.ctx, nil); err != nil {
		t.Fatal(err)
	}
	opened(t, ctx, address, 1280, "light")
	until(t, ctx, `view && view.taken === 0`)
	for _, way := range [][]string{{"CallPut()", "Crash(I: 1)"}, {"CallPut()", "SendPut()"}} {
		do(t, ctx, `jump(0)`)
		until(t, ctx, `view.taken === 0`)
		for k, call := range way {
			do(t, ctx, fmt.Sprintf(`document.querySelector('[data-call=%q]').click()`, call))
			until(t, ctx, fmt.Sprintf(`view.taken === %d`, k+1))
		}
	}
	do(t, ctx, `URL.createObjectURL = b => { b.text().then(s => { window.saved = s; }); return "blob:none"; }; HTMLAnchorElement.prototype.click = () => {}; $("save").click()`)
	until(t, ctx, `window.saved`)
	session := value[string](t, ctx, `window.saved`)
	if !strings.Contains(session, `"vars"`) {
		t.Fatalf("what is saved is no ITF: %.300s", session)
	}
	other, address := served(t, chain, "")
	if err := other.prepare(other.ctx, nil); err != nil {
		t.Fatal(err)
	}
	opened(t, ctx, address, 1280, "light")
	until(t, ctx, `view && view.taken === 0`)
	give := func(text string) {
		t.Helper()
		do(t, ctx, fmt.Sprintf(`(() => { const d = new DataTransfer(); d.items.add(new File([%q], "s.itf.json")); $("file").files = d.files; $("file").dispatchEvent(new Event("change")); })()`, text))
	}
	give(session)
	until(t, ctx, `view.taken === 2 && here.path[1] === "SendPut()"`)
	do(t, ctx, `$("branches").open = true`)
	until(t, ctx, `$("tree").textContent.includes("Crash(I: 1)") && $("tree").textContent.includes("SendPut()")`)
	give(`{"colour": "red"}`)
	until(t, ctx, `$("said").className === "bad"`)
	if n := value[int](t, ctx, `view.taken`); n != 2 {
		t.Errorf("after a file that is no trace the path has %d steps", n)
	}
	// The keyboard alone: the tabulator reaches a step, and Enter takes it.
	do(t, ctx, `$("filter").focus()`)
	for range 2 {
		if err := chromedp.Do(ctx, chromedp.KeyEvent("\t")); err != nil {
			t.Fatal(err)
		}
		if value[bool](t, ctx, `!!document.activeElement.dataset.call`) {
			break
		}
	}
	if err := chromedp.Do(ctx, chromedp.KeyEvent("\r")); err != nil {
		t.Fatal(err)
	}
	until(t, ctx, `view.taken === 3`)
}
