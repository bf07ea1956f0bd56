package configs

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// notInherited are the blocks that say something about one manifest only.
var notInherited = []string{"expect"}

// overlay returns under with over laid on it: the manifest that results when
// over extends under. Neither is changed.
func overlay(under, over *block) *block {
	b := *over
	b.attrs = maps.Clone(under.attrs)
	b.names = slices.Clone(under.names)
	for _, name := range over.names {
		if _, inherited := b.attrs[name]; !inherited {
			b.names = append(b.names, name)
		}
		b.attrs[name] = over.attrs[name]
	}
	for _, n := range over.blocks {
		if over.attrs[n.kind] == nil && b.attrs[n.kind] != nil { // as an empty list of under
			delete(b.attrs, n.kind)
			b.names = slices.DeleteFunc(b.names, func(name string) bool { return name == n.kind })
		}
	}
	b.blocks = nil
	overs, kinds, taken := byKey(over.blocks), make(map[string]bool), make(map[string]bool)
	for _, n := range over.blocks {
		kinds[n.kind] = true
	}
	for _, n := range under.blocks {
		if under.kind == "" && slices.Contains(notInherited, n.kind) {
			continue
		}
		switch n.schema.repeats {
		case many:
			if kinds[n.kind] || over.attrs[n.kind] != nil {
				continue
			}
		case named:
			if overs[n.key()] != nil || over.attrs[n.kind] != nil {
				continue
			}
		}
		if o := overs[n.key()]; o != nil {
			n = overlay(n, o)
		}
		taken[n.key()] = true
		b.blocks = append(b.blocks, n)
	}
	for _, n := range over.blocks {
		if n.schema.repeats >= many || !taken[n.key()] {
			b.blocks = append(b.blocks, n)
		}
	}
	return &b
}

// position returns a function that orders ranges by file, in the order of
// files, and by place in the file. Files not listed come first.
func position(files []string) func(a, b *hcl.Range) int {
	return func(a, b *hcl.Range) int {
		switch {
		case a == nil && b == nil:
			return 0
		case a == nil:
			return -1
		case b == nil:
			return 1
		}
		if d := slices.Index(files, a.Filename) - slices.Index(files, b.Filename); d != 0 {
			return d
		}
		return a.Start.Byte - b.Start.Byte
	}
}
