package effects

import (
	"archive/zip"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/javac"
)

// Program are the classes of one side of a change.
type Program struct {
	classes map[string]*bytecode.Class
	names   []string            // of classes, sorted
	below   map[string][]string // direct subclasses and implementations
	by      Observed
	bodies  map[*bytecode.Method]*body
	called  map[bytecode.Member][]*method // see targets
	reaches map[*bytecode.Method]*footprint
	callers map[*bytecode.Method][]*step // nil before the first question
	unread  map[string]bool              // fields that no code reads; nil before the first question
	objects *instances                   // classes that have objects; nil before the first question
	growing map[*bytecode.Method]bool    // methods whose roots are looked for
	unused  map[*bytecode.Method][]int   // see needless
	getters map[bytecode.Member]string   // see getter
	// statements are those of the sources of changed classes, by file, as far as they are known.
	statements map[string][]javac.Extent
}

// method is a method with its class.
type method struct {
	class *bytecode.Class
	*bytecode.Method
}

func (m *method) member() bytecode.Member {
	return bytecode.Member{Class: m.class.Name, Name: m.Name, Descriptor: m.Descriptor}
}

const (
	flagPrivate, flagStatic, flagSynchronized, flagVolatile, flagSynthetic = 0x2, 0x8, 0x20, 0x40, 0x1000
)

// Load reads the classes of folders and jars. If several have a class, the first one counts. By
// says what an adapter observes. The error names the file that cannot be read.
func Load(by Observed, paths ...string) (*Program, error) {
	p := &Program{classes: map[string]*bytecode.Class{}, below: map[string][]string{}, by: by, bodies: map[*bytecode.Method]*body{},
		called: map[bytecode.Member][]*method{}, reaches: map[*bytecode.Method]*footprint{}, growing: map[*bytecode.Method]bool{}, unused: map[*bytecode.Method][]int{}, getters: map[bytecode.Member]string{}, statements: map[string][]javac.Extent{}}
	for _, name := range paths {
		if name == "" {
			continue
		}
		if err := p.read(name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	for name := range p.classes {
		p.names = append(p.names, name)
	}
	slices.Sort(p.names)
	for _, name := range p.names {
		c := p.classes[name]
		for _, up := range append([]string{c.Super}, c.Interfaces...) {
			p.below[up] = append(p.below[up], name)
		}
	}
	return p, nil
}

// read reads the classes of a folder or a jar.
func (p *Program) read(name string) error {
	root := os.DirFS(name)
	if info, err := os.Stat(name); err != nil {
		return err
	} else if !info.IsDir() {
		z, err := zip.OpenReader(name)
		if err != nil {
			return err
		}
		defer z.Close()
		root = z
	}
	extents, err := javac.ExtentsIn(root)
	if err != nil {
		return err
	}
	maps.Copy(p.statements, extents)
	return fs.WalkDir(root, ".", func(file string, d fs.DirEntry, err error) error {
		class, is := strings.CutSuffix(file, ".class")
		if err != nil || d.IsDir() || !is || strings.HasPrefix(file, "META-INF/") {
			return err
		}
		if p.classes[strings.ReplaceAll(class, "/", ".")] != nil {
			return nil
		}
		b, err := fs.ReadFile(root, file)
		if err != nil {
			return err
		}
		c, err := bytecode.ReadClass(b)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if p.classes[c.Name] == nil {
			p.classes[c.Name] = c
		}
		return nil
	})
}

// find returns the declaration of a method: in the class that an instruction names, else in its
// superclasses and interfaces. It returns nil for one outside of the classes.
func (p *Program) find(m bytecode.Member) *method {
	c := p.classes[m.Class]
	if c == nil {
		return nil
	}
	if x := own(c, m); x != nil {
		return x
	}
	for _, up := range append([]string{c.Super}, c.Interfaces...) {
		if x := p.find(bytecode.Member{Class: up, Name: m.Name, Descriptor: m.Descriptor}); x != nil {
			return x
		}
	}
	return nil
}

// own returns the method that a class itself declares.
func own(c *bytecode.Class, m bytecode.Member) *method {
	for k := range c.Methods {
		if x := &c.Methods[k]; x.Name == m.Name && x.Descriptor == m.Descriptor {
			return &method{c, x}
		}
	}
	return nil
}

// targets returns the methods that a call may run: the declared one, and those that override it. If
// there are several, classes without an object do not count; see file instances.go.
func (p *Program) targets(m bytecode.Member) []*method {
	if out, ok := p.called[m]; ok {
		return out
	}
	var out []*method
	add := func(x *method) {
		if x != nil && x.Bytes != nil && !slices.ContainsFunc(out, func(y *method) bool { return y.Method == x.Method }) {
			out = append(out, x)
		}
	}
	add(p.find(m))
	if m.Name != "<init>" {
		seen := map[string]bool{}
		for todo := slices.Clone(p.below[m.Class]); len(todo) > 0; todo = todo[1:] {
			if name := todo[0]; !seen[name] {
				seen[name] = true
				add(own(p.classes[name], m))
				todo = append(todo, p.below[name]...)
			}
		}
	}
	out = p.live(out)
	p.called[m] = out
	return out
}

// targetsOf returns the methods that a step may run. A call of a superclass's method, or of a
// static one, runs that one.
func (p *Program) targetsOf(i bytecode.Instruction) []*method {
	if i.Op == opInvokespecial || i.Op == opInvokestatic {
		if x := p.find(*i.Member); x != nil && x.Bytes != nil {
			return []*method{x}
		}
		return nil
	}
	return p.targets(*i.Member)
}

// field returns the name of a field with the class that declares it.
func (p *Program) field(m bytecode.Member) string {
	for at := m.Class; p.classes[at] != nil; at = p.classes[at].Super {
		c := p.classes[at]
		if slices.ContainsFunc(c.Fields, func(f bytecode.Field) bool { return f.Name == m.Name }) {
			return at + "." + m.Name
		}
		for _, up := range c.Interfaces {
			if x := p.classes[up]; x != nil && slices.ContainsFunc(x.Fields, func(f bytecode.Field) bool { return f.Name == m.Name }) {
				return up + "." + m.Name
			}
		}
	}
	return m.Class + "." + m.Name
}

// of reports whether a class is compiled from a file. The file's folders end in those of the
// class's package.
func of(c *bytecode.Class, file string) bool {
	pkg := strings.ReplaceAll(c.Name[:max(strings.LastIndexByte(c.Name, '.'), 0)], ".", "/")
	if !strings.HasSuffix("/"+path.Dir(file), "/"+pkg) {
		return false
	}
	outer, _, _ := strings.Cut(c.Name[strings.LastIndexByte(c.Name, '.')+1:], "$")
	return c.Source == path.Base(file) || c.Source == "" && outer+".java" == path.Base(file)
}

// short returns the name of a class or member without its package.
func short(name string) string {
	parts := strings.Split(name, ".")
	for k, part := range parts {
		if part != "" && part[0] >= 'A' && part[0] <= 'Z' {
			return strings.ReplaceAll(strings.Join(parts[k:], "."), "$", ".")
		}
	}
	return name
}
