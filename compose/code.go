package compose

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/compose/gocmd"
	"github.com/multigrain/multigrain/configs"
)

// replaced returns the package of an implementation's adapter as it is with other code in the place
// of the module that it connects, and the path of the module.
func (c *Composition) replaced(impl *configs.Implementation, dir string) (a *gocmd.Source, module string, diags hcl.Diagnostics) {
	env := c.source.Env
	plain, diags := gocmd.Open(impl.Dir, impl.Adapter.Value, impl.Adapter.Range, env)
	if diags.HasErrors() {
		return nil, "", diags
	}
	if module, _ = plain.Connects(); module == "" {
		return nil, "", append(diags, impl.Adapter.Errorf(CodeNoPackage, "Adapter names no module",
			"%s declares no constant Supports that begins with the path of the Go module which it connects, so a changed version cannot take its place. Declare one, such as const Supports = \"go.etcd.io/raft/v3 v3.7.0\".", plain.Path))
	}
	if env.Workspace, diags = plain.Replacing(module, dir); diags.HasErrors() {
		return nil, "", diags
	}
	a, diags = gocmd.Open(impl.Dir, impl.Adapter.Value, impl.Adapter.Range, env)
	return a, module, diags
}

// CodeView says how the go command sees an implementation's code together with its adapter and the
// specification, which has the constants of the composition.
type CodeView struct {
	Dir     string   // in which the go command runs
	Environ []string // nil: that of this process
	// Overlay are the files of the specification that the composition changes, by absolute path.
	Overlay map[string][]byte
	Module  string // path of the implementation's module
	Adapter string // import path of the adapter's package
}

// ViewCode returns the view of code in a folder that takes the place of the one which the adapter
// requires. It runs the go command, and no code.
func (c *Composition) ViewCode(impl *configs.Implementation, dir string) (*CodeView, hcl.Diagnostics) {
	a, module, diags := c.replaced(impl, dir)
	if diags.HasErrors() {
		return nil, diags
	}
	overlay, more := c.overlay()
	if diags = append(diags, more...); more.HasErrors() {
		return nil, diags
	}
	return &CodeView{Dir: a.Dir, Environ: a.Environ, Overlay: overlay, Module: module, Adapter: a.Path}, diags
}
