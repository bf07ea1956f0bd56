package changes

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/drivers"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// early says why walks ended before they could say enough; "" where they did not.
func (o *observer) early() string {
	switch {
	case o.run.Env.Soft.Err() != nil:
		return "interrupted after " + words.Plural(o.out.Walks, "walk")
	case o.out.Walks < leastWalks && o.spent < o.by.Budget && o.wall() <= time.Nanosecond:
		return fmt.Sprintf("in %s walks had processors for %s, and the limit ended them after %s of at least %s",
			o.lasted.Round(time.Second), o.spent.Round(time.Second), words.Count(o.out.Walks), words.Plural(leastWalks, "walk"))
	case o.out.Walks < leastWalks && o.left() <= time.Nanosecond:
		return fmt.Sprintf("the budget of %s ended after %s of at least %s", o.by.Budget, words.Count(o.out.Walks), words.Plural(leastWalks, "walk"))
	}
	return ""
}

// inCode returns diagnostics about files of a copy of the code with paths relative to the code.
func inCode(diags hcl.Diagnostics, dir string) (out hcl.Diagnostics) {
	for _, d := range diags {
		if d.Subject != nil {
			if rest, err := filepath.Rel(dir, d.Subject.Filename); err == nil && filepath.IsLocal(rest) {
				one := *d
				at := *d.Subject
				at.Filename = filepath.ToSlash(rest)
				one.Subject, d = &at, &one
			}
		}
		out = append(out, d)
	}
	return out
}

// leastDriven is how many walks a driver takes at least. A step takes less than a millisecond.
const leastDriven = 300

// least returns how many walks are taken at least, if nothing differs.
func (o *observer) least() int64 {
	if o.x.impl.Driver.IsSet() {
		return leastDriven
	}
	return leastCoded
}

// placeless says why no changed line can be noted.
func (o *observer) placeless() string {
	if o.x.impl.Driver.IsSet() && o.coded != nil && len(o.coded.lines) > 0 && o.out.Steps > 0 {
		return "no changed line is one that can run, or the driver does not say which lines ran"
	}
	return "no changed line is one that can run"
}

func namesOf(a configs.Attr[[]configs.Text]) (out []string) {
	for _, t := range a.Value {
		out = append(out, t.Value)
	}
	return out
}

// installed returns a folder in the cache with the packages that conform -setup has installed: what
// a diff alone is about.
func installed(o *session.Run, impl *configs.Implementation, packages []string) (string, *hcl.Diagnostic) {
	from, diags := drivers.Installed(impl, o.Manifest.Path, o.Env.Cache, packages)
	if diags.HasErrors() {
		return "", diags[0]
	}
	to := filepath.Join(sidesIn(o), "installed-"+hashOf(append([]string{from}, packages...)...))
	for _, p := range packages {
		if err := drivers.CopyPackage(from, to, p); err != nil {
			return "", impl.Driver.Errorf(codes.Change, "Change cannot be read", "The packages %s cannot be copied into the cache: %v.", strings.Join(packages, ", "), err)
		}
	}
	return to, nil
}

// sourcesDriven takes the sources of both sides as the code that the driver runs.
func (o *observer) sourcesDriven() bool {
	c := o.coded
	if c.after = drivers.ImportedFrom(o.sides.After, o.x.how.Python); c.after == "" {
		return o.undecided("the code after the change does not have the packages %s in one folder", strings.Join(o.x.how.Python, ", "))
	}
	c.before = drivers.ImportedFrom(o.sides.Before, o.x.how.Python)
	c.based = c.before != ""
	return true
}

// lost names the operations and operands that decided before the change and that no line has now.
// Whether they did something in the walks is not known.
func (p *pass) lost() (out []string) {
	if p.code != nil {
		for _, x := range p.code.Lost {
			out = append(out, fmt.Sprintf("%s:%d before the change: whether %s did something was not noted", x.File, x.Line, x.Text))
		}
	}
	return out
}

// uncovered names the changed lines that did not run, and the operands that were not both true and
// false: what makes a result undecided. With Walking.Accept they are noted as accepted instead, and
// the result is nil. Other reasons for an undecided result are no matter of coverage, and stay.
func (o *observer) uncovered() (lines []string) {
	for k := range o.out.Places {
		if m := o.out.Places[k].Missing(); m != "" {
			lines = append(lines, m)
		}
	}
	for _, p := range o.done {
		for _, x := range p.lost() {
			if !slices.Contains(lines, x) {
				lines = append(lines, x)
			}
		}
	}
	if o.by.Accept {
		o.out.Accepted = lines
		return nil
	}
	return lines
}
