package bytecode

import (
	"fmt"
	"strings"
)

// Site describes instructions to search for: see Call, Read and Write.
type Site struct {
	verb   string
	kind   func(Op) bool
	member Member // an empty part matches everything
}

// Call matches the calls of a method. Class, name and descriptor match everything if empty. An
// invokedynamic has no class.
func Call(class, name, descriptor string) Site {
	return site("call", Op.isCall, class, name, descriptor)
}

// Read matches the instructions that read a field, static or not.
func Read(class, name string) Site { return site("read", Op.isRead, class, name, "") }

// Write matches the instructions that write a field, static or not.
func Write(class, name string) Site { return site("write", Op.isWrite, class, name, "") }

func site(verb string, kind func(Op) bool, class, name, descriptor string) Site {
	return Site{verb, kind, Member{strings.ReplaceAll(class, "/", "."), name, descriptor}}
}

// String returns the site as errors print it.
func (s Site) String() string {
	m := s.member
	if m.Name == "" {
		m.Name = "*"
	}
	return s.verb + " of " + m.String()
}

// matches reports whether the instruction is such a site.
func (s Site) matches(i Instruction) bool {
	fits := func(pattern, text string) bool { return pattern == "" || pattern == text }
	return s.kind(i.Op) && fits(s.member.Class, i.Member.Class) && fits(s.member.Name, i.Member.Name) &&
		fits(s.member.Descriptor, i.Member.Descriptor)
}

// Pick chooses one of the instructions that match a site.
type Pick struct {
	n     int // the n-th, from 1; 0 for the only one
	first bool
	after int // with first: the first whose offset is larger
}

// Only requires that exactly one instruction matches.
var Only = Pick{}

// Nth chooses the n-th match in the order of offsets, from 1.
func Nth(n int) Pick { return Pick{n: n} }

// FirstAfter chooses the first match whose offset is larger than the given one.
func FirstAfter(offset int) Pick { return Pick{first: true, after: offset} }

// Find returns all instructions that match, in the order of offsets.
func (c *Code) Find(s Site) (out []Instruction) {
	for _, i := range c.Instructions {
		if s.matches(i) {
			out = append(out, i)
		}
	}
	return out
}

// Entry returns the offset of the first instruction.
func (c *Code) Entry() int { return 0 }

// Before returns the offset of the call, read or write itself: a breakpoint there strikes before it
// runs.
func (c *Code) Before(s Site, p Pick) (int, error) {
	i, err := c.pick(s, p)
	return i.Offset, err
}

// After returns the offset of the instruction that follows the call, read or write. It fails if
// another instruction jumps there.
func (c *Code) After(s Site, p Pick) (int, error) {
	i, err := c.pick(s, p)
	if err != nil {
		return 0, err
	}
	if _, ok := c.At(i.Next()); !ok {
		return 0, fmt.Errorf("bytecode: %s: no instruction follows the %v at offset %d", c.Method, s, i.Offset)
	}
	if from := c.jumpsTo(i.Next()); len(from) > 0 {
		return 0, fmt.Errorf("bytecode: %s: offset %d follows the %v, but is also reached by jumps from %s: choose a place that only the %s leads to",
			c.Method, i.Next(), s, offsets(from), s.verb)
	}
	return i.Next(), nil
}

// jumpsTo returns the instructions that may jump to an offset.
func (c *Code) jumpsTo(offset int) (out []Instruction) {
	for _, i := range c.Instructions {
		for _, to := range i.Jumps {
			if to == offset {
				out = append(out, i)
				break
			}
		}
	}
	return out
}

// pick returns the match that p chooses.
func (c *Code) pick(s Site, p Pick) (Instruction, error) {
	all := c.Find(s)
	if len(all) == 0 {
		return Instruction{}, fmt.Errorf("bytecode: %s has no %v%s", c.Method, s, c.alike(s))
	}
	switch {
	case p.first:
		for _, i := range all {
			if i.Offset > p.after {
				return i, nil
			}
		}
		return Instruction{}, fmt.Errorf("bytecode: %s has no %v after offset %d, only at %s", c.Method, s, p.after, offsets(all))
	case p.n == 0 && len(all) == 1:
		return all[0], nil
	case p.n == 0:
		return Instruction{}, fmt.Errorf("bytecode: %s has %d instructions that match %v, at %s: choose one with Nth or FirstAfter", c.Method, len(all), s, offsets(all))
	case p.n < 1 || p.n > len(all):
		return Instruction{}, fmt.Errorf("bytecode: %s has no number %d of the %v: they are %d, at %s", c.Method, p.n, s, len(all), offsets(all))
	}
	return all[p.n-1], nil
}

// alike lists members of the same name in other classes, or with other descriptors.
func (c *Code) alike(s Site) string {
	wide := s
	wide.member = Member{Name: s.member.Name}
	var out []string
	for _, i := range c.Find(wide) {
		out = append(out, i.String())
	}
	if s.member.Name == "" || len(out) == 0 {
		return ""
	}
	return "; it has " + strings.Join(out, ", ")
}

func offsets(all []Instruction) string {
	var out []string
	for _, i := range all {
		out = append(out, fmt.Sprint(i.Offset))
	}
	return strings.Join(out, ", ")
}
