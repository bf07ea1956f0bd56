package changes

import (
	"fmt"
	"time"

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
