package systems

import (
	"context"

	"github.com/hashicorp/hcl/v2"
	"github.com/multigrain/multigrain/compose"
)

// Tap builds the tap of a system and returns the path of its program. A shipped system is one of this
// project.
func Tap(ctx context.Context, env compose.Env, from string, shipped bool) (program string, diags hcl.Diagnostics) {
	dir := "."
	if shipped {
		home, bad := compose.Home(env)
		if diags = bad; !bad.HasErrors() {
			dir = home // else this folder's module may have it
		}
	}
	program, more := compose.Tap(ctx, env, dir, from)
	if program != "" {
		return program, more
	}
	return "", append(diags, more...)
}
