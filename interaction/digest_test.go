package interaction

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/grains"
)

const reachedDir = "testdata/reached"

var reachedCompared = Compared{Choice: grains.Choice{Grains: []grains.Ref{{Module: "work", Grain: "coarse"}, {Module: "watch", Grain: "fine"}},
	Invariants: []string{"R-1"}}, Targets: []string{"watch"}}

// digestOfReached returns the digests of the package reached with edits, and with further files.
func digestOfReached(t *testing.T, c Compared, edits []string, more map[string]string) *Digests {
	t.Helper()
	files := overlay(t, reachedDir, edits)
	for name, text := range more {
		abs, err := filepath.Abs(filepath.Join(reachedDir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[abs] = []byte(text)
	}
	p, findings, err := Load(Config{Dir: ".", Package: "./" + reachedDir, Overlay: files})
	if err != nil {
		t.Fatal(err)
	}
	if p == nil {
		t.Fatal(findings)
	}
	d, err := p.Digests(c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestDigestSame edits what the comparison does not reach, or what has the same normal form.
func TestDigestSame(t *testing.T) {
	t.Parallel()
	before := digestOfReached(t, reachedCompared, nil, nil).Whole
	for what, edits := range map[string][]string{
		"a grain that is not compared":             {`spec.go: return n + 3 => return n + 4`},
		"an action that is not compared":           {`spec.go: "Other", => "Another",`},
		"an invariant that is not selected":        {`spec.go: s.Count < 8 => s.Count < 7`},
		"a method that nothing calls":              {`spec.go: b.Count == 0 => b.Count == 1`},
		"a function that nothing calls":            {`inner/inner.go: return n + 1 => return n + 2`},
		"a branch that an option excludes":         {`spec.go: return 5 => return 4`},
		"a clause that an option excludes":         {`spec.go: return Third¶	case => return First¶	case`},
		"a value that nothing has":                 {`spec.go: Spare => Left`},
		"the initialiser of another":               {`spec.go: unrelated = 8 => unrelated = 9`},
		"a constant for its value":                 {`spec.go: return 6 => return 3 * 2`},
		"an operand that is true":                  {`spec.go: Mistake == "none" && n > 1 => n > 1`},
		"a comment":                                {`spec.go: // next is => // next was`},
		"a liveness property that nobody asks for": {`spec.go: To: func(s *State) bool { return s.Count == 0 => To: func(s *State) bool { return s.Count == 1`},
		"the function of another such property":    {`spec.go: == wanted => != wanted`},
		"the name of a stand-in's function":        {`spec.go: itself, earlier => itself, sooner`, `spec.go: func earlier( => func sooner(`},
		"a text of the catalog":                    {`spec.go: Doc: "so" => Doc: "another"`},
		"the name of a function":                   {`spec.go: next(s. => following(s.`, `spec.go: func next( => func following(`},
		"the name of a method":                     {`spec.go: s.full() => s.whole()`, `spec.go: ) full() => ) whole()`},
		"the name of a label":                      {`spec.go: again:¶ => once:¶`, `spec.go: continue again => continue once`, `spec.go: break again => break once`},
		"the name of a grain that is not compared": {`spec.go: Name: "refined" => Name: "other"`},
		"an alias": {`spec.go: type one = modules.One[Server] => type one = (modules.One[Server])`},
	} {
		for k := range edits {
			edits[k] = strings.ReplaceAll(edits[k], "¶", "\n")
		}
		if d := digestOfReached(t, reachedCompared, edits, nil); d.Whole != before {
			t.Errorf("%s changes the digest", what)
		}
	}
	moved := []string{"spec.go: !inner.Above( => !below.Above(", "spec.go: /reached/inner\"\n => /reached/inner\"\n\t\"github.com/multigrain/multigrain/interaction/testdata/reached/below\"\n"}
	if d := digestOfReached(t, reachedCompared, moved, map[string]string{
		"below/below.go": "package below\n\nfunc Above(n, than uint8) bool { return n > than }\n",
	}); d.Whole != before {
		t.Error("a function that moves to another package changes the digest")
	}
}

// TestDigestOther edits what the comparison reaches. The part that has changed is named.
func TestDigestOther(t *testing.T) {
	t.Parallel()
	compared := reachedCompared
	compared.Set = []string{"Mistake", "Servers"}
	plain := digestOfReached(t, compared, nil, nil)
	seen := map[string]string{}
	for what, c := range map[string]struct{ edit, part string }{
		"an expression":                  {`spec.go: case p == First => case p != First`, "function next"},
		"a statement":                    {`spec.go: n.Count = 0 => n.Count = 1`, "action Look"},
		"a captured value":               {`spec.go: waits(Second) => waits(First)`, "action Look"},
		"a function in another package":  {`inner/inner.go: return n > than => return n >= than`, "function Above"},
		"a constant of another package":  {`inner/inner.go: Limit = 4 => Limit = 3`, "constant Limit"},
		"a constant":                     {`spec.go: Servers - 1 => Servers - 2`, "constant Most"},
		"a method by promotion":          {`spec.go: b.Count >= Most => b.Count > Most`, "function base.full"},
		"a shadowing method":             {`spec.go: func ranked( => func (s *State) full() bool { return false }¶¶func ranked(`, "new function State.full"},
		"a method through an interface":  {`spec.go: int(p) * 2 => int(p) * 3`, "function Phase.rank"},
		"a package variable":             {`spec.go: {1, 2, 3} => {2, 2, 3}`, "variable steps"},
		"a write during initialisation":  {`spec.go: table[2] = 5 => table[2] = 6`, "function init"},
		"a new write":                    {`spec.go: unrelated = 8 => steps[0] = 8`, "variable steps"},
		"a write through a pointer":      {`spec.go: var unrelated = 7 => var unrelated = func() int { p := &steps; p[0] = 9; return 7 }()`, "variable steps"},
		"a generic function":             {`spec.go: if a > b => if a < b`, "function largest"},
		"the variables of a type switch": {`spec.go: v + w*2 => w + v*2`, "function classify"},
		"the target of a jump":           {`spec.go: continue again => break again`, "function jump"},
		"the name of a kind":             {`spec.go: Third¶	Spare => Last¶	Third = Last¶	Spare`, "new constant Last"},
		"the order of values":            {`spec.go: Second¶	Third => Third¶	Second`, "constant Second"},
		"the name of a variable":         {`spec.go: struct{ Count uint8 } => struct{ Count, More uint8 }`, "type base"},
		"the size of a type":             {`spec.go: type Phase uint8 => type Phase uint16`, "type Phase"},
		"an action of the composition":   {`spec.go: n.Phase[p.I] = Third => n.Phase[p.I] = Second`, "action Leap"},
		"the name of an action":          {`spec.go: "Leap", => "Jump",`, "new action Jump"},
		"an invariant":                   {`spec.go: s.Count < 9 => s.Count < 10`, "invariant R-1"},
		"Init":                           {`spec.go: yield(State{}) => yield(State{base: base{1}})`, "function Init"},
		"the parameters of a stand-in":   {`spec.go: yield(p) } => yield(one{0}) }`, "function itself"},
		"the state before of a stand-in": {`spec.go: b.Phase[p.I] = Second => b.Phase[p.I] = First`, "function earlier"},
		"no state before of a stand-in":  {`spec.go: itself, earlier) => itself, nil)`, "stand-in Leap for Step"},
		"no stand-in":                    {`spec.go: modules.StandsFor(&Leap, &Step, itself, earlier) => `, "stand-in Leap for Step"},
		"an option":                      {`spec.go: Mistake = "none" => Mistake = "skip"`, ""},
		"a bound":                        {`spec.go: Servers = 3 => Servers = 4`, ""},
		"the domain of an action":        {`spec.go: "Look", Params: modules.Each[Server](Servers) => "Look", Params: modules.Each[Server](2)`, "action Look"},
	} {
		d := digestOfReached(t, compared, []string{strings.ReplaceAll(c.edit, "¶", "\n")}, nil)
		changed := changedParts(plain, d)
		switch {
		case d.Whole == plain.Whole:
			t.Errorf("%s does not change the digest", what)
		case c.part != "" && !slices.Contains(changed, c.part):
			t.Errorf("%s: %q is not among %q", what, c.part, changed)
		case seen[d.Whole] != "":
			t.Errorf("%s has the digest of %s", what, seen[d.Whole])
		}
		seen[d.Whole] = what
	}
}

// TestDigestOpen leaves constants open that have several values in one comparison: what one of the
// values excludes counts.
func TestDigestOpen(t *testing.T) {
	t.Parallel()
	open := reachedCompared
	open.Open = []string{"Servers"}
	edit := []string{`spec.go: if Mistake == "return" { => if Most > 5 {`}
	other := append(slices.Clone(edit), `spec.go: return 5 => return 4`)
	if digestOfReached(t, reachedCompared, edit, nil).Whole != digestOfReached(t, reachedCompared, other, nil).Whole {
		t.Error("a branch that a constant excludes counts")
	}
	if digestOfReached(t, open, edit, nil).Whole == digestOfReached(t, open, other, nil).Whole {
		t.Error("a branch that an open constant may choose does not count")
	}
	local := append(slices.Clone(edit), `spec.go: func jump(n int) int { => func jump(n int) int { const most = Servers + 1; if n > most { return 8 }`)
	more := append(slices.Clone(edit), `spec.go: func jump(n int) int { => func jump(n int) int { const most = 4; if n > most { return 8 }`)
	if digestOfReached(t, open, local, nil).Whole == digestOfReached(t, open, more, nil).Whole {
		t.Error("a constant of a function that follows from an open one is folded")
	}
}

// TestDigestWhole covers a package as a whole, with what it imports.
func TestDigestWhole(t *testing.T) {
	t.Parallel()
	c := reachedCompared
	digest := func(sum string) string {
		c.Whole = map[string]string{"github.com/multigrain/multigrain/interaction/testdata/reached/inner": sum}
		return digestOfReached(t, c, nil, nil).Whole
	}
	if digest("1") == digest("2") {
		t.Error("the digest of a package that is covered as a whole does not count")
	}
}

// TestDigestEndings edits liveness properties. They count where a comparison asks for them.
func TestDigestEndings(t *testing.T) {
	t.Parallel()
	asked, none := reachedCompared, digestOfReached(t, reachedCompared, nil, nil)
	asked.Endings = []string{"L-1", "L-2"}
	plain := digestOfReached(t, asked, nil, nil)
	if plain.Whole == none.Whole {
		t.Error("liveness properties that are asked for do not count")
	}
	seen := map[string]string{}
	for what, c := range map[string]struct{ edit, part string }{
		"From":                      {`spec.go: return s.Count > 0 => return s.Count > 1`, "liveness property L-1"},
		"To":                        {`spec.go: return s.Count == 0 }, => return s.Count == 1 },`, "liveness property L-1"},
		"Unfair":                    {`spec.go: ,¶			Unfair: []modules.AnyAction[State]{&Look}} => }`, "liveness property L-1"},
		"no From":                   {`spec.go: From: func(s *State) bool { return s.Count > 0 },  => `, "liveness property L-1"},
		"To with a parameter":       {`spec.go: == wanted => != wanted`, "function served"},
		"what To mentions":          {`spec.go: wanted = Third => wanted = Second`, "constant wanted"},
		"the values of a parameter": {`spec.go: LeadsTo(modules.Each[Server](Servers) => LeadsTo(modules.Each[Server](2)`, "liveness property L-2"},
		"the name of a property":    {`spec.go: "L-2" => "L-3"`, "liveness property L-2"},
	} {
		edit := []string{strings.ReplaceAll(c.edit, "¶", "\n")}
		d := digestOfReached(t, asked, edit, nil)
		switch changed := changedParts(plain, d); {
		case d.Whole == plain.Whole:
			t.Errorf("%s does not change the digest", what)
		case !slices.Contains(changed, c.part):
			t.Errorf("%s: %q is not among %q", what, c.part, changed)
		case seen[d.Whole] != "":
			t.Errorf("%s has the digest of %s", what, seen[d.Whole])
		}
		seen[d.Whole] = what
		if digestOfReached(t, reachedCompared, edit, nil).Whole != none.Whole {
			t.Errorf("%s counts where nobody asks", what)
		}
	}
	one := reachedCompared
	one.Endings = []string{"L-1"}
	if digestOfReached(t, one, []string{`spec.go: == wanted => != wanted`}, nil).Whole != digestOfReached(t, one, nil, nil).Whole {
		t.Error("a property counts that is not asked for, next to one that is")
	}
}
