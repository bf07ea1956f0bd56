package python

import "strings"

// Block is a class or a function with its lines, from the first decorator to the last statement.
type Block struct {
	Name  string // with the classes and functions around it, as Class.method
	Class bool
	First int // lines, from 1
	Last  int
}

// Blocks returns the classes and functions of a source, in the order of their first lines.
func Blocks(source string) (out []Block) {
	l := lexer{text: source, line: 1}
	for l.at < len(l.text) {
		l.next()
	}
	l.end()
	type around struct {
		block  int // in out
		indent int
	}
	var open []around
	decorated := 0 // the first line of decorators; 0: none
	for _, s := range l.logical {
		for len(open) > 0 && s.indent <= open[len(open)-1].indent {
			open = open[:len(open)-1]
		}
		for _, a := range open {
			out[a.block].Last = s.last
		}
		words := s.tokens[1:]
		if words[0].Text == "@" {
			if decorated == 0 {
				decorated = s.first
			}
			continue
		}
		if words[0].Text == "async" {
			words = words[1:]
		}
		if kind := words[0].Text; (kind == "def" || kind == "class") && len(words) > 2 {
			b := Block{Name: words[1].Text, Class: kind == "class", First: s.first, Last: s.last}
			if decorated > 0 {
				b.First = decorated
			}
			if len(open) > 0 {
				b.Name = out[open[len(open)-1].block].Name + "." + b.Name
			}
			open = append(open, around{len(out), s.indent})
			out = append(out, b)
		}
		decorated = 0
	}
	return out
}

// Module returns the names of the packages and modules to which a file belongs, outermost first.
// It is nil for a file that is no source of Python.
func Module(file string) []string {
	rest, ok := strings.CutSuffix(file, ".py")
	if !ok {
		return nil
	}
	return strings.Split(strings.TrimSuffix(rest, "/__init__"), "/")
}
