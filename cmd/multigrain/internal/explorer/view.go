package explorer

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/modules"
)

// view is a state for people: the page and the terminal show it.
type view struct {
	place
	Inits int      `json:"inits"` // number of initial states
	Nodes []string `json:"nodes"`
	// Taken is how many steps of the path are possible; the view is after these.
	Taken  int          `json:"taken"`
	Halted *wire.Halted `json:"halted,omitempty"`
	Trail  []step       `json:"trail"` // the steps of the path
	State  []variable   `json:"state"`
	// Unused are variables that the composition has no room for, since nothing in it uses them.
	Unused []string    `json:"unused"`
	Steps  []option    `json:"steps"` // those that are possible
	Idle   []wire.Idle `json:"idle"`
	// Notes say that the state breaks a property, reaches a goal, or ends the behaviour.
	Notes  []note  `json:"notes"`
	Millis float64 `json:"millis"` // that the answer took

	violated []string // names of properties
}

// broken returns the names of the properties that the last step or the state breaks.
func (v *view) broken() []string { return v.violated }

// note is a sentence about a state. Kind is bad, good or open.
type note struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// step is a step of the path.
type step struct {
	Call        string   `json:"call"`
	Module      string   `json:"module"`
	Server      int      `json:"server"` // -1 for none
	Environment bool     `json:"environment,omitempty"`
	Changes     []change `json:"changes"`
}

// option is a step that is possible.
type option struct {
	step
	Action string `json:"action"`
	Notes  []note `json:"notes,omitempty"`
}

// change is a part of the state that a step changes.
type change struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
	// Queue says what was removed and added; "" for other changes.
	Queue string `json:"queue,omitempty"`
}

// text returns a change as a line.
func (c *change) text() string {
	if c.Queue != "" {
		return c.Path + ": " + c.Queue
	}
	return c.Path + ": " + c.Old + " -> " + c.New
}

// variable is a variable of the state.
type variable struct {
	Name   string `json:"name"`
	Module string `json:"module"` // that writes it; "" for none
	// Nodes are its values by node, where it has one for each; Value otherwise.
	Nodes []string `json:"nodes,omitempty"`
	Value string   `json:"value,omitempty"`
	// Changed are the positions in Nodes that the last step changed, or 0 for Value.
	Changed []int `json:"changed,omitempty"`
}

// view returns what is shown of an answer.
func (e *engine) view(p place, a *wire.Answer, t *wire.Trace) *view {
	v := &view{place: p, Inits: a.Inits, Taken: len(t.Steps), Halted: a.Halted, Trail: []step{}, Steps: []option{}, Idle: a.Idle, Notes: []note{}}
	lanes := narrate.DiagramOf(&wire.Trace{Nodes: t.Nodes, Init: t.Init}, e.known)
	for k := range lanes.Lanes {
		v.Nodes = append(v.Nodes, lanes.Name(k))
	}
	before := &t.Init
	for k := range t.Steps {
		s := &t.Steps[k]
		v.Trail = append(v.Trail, e.step(s, itf.Changes(*before, s.State)))
		before = &s.State
	}
	var touched []string
	if n := len(t.Steps); n > 0 {
		for _, c := range v.Trail[n-1].Changes {
			touched = append(touched, c.Path)
		}
	}
	v.State, v.Unused = e.state(*before, len(v.Nodes), v.Nodes, touched)
	for _, x := range a.Enabled {
		var changes []itf.Change
		for _, c := range x.Changes {
			changes = append(changes, itf.Change(c))
		}
		o := option{step: e.step(&x.Step, changes), Action: x.Step.Action, Notes: notesOf(x.Broken, x.Goals, x.Outside, false)}
		if x.Failure != "" {
			o.Notes = append(o.Notes, note{"bad", "the step fails: " + x.Failure})
		}
		v.Steps = append(v.Steps, o)
	}
	v.violated = a.Broken
	v.Notes = append(v.Notes, notesOf(a.Broken, a.Goals, a.Outside, a.Ended)...)
	if len(a.Enabled) == 0 && !a.Ended {
		v.Notes = append(v.Notes, note{"open", "no step is possible here"})
	}
	return v
}

func notesOf(broken, goals []string, outside, ended bool) (out []note) {
	for _, name := range broken {
		out = append(out, note{"bad", "violates " + name})
	}
	for _, name := range goals {
		out = append(out, note{"good", "reaches " + name})
	}
	if ended {
		out = append(out, note{"bad", "an assertion is raised, which ends the behaviour"})
	}
	if outside {
		out = append(out, note{"open", "a state constraint is false: check explores no step from here"})
	}
	return out
}

func (e *engine) step(s *wire.Step, changes []itf.Change) step {
	out := step{Call: itf.Call(s.Action, s.Params), Module: s.Module, Server: s.Server, Environment: s.Environment, Changes: []change{}}
	for _, c := range changes {
		out.Changes = append(out.Changes, e.change(c))
	}
	return out
}

// change returns a change for people: messages have the fields of their kind only.
func (e *engine) change(c itf.Change) change {
	for _, part := range []**modules.View{&c.Old, &c.New} {
		if *part != nil {
			known := e.known.Value(**part)
			*part = &known
		}
	}
	x := change{Path: c.Path, Old: "none", New: "none", Queue: narrate.Queued(c)}
	if c.Old != nil {
		x.Old = itf.Text(*c.Old)
	}
	if c.New != nil {
		x.New = itf.Text(*c.New)
	}
	return x
}

// state returns the variables of a state, in the order of the modules that write them, and the
// names of those without room.
func (e *engine) state(s modules.View, lanes int, names, touched []string) (out []variable, unused []string) {
	out, unused = []variable{}, []string{}
	first := 0 // nodes of the first role
	for first < lanes && lanes > 1 && role(names[first]) == role(names[0]) {
		first++
	}
	for k, name := range s.Names {
		x := variable{Name: name, Module: e.owners[name]}
		part := e.known.Value(s.Elems[k])
		if part.Shape == modules.Function && len(part.Elems) == 0 {
			unused = append(unused, name)
			continue
		}
		changed := func(path string) bool {
			return slices.ContainsFunc(touched, func(t string) bool {
				return t == path || strings.HasPrefix(t, path+"[") || strings.HasPrefix(t, path+".")
			})
		}
		if n := len(part.Elems); part.Shape == modules.Function && (n == lanes || n == first) {
			for i := range part.Elems {
				x.Nodes = append(x.Nodes, element(&part.Elems[i], names))
				if changed(fmt.Sprintf("%s[%d]", name, i)) {
					x.Changed = append(x.Changed, i)
				}
			}
		} else {
			x.Value = itf.Text(part)
			if changed(name) {
				x.Changed = []int{0}
			}
		}
		out = append(out, x)
	}
	order := map[string]int{}
	for k, m := range e.run.Composition.Modules {
		order[m.Module] = k + 1
	}
	slices.SortStableFunc(out, func(a, b variable) int {
		rank := func(v *variable) int {
			if n := order[v.Module]; n > 0 {
				return n
			}
			return len(order) + 1
		}
		return rank(&a) - rank(&b)
	})
	return out, unused
}

// role returns the name of a node without its number.
func role(node string) string { return strings.TrimRight(node, " 0123456789") }

// element returns the value of a node. Of channels to the other nodes it shows those with messages,
// and those that are disconnected, one a line.
func element(v *modules.View, names []string) string {
	queue := func(e modules.View) bool {
		return e.Shape == modules.Sequence || e.Shape == modules.Multiset || e.Shape == modules.Collection
	}
	cut := func(e modules.View) bool { return e.Shape == modules.Record && len(e.Names) > 0 && e.Names[0] == "cut" }
	row := v.Shape == modules.Function && len(v.Elems) == len(names) && !slices.ContainsFunc(v.Elems, func(e modules.View) bool {
		return !queue(e) && !cut(e)
	})
	if !row {
		return itf.Text(*v)
	}
	var parts []string
	for j, e := range v.Elems {
		text := ""
		if cut(e) {
			if e.Elems[0].Text == "true" {
				text = "disconnected"
			}
			e = e.Elems[len(e.Elems)-1]
		}
		if len(e.Elems) > 0 {
			text = strings.TrimSpace(text + " " + itf.Text(e))
		}
		if text != "" {
			parts = append(parts, "to "+names[j]+": "+text)
		}
	}
	return strings.Join(parts, "\n")
}

// refusal is a group of instances that one condition refuses.
type refusal struct {
	Calls []string `json:"calls"`
	Of    int      `json:"of"` // instances of the action
	Lines []string `json:"lines"`
	// Place is where the condition stands, as file:line; "" for none.
	Place string `json:"place,omitempty"`
}

// refusals groups refused instances by what refused them, the condition of most instances first.
func refusals(a *wire.Answer) []refusal {
	out := []refusal{}
	at := map[string]int{}
	for _, r := range a.Refused {
		var x refusal
		switch {
		case r.Enabled:
			x.Lines = []string{"is possible"}
		case r.Bound != "":
			x.Lines = []string{fmt.Sprintf("the bound %s = %d is used up", r.Bound, r.Max)}
		case len(r.Why) == 0:
			x.Lines = []string{"the guard refuses, and has no condition that can be named"}
		default:
			x.Lines = text.ReasonLines(withoutParameters(r.Why, r.Call))
			x.Place = fmt.Sprintf("%s:%d", words.ShortPath(filepath.ToSlash(r.Why[0].File)), r.Why[0].Line)
		}
		key := strings.Join(x.Lines, "\n")
		k, ok := at[key]
		if !ok {
			k = len(out)
			at[key] = k
			x.Of = len(a.Refused)
			out = append(out, x)
		}
		out[k].Calls = append(out[k].Calls, r.Call)
	}
	slices.SortStableFunc(out, func(x, y refusal) int { return len(y.Calls) - len(x.Calls) })
	return out
}

// withoutParameters leaves out operands that are parameters of the call, which shows them.
func withoutParameters(why []wire.Reason, call string) []wire.Reason {
	out := slices.Clone(why)
	for k := range out {
		out[k].Operands = slices.DeleteFunc(slices.Clone(out[k].Operands), func(o wire.Operand) bool {
			head, name, ok := strings.Cut(o.Text, ".")
			return ok && !strings.ContainsAny(head+name, "([. ") && strings.Contains(call, name+": "+o.Value)
		})
	}
	return out
}
