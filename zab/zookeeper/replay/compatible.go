//go:build !multigrain_runtime

package replay

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/control"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
)

// Only the changed files are compiled, so the release's other classes call what they called. If a
// changed class no longer has a method that one of them calls, the call would fail. A build of all
// of the code would have compiled the caller, too.

// method names a method of a class.
type method struct{ class, name, descriptor string }

// compatible fails if a class of the release, which is not among the changed ones, calls a method
// that the changed ones no longer have.
func compatible(jars *control.Jars, changed fs.FS) error {
	release, err := bytecode.OpenJar(jars.Server())
	if err != nil {
		return err
	}
	defer release.Close()
	var names []string
	var gone []method
	err = fs.WalkDir(changed, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".class") {
			return err
		}
		text, err := fs.ReadFile(changed, name)
		if err != nil {
			return err
		}
		after, err := bytecode.ReadClass(text)
		if err != nil {
			return err
		}
		names = append(names, after.Name)
		if before, err := release.Class(after.Name); err == nil {
			gone = append(gone, lost(before, after)...)
		}
		return nil
	})
	if err != nil || len(gone) == 0 {
		return err
	}
	for _, name := range release.Classes() {
		if slices.Contains(names, name) {
			continue
		}
		c, err := release.Class(name)
		if err != nil {
			return err
		}
		if m, calls := callsOne(c, gone); calls {
			return fmt.Errorf("the class %s of the release calls %s.%s%s, which the change takes away, and only the changed files were compiled: compile all of the code, and name the result with -classes or -jar",
				name, m.class, m.name, m.descriptor)
		}
	}
	return nil
}

// lost returns the methods that other classes could call and that a class no longer has.
func lost(before, after *bytecode.Class) (out []method) {
	const private = 2
	for _, m := range before.Methods {
		if m.Flags&private == 0 && !slices.ContainsFunc(after.Methods, func(x bytecode.Method) bool { return x.Name == m.Name && x.Descriptor == m.Descriptor }) {
			out = append(out, method{before.Name, m.Name, m.Descriptor})
		}
	}
	return out
}

// callsOne reports whether a class calls one of some methods.
func callsOne(c *bytecode.Class, of []method) (method, bool) {
	for _, m := range c.Methods {
		if m.Bytes == nil {
			continue
		}
		code, err := bytecode.Decode(c.Name+"."+m.Name, m.Bytes, c.Pool)
		if err != nil {
			continue
		}
		for _, x := range of {
			if len(code.Find(bytecode.Call(x.class, x.name, x.descriptor))) > 0 {
				return x, true
			}
		}
	}
	return method{}, false
}
