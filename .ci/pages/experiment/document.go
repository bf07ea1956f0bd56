package experiment

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// baseline is the strategy with which others are compared.
const baseline = "weighted"

// group holds the cells of a mistake and a strategy.
type group struct {
	runs, found int
	walks       []float64 // executions up to the detection; infinite where there was none
	seconds     []float64 // of runs that found, processor time
	times       []float64 // of all runs; infinite where nothing was found
	refused     string
}

// part is the half of the document for one kind of mistakes.
type part struct {
	kind       string
	strategies []string // names without parameters
	subjects   []subject
	groups     map[string]map[string]*group // by mistake and strategy
}

// partOf collects the cells of one kind. A run that took longer than the limit has found nothing: a
// kept cell may have had a larger limit.
func partOf(kind string, strategies []string, s *store, subjects []subject, limit float64) *part {
	p := &part{kind: kind, groups: map[string]map[string]*group{}}
	for _, x := range strategies {
		p.strategies = append(p.strategies, short(x))
	}
	for _, c := range s.cells {
		if c.Kind != kind {
			continue
		}
		of := p.groups[c.Subject]
		if of == nil {
			of = map[string]*group{}
			p.groups[c.Subject] = of
		}
		g := of[short(c.Strategy)]
		if g == nil {
			g = &group{}
			of[short(c.Strategy)] = g
		}
		if c.Refused != "" {
			g.refused = c.Refused
			continue
		}
		g.runs++
		walks, time := math.Inf(1), math.Inf(1)
		if c.Found && (c.Seconds <= limit || c.Strategy == covering) {
			g.found++
			walks, time = float64(c.Walks), c.Seconds
			g.seconds = append(g.seconds, c.Seconds)
		}
		g.walks, g.times = append(g.walks, walks), append(g.times, time)
	}
	for _, x := range subjects {
		if x.Kind == kind && p.groups[x.Name] != nil {
			p.subjects = append(p.subjects, x)
		}
	}
	p.strategies = slices.DeleteFunc(p.strategies, func(name string) bool {
		return !slices.ContainsFunc(p.subjects, func(x subject) bool { return p.of(x, name) != nil })
	})
	return p
}

// of returns the runs of a strategy on a mistake; nil if there are none.
func (p *part) of(x subject, strategy string) *group {
	if g := p.groups[x.Name][strategy]; g != nil && g.runs > 0 {
		return g
	}
	return nil
}

// half returns the mistakes of one half.
func (p *part) half(heldOut bool) []subject {
	return slices.DeleteFunc(slices.Clone(p.subjects), func(x subject) bool { return x.heldOut() != heldOut })
}

// seeds returns the least and the largest number of runs of a mistake and a strategy.
func (p *part) seeds() (least, most int) {
	least = math.MaxInt
	for _, x := range p.subjects {
		for _, name := range p.strategies {
			n := 0
			if g := p.of(x, name); g != nil {
				n = g.runs
			}
			if name == covering {
				continue
			}
			least, most = min(least, n), max(most, n)
		}
	}
	if least == math.MaxInt {
		least = 0
	}
	return least, most
}

// differences returns by mistake how much more often a strategy detects it than another one: the
// difference of the parts of runs, -1 to 1. Mistakes that one of the two did not run are left out.
func (p *part) differences(subjects []subject, strategy, than string) (out []float64) {
	for _, x := range subjects {
		a, b := p.of(x, strategy), p.of(x, than)
		if a != nil && b != nil {
			out = append(out, float64(a.found)/float64(a.runs)-float64(b.found)/float64(b.runs))
		}
	}
	return out
}

// write writes the document and its plots.
func (a *asked) write(s *store, subjects []subject) error {
	if len(s.cells) == 0 {
		return fmt.Errorf("%s has no cells", a.keep)
	}
	folder := strings.TrimSuffix(a.out, ".md")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	all, made := 0, 0
	for _, x := range subjects {
		for _, strategy := range x.strategies() {
			for seed := range seeds(strategy, a.seeds) {
				if !a.selects(x, strategy) {
					continue
				}
				all++
				if s.has(cell{Kind: x.Kind, Subject: x.Name, Strategy: strategy, Seed: seed}) {
					made++
				}
			}
		}
	}
	missing := ""
	if made < all {
		missing = " The others are missing."
	}
	var b strings.Builder
	fmt.Fprintf(&b, introduction, time.Now().UTC().Format(time.DateOnly), runtime.GOOS, runtime.GOARCH, load(), made, all, s.spent/3600, missing, filepath.Base(folder), flags())
	specification := partOf(inSpecification, bySimulate, s, subjects, a.specification.Seconds())
	library := partOf(inLibrary, byConform, s, subjects, a.library.Seconds())
	for _, p := range []*part{specification, library} {
		if a.in != "" && a.in != p.kind {
			continue
		}
		p.write(&b, a, s, subjects)
		for name, text := range map[string]string{"found": p.matrix(), "executions": p.curves()} {
			if err := os.WriteFile(filepath.Join(folder, p.kind+"-"+name+".svg"), []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(a.out, []byte(b.String()), 0o644)
}

// flags returns the flags that the page depends on, with a line for each; "" if none was given.
func flags() string {
	out := ""
	flag.Visit(func(f *flag.Flag) {
		if slices.Contains([]string{"seeds", "specification", "library", "only", "strategies", "in", "out"}, f.Name) {
			out += fmt.Sprintf("    -%s %s\n", f.Name, f.Value)
		}
	})
	if out == "" {
		return ""
	}
	return "\nThe command had these flags, too:\n\n" + out
}

// load says how many processes wanted a processor when the page was written; "" where that is not
// known.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	now, _, _ := strings.Cut(string(text), " ")
	return " The load was " + now + "."
}

const introduction = `# How often strategies find known mistakes

Generated by ` + "`go run ./.ci/pages experiment -keep DIR`" + `; do not edit. A run has one mistake, one
strategy with its default parameters and one seed. It stops when it detects the mistake, or after a
limit of processor time. It has one worker. An execution is a walk. The intervals are for 95 %%:
Wilson's for probabilities, order statistics for medians, a bootstrap over mistakes for means. Some
runs were given more time than the limit. What they found later does not count.

Mistakes are divided into two halves by a hash of their names: one for tuning, and one that is held
out. Statements compare strategies on the second one. No parameter was tuned yet. The shares of
strategy auto were set before the first run. An interval is for one comparison, and several are
made.

Written on %s, %s/%s with 2 processors that others used, too.%s
**%d of %d runs were made**, in %.2f processor hours.%s
[cells.ndjson](%s/cells.ndjson) has those that were made.
A command whose folder DIR has a copy of it continues there: it does what is missing as jobs of
multigrain run, with ten seeds each. In plots and tables a strategy has only the mistakes on which
it was run.

Limits are short, so that many seeds fit into the time. A mistake that needs a longer run counts as
not found, and a strategy that is slow at first is worse here than it would be with more time. The
tables of limits show how much that is within the limit. They say nothing beyond it.
%s`

// heading has the title of a part, and what its runs are.
var heading = map[string]string{
	inSpecification: "## Mistakes in specifications\n\n`multigrain simulate` with the manifests of `configs/zab/bugs`, `configs/raft/mistakes` and\n`configs/examples` that have a mistake. Strategy `rounds` accepts compositions for which rounds\nare a heuristic. These manifests have no weights, so `weighted` draws all actions equally often.\nStrategy `manual` has weight 0.1 for failures, elections, and the end of a leadership, and 1 for all\nelse.\n",
	inLibrary:       "## Mistakes in a library\n\n`multigrain conform` with go.etcd.io/raft/v3 v3.7.0 and one mutant of\n`raft/etcdraft/mutants/mutants.hcl`. A run detects the mutant when the library differs from the\nspecification. Strategy `cover` is `conform -cover edges` and plans its walks. Its graph must be\nsmall, so its compositions have one election and nothing else. Where the graph has more than 20,000\nstates, the run finds nothing. There is one seed, and a run may take 20 s.\n",
}

// write writes the part.
func (p *part) write(b *strings.Builder, a *asked, s *store, subjects []subject) {
	of := 0
	for _, x := range subjects {
		if x.Kind == p.kind {
			of++
		}
	}
	least, most := p.seeds()
	seeds := fmt.Sprint(least)
	if least < most {
		seeds = fmt.Sprintf("%d to %d", least, most)
	}
	fmt.Fprintf(b, "\n%s\nMeasured: %d of %d mistakes, each strategy with %s seeds for a mistake. A run had at\nmost %s of processor time.\n",
		heading[p.kind], len(p.subjects), of, seeds, a.limit(subject{Kind: p.kind}))
	if len(p.subjects) == 0 {
		return
	}
	name := strings.TrimSuffix(filepath.Base(a.out), ".md")
	fmt.Fprintf(b, "\n![Share of the runs that detect each mistake](%s/%s-found.svg)\n\n![Runs that detect within a number of executions](%s/%s-executions.svg)\n", name, p.kind, name, p.kind)
	for _, heldOut := range []bool{true, false} {
		p.summary(b, heldOut)
	}
	p.statements(b)
	p.limits(b, a.limit(subject{Kind: p.kind}).Seconds())
	p.details(b)
}

// summary compares the strategies on a half.
func (p *part) summary(b *strings.Builder, heldOut bool) {
	subjects := p.half(heldOut)
	title := "For tuning"
	if heldOut {
		title = "Held out"
	}
	fmt.Fprintf(b, "\n### %s: %d mistakes\n\n", title, len(subjects))
	b.WriteString("| strategy | mistakes | found by some run | by every run | mean probability | more than weighted |\n|---|---|---|---|---|---|\n")
	for _, name := range p.strategies {
		var shares []float64
		some, every := 0, 0
		for _, x := range subjects {
			g := p.of(x, name)
			if g == nil {
				continue
			}
			shares = append(shares, float64(g.found)/float64(g.runs))
			if g.found > 0 {
				some++
			}
			if g.found == g.runs {
				every++
			}
		}
		more := "-"
		if name != baseline {
			more = signed(mean(p.differences(subjects, name, baseline)))
		}
		fmt.Fprintf(b, "| %s | %d | %d | %d | %s | %s |\n", name, len(shares), some, every, share(mean(shares)), more)
	}
}

// statements says which strategies detect more often than others on the half that is held out. It
// says no more than the intervals.
func (p *part) statements(b *strings.Builder) {
	b.WriteString("\n### Statements\n\nOn the half that is held out, in the mean over its mistakes and within the limit of a run:\n\n")
	subjects := p.half(true)
	compare := func(name, than string) {
		if name == than || !slices.Contains(p.strategies, name) || !slices.Contains(p.strategies, than) {
			return
		}
		d := mean(p.differences(subjects, name, than))
		word := "no difference is shown between %s and %s"
		switch {
		case d.low > 0:
			word = "%s detects more often than %s"
		case d.high < 0:
			word = "%s detects less often than %s"
		}
		fmt.Fprintf(b, "- "+word+": %s\n", name, than, signed(d))
	}
	for _, name := range p.strategies {
		compare(name, baseline)
	}
	for _, name := range p.strategies {
		if name != baseline {
			compare(name, manual)
		}
	}
	for _, than := range p.strategies {
		if than != baseline {
			compare("auto", than)
		}
	}
}

// limits says how often runs had detected earlier: the mean probability on the half that is held
// out.
func (p *part) limits(b *strings.Builder, limit float64) {
	earlier := []float64{limit / 5, limit / 2, limit}
	b.WriteString("\n### Shorter limits\n\nThe mean probability on the half that is held out, if runs had ended earlier. Time is that of the\nwhole program, with its start and with the shortening of the counterexample.\n\n| strategy |")
	for _, x := range earlier {
		fmt.Fprintf(b, " %g s |", x)
	}
	b.WriteString("\n|---|---|---|---|\n")
	for _, name := range p.strategies {
		if name == covering {
			continue
		}
		fmt.Fprintf(b, "| %s |", name)
		for _, x := range earlier {
			var shares []float64
			for _, of := range p.half(true) {
				g := p.of(of, name)
				if g == nil {
					continue
				}
				found := 0
				for _, s := range g.seconds {
					if s <= x {
						found++
					}
				}
				shares = append(shares, float64(found)/float64(g.runs))
			}
			fmt.Fprintf(b, " %s |", share(mean(shares)))
		}
		b.WriteString("\n")
	}
}

// details has a row for each mistake.
func (p *part) details(b *strings.Builder) {
	b.WriteString("\n### Probability of detection\n\n")
	p.rows(b, func(g *group) string {
		x := wilson(g.found, g.runs)
		return fmt.Sprintf("%d/%d [%.2f, %.2f]", g.found, g.runs, x.low, x.high)
	})
	b.WriteString("\n### Median executions up to the detection\n\n`>` marks a median that is beyond the limit of the run: at least half of the runs found nothing.\n\n")
	p.rows(b, func(g *group) string {
		x := median(g.walks)
		at := count(x.at)
		if math.IsInf(x.at, 1) {
			at = ">"
		}
		if len(g.walks) < 6 {
			return at
		}
		return fmt.Sprintf("%s [%s, %s]", at, count(x.low), count(x.high))
	})
	b.WriteString("\n### Median processor seconds up to the detection\n\nThat of the whole program, with its start and with the shortening of the counterexample.\n\n")
	p.rows(b, func(g *group) string {
		x := median(g.times)
		if len(g.times) < 6 {
			return seconds(x.at)
		}
		return fmt.Sprintf("%s [%s, %s]", seconds(x.at), seconds(x.low), seconds(x.high))
	})
	p.byHand(b)
}

// byHand compares the times of strategies with those of weights by hand: on how many mistakes the
// interval of the median lies before that of manual, and on how many after it.
func (p *part) byHand(b *strings.Builder) {
	if !slices.Contains(p.strategies, manual) {
		return
	}
	b.WriteString("\n### Time against weights by hand\n\nMistakes with at least six runs of both, by the intervals of the medians of time.\n\n")
	b.WriteString("| strategy | mistakes | earlier than manual | later | no difference is shown |\n|---|---|---|---|---|\n")
	for _, name := range p.strategies {
		earlier, later, all := 0, 0, 0
		for _, x := range p.subjects {
			g, hand := p.of(x, name), p.of(x, manual)
			if name == manual || g == nil || hand == nil || len(g.times) < 6 || len(hand.times) < 6 {
				continue
			}
			all++
			switch a, m := median(g.times), median(hand.times); {
			case a.high < m.low:
				earlier++
			case a.low > m.high:
				later++
			}
		}
		if all > 0 {
			fmt.Fprintf(b, "| %s | %d | %d | %d | %d |\n", name, all, earlier, later, all-earlier-later)
		}
	}
}

// rows writes a table with a column for each strategy.
func (p *part) rows(b *strings.Builder, text func(g *group) string) {
	fmt.Fprintf(b, "| mistake | half | %s |\n|---|---|%s\n", strings.Join(p.strategies, " | "), strings.Repeat("---|", len(p.strategies)))
	for _, x := range p.subjects {
		fmt.Fprintf(b, "| %s | %s |", x.Name, x.half())
		for _, name := range p.strategies {
			cell := "-"
			if g := p.of(x, name); g != nil {
				cell = text(g)
			}
			fmt.Fprintf(b, " %s |", cell)
		}
		b.WriteString("\n")
	}
}

// count prints a number of executions.
func count(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return ">"
	case x >= 10_000:
		return fmt.Sprintf("%.0fk", x/1000)
	}
	return fmt.Sprintf("%.0f", x)
}

// seconds prints a time.
func seconds(x float64) string {
	if math.IsInf(x, 1) {
		return ">"
	}
	return fmt.Sprintf("%.2f", x)
}

// share prints a share with its interval.
func share(x interval) string { return fmt.Sprintf("%.2f [%.2f, %.2f]", x.at, x.low, x.high) }

// signed returns a difference with its interval, as "+0.10 [-0.02, +0.21]"; "-" for none.
func signed(x interval) string {
	if math.IsNaN(x.at) {
		return "-"
	}
	return fmt.Sprintf("%+.2f [%+.2f, %+.2f]", x.at, x.low, x.high)
}
