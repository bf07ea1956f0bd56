package interaction

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/internal/footprint"
	"github.com/multigrain/multigrain/interaction/internal/merging"
)

// What it computes. Whether a coarse grain preserves the interactions with the modules under test,
// at level L0: by footprints, for all sizes.
//
// Why it is right. For each variable the updates of the finer grains are compared with those of the
// coarse one. A kept variable must not lose its updates. A variable that the finer grains do not
// update must not be updated. An assigned constant must be one that the finer grains assign. A kind
// of messages must still be received. Package merging compares each coarse action with the steps
// that it stands for. These are necessary conditions: a grain that breaks one changes what others
// can observe, unless a finding is accepted. They are not sufficient, since footprints know no
// order of steps. Levels L1 and L2 compare behaviours.
//
// What it costs. A pass over the footprints of two compositions for each variable. Footprints are
// computed once for each action.
//
// Example. Coarse election stands for Vote and Announce, and synchronization reads LeaderAddr:
//
//	fine     Announce writes LeaderAddr
//	coarse   Elect writes State only          lost update of LeaderAddr, which must be kept

// checker compares one coarse grain with those that it coarsens: level L0.
type checker struct {
	*analysis
	coarsening
	kept    *varSet
	forProp map[int]string // of a kept variable that only a property needs: the property
	// by variable: updates that some coarse grain of the composition leaves out and may
	dropped []bool
	lost    []loss // kept variables that the coarse grain no longer updates
	out     []Finding
}

// writer is an action that writes a variable.
type writer struct {
	unit *unit
	pr   *print
	w    *footprint.Write
}

// updates returns the writes of v that a coarsening replaces, and those that it replaces them with.
// They are the writes of the covered modules' actions. Of other actions they are those of rules
// that only one of the two compositions has. Other coarse grains are left out of both: each is
// compared with its finer grains by itself.
func (c *checker) updates(v int) (fine, coarse []writer) {
	for _, u := range c.finer {
		fine = append(fine, writers(u, u.actions, v)...)
	}
	for _, u := range c.alone.units {
		if u.grain == c.unit.grain {
			coarse = append(coarse, writers(u, u.actions, v)...)
			continue
		}
		for _, o := range c.fine.units {
			if o.grain != u.grain {
				continue
			}
			fine = append(fine, added(o, u, v)...)
			coarse = append(coarse, added(u, o, v)...)
		}
	}
	return fine, coarse
}

// added returns the writes of v by actions of u that those of the same unit in another composition
// lack.
func added(u, other *unit, v int) (out []writer) {
	return slices.DeleteFunc(writers(u, u.actions, v), func(w writer) bool {
		return slices.ContainsFunc(other.actions, func(pr *print) bool { return pr.name == w.pr.name && pr.writes[v] != nil })
	})
}

func writers(u *unit, prs []*print, v int) (out []writer) {
	for _, pr := range prs {
		if w := pr.writes[v]; w != nil {
			out = append(out, writer{u, pr, w.raw})
		}
	}
	return out
}

func (c *checker) check() {
	for v := range c.prints.analyzer.Variables {
		fine, coarse := c.updates(v)
		switch {
		case len(fine) > 0 && len(coarse) == 0 && c.kept.has(v):
			c.lost = append(c.lost, loss{c.lostUpdate(v, fine), fine})
		case len(fine) == 0 && len(coarse) > 0:
			c.invented(v, coarse)
		case len(fine) > 0 && len(coarse) > 0 && c.kept.has(v):
			c.constants(v, fine, coarse)
		}
	}
	c.out = append(c.out, c.together(c.lost)...)
	c.mergings()
	c.stale()
	c.receivers()
	c.out = c.oneForEachFault(c.out)
	c.headOfLine()
	c.lostSteps(c.selected)
}

func (c *checker) add(f Finding, v int, action string) {
	c.out = append(c.out, c.about(f, v, action))
}

// about says which variable and action of the coarse grain a finding is about.
func (c *checker) about(f Finding, v int, action string) Finding {
	f.Variable, f.Action, f.Grain = c.name(v), action, c.grainName()
	return f
}

// loss is the finding of a variable whose updates are lost, with the finer updates.
type loss struct {
	finding Finding
	fine    []writer
}

// together makes one finding of the losses that leaving out one finer step explains: errors at one
// place about variables that the step updates. The first of the strongest kind stands for all.
func (c *checker) together(lost []loss) (out []Finding) {
	for len(lost) > 0 {
		first := max(0, slices.IndexFunc(lost, func(l loss) bool { return l.finding.Kind == LostUpdate }))
		f, step := lost[first].finding, lost[first].fine[0].pr
		var others []loss
		for k, l := range lost {
			same := l.finding.Severity == Error && f.Severity == Error && l.finding.Place == f.Place &&
				slices.ContainsFunc(l.fine, func(w writer) bool { return w.pr == step })
			switch {
			case k == first:
			case same:
				f = f.related(c.writePlace(step, c.variable(l.finding.Variable)), "%s updates %s as well: %s", step.name, l.finding.Variable, l.finding.Message)
			default:
				others = append(others, l)
			}
		}
		out, lost = append(out, f), others
	}
	return out
}

// variable returns the number of a variable.
func (c *checker) variable(name string) int {
	return slices.IndexFunc(c.prints.analyzer.Variables, func(v footprint.Variable) bool { return v.Name == name })
}

func (c *checker) grainName() string {
	return c.unit.grain.decl.Covers[0] + "/" + c.unit.grain.decl.Name
}

// where returns the place of the coarse grain: of its action, if it has one, or of its first rule
// that changes something, if it has no action.
func (c *checker) where() (grains.Place, string) {
	if len(c.unit.actions) == 1 {
		return c.unit.actions[0].at, c.unit.actions[0].name
	}
	for _, r := range c.unit.grain.rules {
		if len(c.unit.actions) == 0 && r.after != nil {
			return c.prints.place(r.after.Fn.Pos()), ""
		}
	}
	return c.unit.grain.decl.Place, ""
}

// whereOf returns the place of the coarse action that should contain a finer step which writes v,
// or else that of the coarse grain.
func (c *checker) whereOf(v int) (grains.Place, string) {
	return c.suspect(func(a *merging.Step) bool { return a.Updates(v) })
}

func (c *checker) names(us []*unit) string {
	var s []string
	for _, u := range us {
		s = append(s, u.grain.decl.Covers[0]+"/"+u.grain.decl.Name)
	}
	return strings.Join(s, " and ")
}

// lostUpdate returns the finding of a kept variable that the coarse grain does not update.
func (c *checker) lostUpdate(v int, fine []writer) Finding {
	at, action := c.whereOf(v)
	kind, why := LostUpdate, c.kept.why[v]
	if p := c.forProp[v]; p != "" {
		kind = LostForInvariant
	}
	f := finding(kind, at, "grain %s leaves out the updates of %s, which must be kept: %s", c.grainName(), c.name(v), why.text).
		remedy("update %s as %s of %s does, or choose %s", c.name(v), fine[0].pr.name, fine[0].unit.name, c.names(c.finer))
	if kind == LostForInvariant {
		f.Message = fmt.Sprintf("grain %s leaves out the updates of %s, which only a property needs, and without them says nothing: %s",
			c.grainName(), c.name(v), why.text)
	}
	if kind == LostForInvariant && c.prints.analyzer.Variables[v].Value == "Raised" {
		// An assertion of code that the grain leaves out. What the target does is the same without
		// it.
		f.Severity = Warning
		f.Message = fmt.Sprintf("grain %s leaves out the code that raises %s, so the assertion is not checked there: %s", c.grainName(), c.name(v), why.text)
		f.Remedy = fmt.Sprintf("leave the invariant out, or offer it with %s only", c.names(c.finer))
	}
	for _, w := range fine {
		f = f.related(c.writePlace(w.pr, v), "%s updates %s here", w.pr.name, c.name(v))
	}
	return c.about(f.related(why.place, "%s", why.text), v, action)
}

// invented reports an update that none of the finer actions makes, of a variable that is kept or
// that others read.
func (c *checker) invented(v int, coarse []writer) {
	why := ""
	var at grains.Place
	if c.kept.has(v) {
		why, at = c.kept.why[v].text, c.kept.why[v].place
	} else if u, pr := c.reader(v); pr != nil {
		why, at = fmt.Sprintf("%s (%s) reads it", pr.name, u.name), pr.at
	} else {
		return // its own
	}
	w := coarse[0]
	f := finding(InventedUpdate, c.writePlace(w.pr, v), "%s of grain %s updates %s, which no action of %s updates: %s",
		w.pr.name, c.grainName(), c.name(v), c.names(c.finer), why).
		remedy("leave %s as it is, or choose %s", c.name(v), c.names(c.finer))
	if !slices.ContainsFunc(coarse, func(w writer) bool { return w.pr.own.writes[v] != nil }) {
		f.Severity = Note // the books of the environment, whose rules name the coarse action
	}
	c.add(f.related(at, "%s", why), v, w.pr.name)
}

// reader returns an action outside the coarse grain that depends on v.
func (c *checker) reader(v int) (*unit, *print) {
	for _, u := range c.mixed.units {
		if u == c.unit {
			continue
		}
		for _, pr := range u.actions {
			if pr.reads[v] || c.readInUpdate(u, pr, v) >= 0 {
				return u, pr
			}
		}
	}
	return nil, nil
}

// readInUpdate returns a variable other than v, and whose updates are not dropped, that an action
// computes from v; -1: none.
func (c *checker) readInUpdate(u *unit, pr *print, v int) int {
	for x, w := range pr.writes {
		if w != nil && x != v && w.sources[v] && !c.dropped[x] && !c.positional(u, pr, x, v) {
			return x
		}
	}
	return -1
}

// constants reports a constant that none of the finer actions assigns, where these assign nothing
// but constants.
func (c *checker) constants(v int, fine, coarse []writer) {
	known := map[string]bool{}
	for _, w := range fine {
		if w.w.Computed {
			return
		}
		for _, s := range w.w.Constants {
			known[s] = true
		}
	}
	variable := c.prints.analyzer.Variables[v]
	for _, w := range coarse {
		for _, s := range w.w.Constants {
			if known[s] {
				continue
			}
			at := c.writePlace(w.pr, v)
			for k, cs := range w.w.At {
				if p := c.prints.place(w.w.Places[k].At); p.File != "" && slices.Contains(cs, s) {
					at = p
					break
				}
			}
			var finer []string
			for x := range known {
				finer = append(finer, c.prints.constant(variable, x))
			}
			slices.Sort(finer)
			f := finding(WrongConstant, at, "%s of grain %s assigns %s to %s, which %s never assign: they assign %s", w.pr.name, c.grainName(),
				c.prints.constant(variable, s), c.name(v), c.names(c.finer), strings.Join(finer, ", ")).
				remedy("assign what the last of the finer steps assigns")
			for _, x := range fine {
				f = f.related(c.writePlace(x.pr, v), "%s assigns %s here", x.pr.name, c.name(v))
			}
			c.add(f, v, w.pr.name)
		}
	}
}

// drops reports whether the coarse grain leaves out updates of v, and may.
func (c *checker) drops(v int) bool {
	if c.kept.has(v) {
		return false
	}
	fine, coarse := c.updates(v)
	return len(fine) > 0 && len(coarse) == 0
}

// stale reports a variable whose updates are dropped and that an action of the composition still
// reads. To compute it anew from itself, or something else that is dropped, is no harm.
func (c *checker) stale() {
	for v := range c.prints.analyzer.Variables {
		if !c.drops(v) || slices.ContainsFunc(c.out, func(f Finding) bool { return f.Severity == Error && f.Variable == c.name(v) }) {
			continue
		}
		known := len(c.out)
		for _, u := range c.mixed.units {
			for _, pr := range u.actions {
				c.staleIn(u, pr, v)
			}
		}
		all := c.out[known:]
		if k := c.lostWith(v); k >= 0 && !slices.ContainsFunc(all, c.own) {
			for _, f := range all {
				c.out[k] = c.out[k].related(f.Place, "%s", f.Message)
			}
			all = nil
		}
		c.out = append(c.out[:known], c.oneStale(all)...)
		for _, pr := range c.goals {
			if pr.reads[v] {
				f := c.staleFinding(fmt.Sprintf("goal %s reads %s", pr.name, c.name(v)), c.readPlace(pr.raw.Guard, v, pr.at), v)
				f.Severity = Warning
				c.add(f, v, "")
			}
		}
	}
}

// lostWith returns the number of the error about a finer step that updates v, and which the coarse
// grain leaves out; -1 if there is none. That other steps read v as it was is the same fault then.
func (c *checker) lostWith(v int) int {
	fine, _ := c.updates(v)
	for _, l := range c.lost {
		same := l.finding.Severity == Error && slices.ContainsFunc(l.fine, func(w writer) bool {
			return slices.ContainsFunc(fine, func(x writer) bool { return x.pr == w.pr })
		})
		if k := slices.IndexFunc(c.out, func(f Finding) bool { return f.Kind == l.finding.Kind && f.Variable == l.finding.Variable }); same && k >= 0 {
			return k
		}
	}
	return -1
}

// own reports whether a finding is about an action of the coarse grain.
func (c *checker) own(f Finding) bool {
	return slices.ContainsFunc(c.unit.actions, func(pr *print) bool { return pr.name == f.Action })
}

// oneStale makes one finding of those about one variable: that in the coarse grain, or else the
// first.
func (c *checker) oneStale(all []Finding) []Finding {
	if len(all) < 2 {
		return all
	}
	own := slices.IndexFunc(all, c.own)
	f := all[max(own, 0)]
	for _, x := range all {
		if x.Place != f.Place {
			f = f.related(x.Place, "%s reads it, too", x.Action)
		}
	}
	return []Finding{f}
}

func (c *checker) staleIn(u *unit, pr *print, v int) {
	if pr.reads[v] && !c.blindly(u, pr, v) {
		c.add(c.staleFinding(fmt.Sprintf("the guard of %s (%s) reads %s", pr.name, u.name, c.name(v)), c.readPlace(pr.raw.Guard, v, pr.at), v), v, pr.name)
		return
	}
	x := c.readInUpdate(u, pr, v)
	if x < 0 {
		return
	}
	w := pr.writes[x].raw
	at := c.readPlace(slices.Concat(w.Data, w.Control, w.Indices), v, pr.at)
	c.add(c.staleFinding(fmt.Sprintf("%s (%s) computes %s from %s", pr.name, u.name, c.name(x), c.name(v)), at, v), v, pr.name)
}

func (c *checker) staleFinding(what string, at grains.Place, v int) Finding {
	fine, _ := c.updates(v)
	f := finding(StaleRead, at, "%s, which grain %s no longer updates", what, c.grainName()).
		remedy("do not read it there, or let the grain update %s as %s of %s does", c.name(v), fine[0].pr.name, fine[0].unit.name)
	for _, w := range fine {
		f = f.related(c.writePlace(w.pr, v), "%s updates %s here", w.pr.name, c.name(v))
	}
	return f
}

// receivers reports kinds of messages that nobody takes out of their channels. These are dropped
// kinds whose receiver is none of the covered modules', and kinds that are still sent after their
// receivers have gone.
func (c *checker) receivers() {
	for v, variable := range c.prints.analyzer.Variables {
		if variable.Kind == "" || variable.Value == "Raised" {
			continue
		}
		var fineReceives, receives, fineSends bool
		for _, u := range c.finer {
			for _, pr := range u.actions {
				fineReceives = fineReceives || pr.raw.Receives[v] != nil
				fineSends = fineSends || pr.raw.Sends[v] != nil
			}
		}
		for _, u := range c.mixed.units {
			for _, pr := range u.actions {
				receives = receives || pr.raw.Receives[v] != nil
			}
		}
		if c.drops(v) && fineSends && !fineReceives {
			c.unreceived(v)
		}
		if fineReceives && !receives {
			for _, u := range c.mixed.units {
				for _, pr := range u.actions {
					if places := pr.raw.Sends[v]; places != nil {
						sent := c.prints.place(places[0].At)
						at, action := sent, pr.name
						if u != c.unit || c.shared(pr) {
							at, action = c.suspect(func(a *merging.Step) bool { return a.Print.Receives[v] != nil })
						}
						f := finding(NoReceiver, at, "%s (%s) sends %s, and with grain %s nobody receives it: it stays in its channel",
							pr.name, u.name, variable.Kind, c.grainName()).
							remedy("let the grain receive it, or do not send it").
							elsewhere(sent, "%s (%s) sends it", pr.name, u.name)
						if variable.Value == "Bag" { // it blocks nothing there
							f.Severity = Warning
						}
						c.add(f, v, action)
					}
				}
			}
		}
	}
}

// shared reports whether the finer grains have an action of the coarse grain as well.
func (c *checker) shared(pr *print) bool {
	return slices.ContainsFunc(c.finer, func(u *unit) bool {
		return slices.ContainsFunc(u.actions, func(o *print) bool { return o.name == pr.name })
	})
}

func (c *checker) unreceived(v int) {
	kind := c.prints.analyzer.Variables[v].Kind
	at, action := c.where()
	f := finding(NoReceiver, at, "grain %s drops messages of kind %s, which no action of %s receives", c.grainName(), kind, c.names(c.finer)).
		remedy("send them in the coarse grain, too")
	for _, u := range c.fine.units {
		for _, pr := range u.actions {
			if p := pr.raw.Sends[v]; p != nil {
				f = f.related(c.prints.place(p[0].At), "%s (%s) sends it", pr.name, u.name)
			}
			if p := pr.raw.Receives[v]; p != nil {
				f = f.related(c.prints.place(p[0].At), "%s (%s) receives it", pr.name, u.name)
			}
		}
	}
	c.add(f, v, action)
}

// headOfLine names the obligation that footprints cannot meet. Messages of dropped kinds may stand
// before kept ones, so the covered modules must be able to take them away without another visible
// change. It is for level L2.
func (c *checker) headOfLine() {
	dropped, kept := map[string][]string{}, map[string][]string{}
	first := map[string]int{}
	for v, variable := range c.prints.analyzer.Variables {
		if variable.Value != "Net" || variable.Kind == "" {
			continue
		}
		switch {
		case c.drops(v):
			if len(dropped[variable.Net]) == 0 {
				first[variable.Net] = v
			}
			dropped[variable.Net] = append(dropped[variable.Net], variable.Kind)
		case c.kept.has(v):
			kept[variable.Net] = append(kept[variable.Net], variable.Kind)
		}
	}
	for v, variable := range c.prints.analyzer.Variables {
		net := variable.Net
		if at, ok := first[net]; !ok || at != v || len(kept[net]) == 0 {
			continue
		}
		at, action := c.where()
		f := finding(HeadOfLine, at, "messages of kinds %s, which grain %s drops, may stand in %s before those of kinds %s, which are kept",
			strings.Join(dropped[net], " "), c.grainName(), net, strings.Join(kept[net], " ")).
			remedy("nothing, if the covered modules can always take them away: level L2 checks it")
		f.Severity = Note
		c.add(f, v, action)
	}
}

// mergings reports footprints of coarse actions that no merging of the finer ones has, or that
// only some have. The finding of another check about the same variable stands for these.
func (c *checker) mergings() {
	losses := c.program().Compare()
	slices.SortStableFunc(losses, func(a, b merging.Loss) int { return cmp.Compare(certainty(b), certainty(a)) })
	for _, l := range losses {
		known := func(f Finding) bool {
			return f.Severity == Error && (!l.Certain || f.Variable == c.name(l.Variable))
		}
		switch {
		case slices.ContainsFunc(c.out, known):
		case l.OnAWay:
			c.undecided(l)
		default:
			c.loss(l)
		}
	}
}

// certainty orders losses: those first that no merging explains.
func certainty(l merging.Loss) int {
	if l.Certain {
		return 1
	}
	return 0
}

// undecided reports an update of what a property reads. Some mergings for the coarse action have
// it, others do not, and levels L1 and L2 do not compare such values.
func (c *checker) undecided(l merging.Loss) {
	k := slices.IndexFunc(c.unit.actions, func(pr *print) bool { return pr.name == l.Coarse.Name })
	pr := c.unit.actions[k]
	v, why := l.Variable, c.kept.why[l.Variable]
	what := "update " + c.name(v)
	if len(l.Sources) > 0 {
		what = fmt.Sprintf("compute %s from %s", c.name(v), c.list(l.Sources))
	}
	f := finding(UndecidedUpdate, c.writePlace(pr, v), "%s of grain %s does not %s, as %s does, and footprints do not decide whether later steps of the finer grain hide that: %s",
		pr.name, c.grainName(), what, l.Fine.Name, why.text).
		remedy("update %s on every way on which %s does, or check that no later step that %s stands for needs it", c.name(v), l.Fine.Name, pr.name).
		related(c.finePlace(l.Fine.Name, v), "%s updates %s here", l.Fine.Name, c.name(v)).related(why.place, "%s", why.text)
	f.Severity = Warning
	c.add(f, v, pr.name)
}

// program returns the coarse grain and the finer ones as mergings see them.
func (c *checker) program() *merging.Program {
	p := &merging.Program{Variables: c.prints.analyzer.Variables}
	covered := map[*print]bool{}
	for _, u := range c.finer {
		p.Fine = append(p.Fine, c.steps(u, covered)...)
	}
	p.Coarse = c.steps(c.unit, covered)
	for v := range p.Variables {
		p.Kept = append(p.Kept, c.kept.has(v))
		p.Judged = append(p.Judged, c.forProp[v] != "")
		p.Outside = append(p.Outside, c.writtenOutside(v, covered))
		p.Environment = append(p.Environment, c.writtenByFaults(v))
		p.Initial = append(p.Initial, c.initially(v))
	}
	return p
}

// steps returns the actions of a unit as mergings see them, without the rules of the environment.
func (c *checker) steps(u *unit, covered map[*print]bool) (out []*merging.Step) {
	for _, pr := range u.actions {
		covered[pr] = true
		s := &merging.Step{Name: pr.name, Print: pr.own.raw}
		if g := c.r.byName[pr.name].guard; g != nil {
			s.Facts = merging.Required(g.Fn)
		}
		out = append(out, s)
	}
	return out
}

// writtenOutside reports whether v is written by an action that is not covered, or by a rule of
// the environment.
func (c *checker) writtenOutside(v int, covered map[*print]bool) bool {
	for _, k := range []*composition{c.fine, c.alone} {
		for _, u := range k.units {
			for _, pr := range u.actions {
				if pr.writes[v] != nil && (!covered[pr] || pr.own.writes[v] == nil) {
					return true
				}
			}
		}
	}
	return false
}

// writtenByFaults reports whether the environment writes v, and nobody else.
func (c *checker) writtenByFaults(v int) bool {
	faults := false
	for _, u := range c.fine.units {
		for _, pr := range u.actions {
			if pr.writes[v] != nil && !u.env && pr.own.writes[v] != nil {
				return false
			}
			faults = faults || pr.writes[v] != nil
		}
	}
	return faults
}

// initially returns the constant that v has at first, "" where it is not one.
func (c *checker) initially(v int) string {
	if w := c.init.writes[v]; w != nil {
		if w.raw.Computed || len(w.raw.Constants) != 1 {
			return ""
		}
		return w.raw.Constants[0]
	}
	if b, ok := c.prints.analyzer.Variables[v].Type.Underlying().(*types.Basic); ok && b.Info()&types.IsBoolean != 0 {
		return "false"
	}
	return "0"
}

// loss reports what a merging would have, or would not.
func (c *checker) loss(l merging.Loss) {
	v := l.Variable
	var pr *print
	for _, x := range c.unit.actions {
		if l.Coarse != nil && x.name == l.Coarse.Name {
			pr = x
		}
	}
	at, action := c.where()
	what := "grain " + c.grainName()
	if pr != nil {
		at, action = c.writePlace(pr, v), pr.name
		what = fmt.Sprintf("%s of grain %s", pr.name, c.grainName())
	}
	var f Finding
	switch l.Kind {
	case merging.LostWrite:
		f = finding(LostUpdate, at, "%s does what %s does, and leaves out its update of %s", what, l.Fine.Name, c.name(v)).
			remedy("update %s as %s does", c.name(v), l.Fine.Name)
	case merging.LostSource:
		f = finding(LostSource, at, "%s does not compute %s from %s, as %s does", what, c.name(v), c.list(l.Sources), l.Fine.Name).
			remedy("update %s as %s does", c.name(v), l.Fine.Name)
	case merging.OtherElement:
		f = finding(OtherElement, at, "%s updates %s%s, and %s updates another element", what, c.name(v), l.Element, l.Fine.Name).
			remedy("update the element that %s updates", l.Fine.Name)
	case merging.LostReceive:
		f = finding(LostReceive, at, "%s does not receive %s, as %s does", what, c.prints.analyzer.Variables[v].Kind, l.Fine.Name).
			remedy("receive it as %s does", l.Fine.Name)
	case merging.ForeignRead:
		f = finding(ForeignRead, c.readPlace(pr.raw.Guard, v, pr.at), "the guard of %s reads %s, and no guard of %s depends on it", what, c.name(v), c.names(c.finer)).
			remedy("do not read it there")
	}
	if !l.Certain {
		if f.Severity = Warning; l.Kind == merging.ForeignRead {
			f.Severity = Note
		}
		f.Remedy += ", or compare behaviours: level L2 settles it"
	}
	if l.Fine != nil {
		f = f.related(c.finePlace(l.Fine.Name, v), "%s updates %s here", l.Fine.Name, c.name(v))
	}
	if why, ok := c.kept.why[v]; ok {
		f = f.related(why.place, "%s", why.text)
	}
	c.add(f, v, action)
}

// list names variables.
func (c *checker) list(vs []int) string {
	var names []string
	for _, v := range vs {
		names = append(names, c.name(v))
	}
	return strings.Join(names, ", ")
}

// finePlace returns where a finer action writes v.
func (c *checker) finePlace(action string, v int) grains.Place {
	for _, u := range c.finer {
		for _, pr := range u.actions {
			if pr.name == action {
				return c.writePlace(pr, v)
			}
		}
	}
	return grains.Place{}
}
