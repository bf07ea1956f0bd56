package changes

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// early says why walks ended before they could say enough; "" where they did not.
func (o *observer) early() string {
	switch {
	case o.run.Env.Soft.Err() != nil:
		return "interrupted after " + words.Plural(o.out.Walks, "walk")
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
