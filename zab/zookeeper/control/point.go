package control

import (
	"errors"
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/jdwp"
)

// Point is an instruction at which threads stop, named so that it is found in several versions.
type Point struct {
	Place    Place
	Class    string // below org.apache.zookeeper.server, as quorum.Learner, or common.Class
	Method   string
	Site     Site
	Versions Ranges
	// Repair says that no release has the call, only a class with a repair. Where there is none, no
	// thread comes to the place.
	Repair bool
}

// Site is a place in a method: its entry if it is zero, else a call or a write of a field.
type Site struct {
	Kind Kind
	// Target is the name of the method that is called or of the field that is written. Descriptor
	// is the method's; "" is any.
	Target, Descriptor string
	// Follows is the name of a method: the place is the first one after the first call of it.
	// Precedes: it is the last one before the first call of that. Without them the place must be
	// the only one.
	Follows, Precedes string
}

// Kind is a kind of sites.
type Kind uint8

// Kinds of sites.
const (
	Entry Kind = iota
	BeforeCall
	AfterCall
	BeforeWrite
	AfterWrite
)

// Packages of the servers' classes.
const (
	project = "org.apache.zookeeper."
	common  = "common."
	servers = "server."
)

// class returns the full name of the point's class.
func (p *Point) class() string { return FullClass(p.Class) }

// FullClass returns the full name of a class that is named below org.apache.zookeeper.server, as
// quorum.Learner, or as common.Class.
func FullClass(short string) string {
	if strings.HasPrefix(short, common) {
		return project + short
	}
	return project + servers + short
}

func (p *Point) String() string { return fmt.Sprintf("%q (%s.%s)", p.Place, p.Class, p.Method) }

// errNoCall says that a method does not have the call of a point.
var errNoCall = errors.New("the method does not have the call")

// locate finds the point in a class that a JVM has loaded. It returns errNoCall if the point is of
// a repair that the class does not have.
func (p *Point) locate(c jdwp.Class) (jdwp.Location, error) {
	m, err := c.Method(p.Method, "")
	if err != nil {
		return jdwp.Location{}, fmt.Errorf("point %v: %w", p, err)
	}
	count, raw, err := c.ConstantPool()
	if err != nil {
		return jdwp.Location{}, err
	}
	pool, err := bytecode.ParsePool(count, raw)
	if err != nil {
		return jdwp.Location{}, err
	}
	instructions, err := m.Bytecodes()
	if err != nil {
		return jdwp.Location{}, err
	}
	code, err := bytecode.Decode(p.Class+"."+p.Method, instructions, pool)
	if err != nil {
		return jdwp.Location{}, err
	}
	if p.Repair && len(code.Find(bytecode.Call("", p.Site.Target, p.Site.Descriptor))) == 0 {
		return jdwp.Location{}, errNoCall
	}
	at, err := p.Site.find(code)
	if err != nil {
		return jdwp.Location{}, fmt.Errorf("point %v: %w", p, err)
	}
	return m.At(at), nil
}

// find returns the offset of a place in a method.
func (s *Site) find(code *bytecode.Code) (int, error) {
	if s.Kind == Entry {
		return code.Entry(), nil
	}
	what := bytecode.Call("", s.Target, s.Descriptor)
	if s.Kind == BeforeWrite || s.Kind == AfterWrite {
		what = bytecode.Write("", s.Target)
	}
	pick, err := s.pick(code, what)
	if err != nil {
		return 0, err
	}
	if s.Kind == BeforeCall || s.Kind == BeforeWrite {
		return code.Before(what, pick)
	}
	return code.After(what, pick)
}

// pick chooses among the instructions that match.
func (s *Site) pick(code *bytecode.Code, what bytecode.Site) (bytecode.Pick, error) {
	switch {
	case s.Follows != "":
		at, err := code.Before(bytecode.Call("", s.Follows, ""), bytecode.Nth(1))
		return bytecode.FirstAfter(at), err
	case s.Precedes != "":
		before, err := code.Before(bytecode.Call("", s.Precedes, ""), bytecode.Nth(1))
		last := 0
		for k, i := range code.Find(what) {
			if i.Offset < before {
				last = k + 1
			}
		}
		if last == 0 && err == nil {
			err = fmt.Errorf("%s has no %v before its first call of %s", code.Method, what, s.Precedes)
		}
		return bytecode.Nth(max(last, 1)), err
	}
	return bytecode.Only, nil
}
