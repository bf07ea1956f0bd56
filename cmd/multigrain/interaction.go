package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/mutants"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/relock"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/variables"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

var interactionVerb = command.Verb{
	Name: "interaction", Args: "MANIFEST|DIR", Summary: "which variables the modules interact through, and what the coarse grains drop",
	Least: 1, Most: 1,
	About: `The variables that guards depend on (D) and through which modules interact (I) are computed from the code of the actions.
Each coarse grain is compared with the grain that it coarsens. It must keep whatever the modules under test, the environment
or the invariants see of that grain. Level L0, the default, compares footprints for all sizes. It does not compare behaviours.

-level L1 and -level L2 explore the composition and the fine one, in which each coarse grain is replaced by the grain that it
coarsens. A block against in the manifest names other grains for that. Both use the bounds of the manifest's interaction block. L1 compares what the steps under test can see, and L2 the
sequences of that. A behaviour that only the coarse composition has is false, and is refused. A behaviour that only the fine
one has is a gap, which the manifest accepts by a block accept with its extent. Shortest witnesses are shown of both. Results
are stored by sources, choice and bounds, and shown again where these are the same. -again compares once more.

Without bounds in the interaction block, the command finds them. All start at their smallest values and grow up to those of the
manifest, until the states run out or two growths show nothing new. Then it compares with two, three and five nodes, and with
twice the faults, as far as half as many states allow. The result names all of these bounds.

-level L3 examines level L2, and then explores mutants of the modules under test in both compositions: one statement or condition
of their code is changed in each. It asks whether the mixed composition finds the mutants that the fine one finds, and no
other. -mutants says how many are drawn, and -seed which. -max-states and -timeout bound the comparison and each exploration.
What is decided is stored, so a run that is interrupted continues.

-lock examines the level that the manifest states and writes the result into the file multigrain.lock next to the manifest, which
you commit. check reads it there, and compares nothing itself. A result becomes stale with an edit of what the compared
compositions reach, of the choice or of the bounds. Comments, names of local variables and other grains do not count. A run
that is interrupted writes nothing. A manifest that asks for deadlock or liveness properties needs level L2, whatever it
states. -lock -stale DIR lists the stale entries of a folder, each with what has changed, and ends with exit code 1 if there
is one.

-adopt writes the sequences of accepted gaps into the accept blocks that accept them by their views alone.
`,
	Code:    "Level L0 reads the package of the specification and runs no code of it. Levels L1 and L2 compile and run it.",
	Options: func() command.Options { return new(interactionOptions) },
}

// interactionOptions are the options of interaction.
type interactionOptions struct {
	command.Bounded
	command.Written
	why, level                   string
	mutants                      int
	dot, suggest, again, verbose bool
	lock, stale, migrate, adopt  bool
}

func (o *interactionOptions) Flags(fs *flag.FlagSet) {
	fs.BoolVar(&o.dot, "dot", false, "print the modules and the variables between them for Graphviz")
	fs.BoolVar(&o.suggest, "suggest", false, "list what coarse grains of the other modules may leave out for the targets")
	fs.StringVar(&o.why, "why", "", "print the chain that keeps a `VARIABLE`")
	fs.StringVar(&o.level, "level", "", "examine up to `L0`, L1, L2 or L3 (default: L0, and with -lock the manifest's)")
	fs.Func("mutants", fmt.Sprintf("draw at most `N` mutants for level L3 (default: %d)", mutants.Most), func(s string) error {
		n, err := strconv.Atoi(s)
		if o.mutants = n; err != nil || n < 1 {
			return errors.New("a whole number of at least 1 is required")
		}
		return nil
	})
	o.SeedFlag(fs, fmt.Sprintf("draw the mutants for level L3 with `N` (default: %d)", mutants.Seed))
	fs.BoolVar(&o.lock, "lock", false, "examine the level that the manifest states, and write the result into the lock file")
	fs.BoolVar(&o.stale, "stale", false, "with -lock and a folder: list the entries of its lock files that are stale, and compare nothing")
	fs.BoolVar(&o.migrate, "migrate", false, "with -lock and a folder: rewrite entries of an earlier format that are not stale, and compare nothing")
	fs.BoolVar(&o.adopt, "adopt", false, "compare up to level L2, and write the sequences of accepted gaps into the accept blocks that lack them")
	o.TimeFlag(fs, "timeout", "end the comparison, and each exploration of a mutant, undecided after a `duration`, such as 90s or 10m (default: the manifest's)")
	o.StatesFlag(fs, "explore at most `N` states of each composition for levels L1 and L2 (default: the manifest's, or 2000000; 400000 for all comparisons that find bounds, and half as many for other nodes and more faults)")
	o.MemoryFlag(fs, "end levels L1 and L2 undecided before a composition takes more than a `size` of memory, such as 4GiB or 500M")
	o.TracesFlag(fs, "they are not written")
	o.ReportFlag(fs)
	command.AgainFlag(fs, &o.again)
	o.SarifFlag(fs)
	o.JunitFlag(fs)
	fs.BoolVar(&o.verbose, "v", false, "print all witnesses step by step")
}

func (o *interactionOptions) Run(c *command.Call) int {
	if o.level != "" && !slices.Contains(session.Levels, o.level) {
		c.Report(hcl.Diagnostics{badLevel(o.level)}, nil)
		return shell.Usage
	}
	if diags := o.oneQuestion(); diags.HasErrors() {
		c.Report(diags, nil)
		return shell.Usage
	}
	switch {
	case o.stale:
		return relock.ListStale(c)
	case o.migrate:
		return relock.Migrate(c)
	}
	r := c.Resolve(shell.Uncaught())
	r.Named(&c.Doc)
	if r.Composition == nil {
		c.Report(r.Diagnostics, r.Manifest.Sources)
		return c.Exit()
	}
	r.Preserve(false)
	r.Describe(&c.Doc)
	if r.Analysis == nil {
		c.Report(r.Diagnostics, r.Manifest.Sources)
		return c.Exit()
	}
	if o.lock {
		if d := unlockable(r); d != nil {
			c.Report(hcl.Diagnostics{d}, r.Manifest.Sources)
			return shell.Usage
		}
	}
	r.Detail()
	paint := c.Painter(c.OutWidth)
	head := text.Composition(&c.Doc, paint)
	if level := o.levelOf(r); level != "L0" && o.why == "" && !o.dot && !o.suggest && r.Comparable() {
		if level == "L3" && !o.lock {
			o.mutate(c, r)
		} else {
			c.Print(head + text.InteractionSummary(r.Interaction, paint) + "\n\n")
			head = ""
			o.deepen(c, r, level)
		}
		head = text.Mutants(r.Interaction, paint, o.verbose) + head
	} else if o.lock {
		c.Note("nothing is compared, so the lock file is as it was")
	}
	switch {
	case o.why != "":
		v := r.Analysis.Variable(o.why)
		if v == nil {
			return unknownVariable(c, r.Interaction, o.why)
		}
		c.Doc.Why = variables.WhyOf(v)
		c.Print(text.Why(c.Doc.Why))
		return shell.ExitOf(r.Diagnostics)
	case o.suggest:
		c.Doc.Suggestions = variables.SuggestionsOf(r.Analysis)
		c.Print(text.Suggestions(c.Doc.Suggestions, r.Interaction.Targets, paint))
		return shell.ExitOf(r.Diagnostics)
	case o.dot:
		c.PrintFile(text.Dot(r.Interaction, r.Manifest.Name()))
	default:
		c.Print(head + text.Outcome(r.Interaction, paint, o.verbose))
		if x := c.Doc.Exploration; x != nil && r.Interaction.Comparison == nil && r.Interaction.Mutants == nil {
			c.Print("\n" + text.Undecided("interaction", x.Reason, paint))
		}
	}
	c.Report(r.Diagnostics, r.Manifest.Sources)
	return c.Written(r, o.Report, text.Examined(&c.Doc, false, true))
}

// deepen compares behaviours up to a level, and keeps the result with -lock.
func (o *interactionOptions) deepen(c *command.Call, r *session.Run, level string) {
	in := shell.Catch()
	defer in.Release()
	r.Env.Until(in.Soft, in.Hard)
	begun := host.Now()
	r.Deepen(min(level, "L2"), o.Comparing(&o.Bounded, o.again || o.adopt, session.NextToManifest))
	if o.adopt && r.Interaction.Comparison != nil {
		c.Note("adopted: %s", words.Plural(int64(r.Adopt()), "accept block"))
	}
	switch {
	case !o.lock:
	case r.Interaction.Comparison == nil:
		c.Note("nothing is compared, so the lock file is as it was")
	case in.Soft.Err() != nil:
		c.Note("interrupted: the lock file is as it was")
	case r.Lock(host.Since(begun)):
		c.Note("locked: %s", r.Interaction.Locked.File)
	case !r.Diagnostics.HasErrors():
		c.Note("the lock file decides a higher level of the same composition: it is as it was")
	}
	if level == "L3" && (r.Stopped != "" || r.Diagnostics.HasErrors()) {
		c.Note("no mutants are explored, since level L2 is not decided or not met")
	} else if level == "L3" && in.Soft.Err() == nil {
		if mutants.Run(r, o.mutantsOf()); in.Soft.Err() != nil || r.Interaction.Mutants == nil {
			c.Note("the lock file has no new result of mutants")
		} else if r.LockMutants() {
			c.Note("locked: the mutants of %s", words.ShortPath(r.Manifest.Path))
		}
	}
	r.Describe(&c.Doc)
	c.Doc.Settle()
}

// mutate compares behaviours up to level L2, and explores mutants whatever that shows, unless the
// specification fails.
func (o *interactionOptions) mutate(c *command.Call, r *session.Run) {
	in := shell.Catch()
	defer in.Release()
	r.Env.Until(in.Soft, in.Hard)
	r.Deepen("L2", o.Comparing(&o.Bounded, o.again, session.NextToManifest))
	if in.Soft.Err() == nil && (r.Interaction.Comparison != nil || !r.Diagnostics.HasErrors()) {
		mutants.Run(r, o.mutantsOf())
	}
	r.Describe(&c.Doc)
	c.Doc.Settle()
}

// mutantsOf returns what is asked of mutants.
func (o *interactionOptions) mutantsOf() mutants.Options {
	x := mutants.Options{Comparing: o.Comparing(&o.Bounded, o.again, session.NextToManifest), Most: cmp.Or(o.mutants, mutants.Most), Seed: mutants.Seed}
	if o.Seed != nil {
		x.Seed = *o.Seed
	}
	return x
}

// unlockable says why the result for a manifest cannot be kept; nil if it can.
func unlockable(r *session.Run) *hcl.Diagnostic {
	if r.Composition.Stated() == "" {
		return configs.Errorf(codes.FlagValue, "Nothing to lock", hcl.Range{},
			"The manifest %s states no level above L0. Write interaction { level = \"L2\" } there, or leave -lock out.", r.Manifest.Path)
	}
	for _, v := range r.Manifest.Variables {
		if v.Given && !v.Required() {
			return configs.Errorf(codes.FlagValue, "Variable with -lock", hcl.Range{},
				"The lock file is about the manifest as it is written, and variable %s was given another value. Leave it out, or write a manifest that extends this one.", v.Name)
		}
	}
	return nil
}

// oneQuestion refuses flags that ask for different results.
func (o *interactionOptions) oneQuestion() hcl.Diagnostics {
	var asked []string
	for _, f := range []struct {
		name string
		set  bool
	}{{"-why", o.why != ""}, {"-suggest", o.suggest}, {"-dot", o.dot}, {"-level " + o.level, o.level > "L0"}, {"-lock", o.lock}, {"-adopt", o.adopt}} {
		if f.set {
			asked = append(asked, f.name)
		}
	}
	if (o.stale || o.migrate) && (!o.lock || o.stale && o.migrate || len(asked) > 1) {
		return hcl.Diagnostics{configs.Errorf(codes.FlagValue, "Flags exclude each other", hcl.Range{}, "-stale and -migrate are about lock files: give one of them, with -lock, a folder and nothing else.")}
	}
	if len(asked) < 2 {
		return nil
	}
	return hcl.Diagnostics{configs.Errorf(codes.FlagValue, "Flags exclude each other", hcl.Range{}, "%s ask for different results: -why is one variable's chain, -suggest what coarse grains may leave "+
		"out, -dot a picture, -level a comparison of behaviours, -lock one up to the manifest's level, -adopt the sequences of accepted gaps. Give one of them.", strings.Join(asked, " and "))}
}

// unknownVariable reports that -why names no variable.
func unknownVariable(c *command.Call, d *result.Interaction, why string) int {
	var names []string
	for _, v := range d.Variables {
		names = append(names, v.Name)
	}
	hint := configs.Hint(why, names)
	if parts := variables.PartsOf(why, names); len(parts) > 0 {
		hint = " Did you mean " + strings.Join(parts, ", ") + "?"
	}
	c.Report(hcl.Diagnostics{configs.Errorf(codes.FlagValue, "Unknown variable", hcl.Range{},
		"The state has no variable %q.%s", why, hint)}, nil)
	return shell.Usage
}

// levelOf returns the level that was asked for: by -level, or by -lock and the manifest.
func (o *interactionOptions) levelOf(r *session.Run) string {
	switch {
	case o.lock:
		return r.Composition.Stated()
	case o.adopt:
		return "L2"
	}
	return cmp.Or(o.level, "L0")
}

// badLevel returns an unknown level, as a diagnostic of the command line.
func badLevel(s string) *hcl.Diagnostic {
	return configs.Errorf(codes.FlagValue, "Wrong value of flag", hcl.Range{}, "-level cannot be %q: it is one of %s.", s, strings.Join(session.Levels, ", "))
}
