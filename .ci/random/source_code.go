package main

import (
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/.ci/random/oracle"
)

// writer prints a specification as Go.
type writer struct {
	s       *oracle.Spec
	code    strings.Builder // of the function that is written
	helpers strings.Builder
	helped  map[string]string // names of helpers by their text
	depth   int
}

// names says how a function names what a tree names.
type names struct {
	before, after string // states
	i, j, k       string
}

var (
	ofAction = names{"s", "n", "p.I", "p.J", "int(p.K)"}
	ofHelper = names{"x", "x", "i", "j", ""}
)

func (c names) who(who string) string {
	switch who {
	case "I":
		return c.i
	case "J":
		return c.j
	case "q":
		return "q"
	case "nobody":
		return "Nobody"
	}
	return "Node(" + who + ")"
}

// read returns how a variable is named.
func (w *writer) read(e *node, c names) string {
	state := c.before
	if e.Next {
		state = c.after
	}
	return state + "." + w.s.Vars[e.Var].Name
}

// num prints an expression of type int.
func (w *writer) num(e *node, c names) string {
	v := w.read0(e, c)
	switch e.Op {
	case "const":
		return fmt.Sprint(e.N)
	case "num":
		return "int(" + v + ")"
	case "elem":
		return fmt.Sprintf("int(%s[%s])", v, c.who(e.Who))
	case "sum", "last", "mapat":
		return w.helper(e, c)
	case "count":
		if w.s.Vars[e.Var].Kind == oracle.Set {
			return v + ".Len()"
		}
		return w.helper(e, c)
	case "countof":
		return fmt.Sprintf("%s[%s].Len()", v, c.who(e.Who))
	case "len", "maplen":
		return v + ".Len()"
	case "flight":
		return fmt.Sprintf("%s.Len(%s, %s)", v, c.who(e.Who), c.who(e.Peer))
	case "msg":
		return "int(m.V)"
	case "local":
		return fmt.Sprintf("v%d", e.N)
	case "add":
		return fmt.Sprintf("(%s + %s)", w.num(e.Args[0], c), w.num(e.Args[1], c))
	case "mul":
		return fmt.Sprintf("%s*%s", w.num(e.Args[0], c), w.num(e.Args[1], c))
	case "mod":
		return fmt.Sprintf("(%s)%%%d", w.num(e.Args[0], c), e.N)
	}
	panic("no number is " + e.Op)
}

// read0 is read where the expression has a variable.
func (w *writer) read0(e *node, c names) string {
	if e.Var < len(w.s.Vars) {
		return w.read(e, c)
	}
	return ""
}

// is prints a condition.
func (w *writer) is(e *node, c names) string {
	if e == nil {
		return "true"
	}
	v := w.read0(e, c)
	two := func(op string) string {
		return fmt.Sprintf("%s %s %s", w.num(e.Args[0], c), op, w.num(e.Args[1], c))
	}
	switch e.Op {
	case "true":
		return "true"
	case "not":
		return "!(" + w.is(e.Args[0], c) + ")"
	case "and":
		return "(" + w.is(e.Args[0], c) + ") && (" + w.is(e.Args[1], c) + ")"
	case "or":
		return "(" + w.is(e.Args[0], c) + ") || (" + w.is(e.Args[1], c) + ")"
	case "eq":
		return two("==")
	case "lt":
		return two("<")
	case "le":
		return two("<=")
	case "flag":
		return v
	case "flagof":
		return fmt.Sprintf("%s[%s]", v, c.who(e.Who))
	case "has", "inmap":
		return fmt.Sprintf("%s.Has(%s)", v, c.who(e.Who))
	case "hasof":
		return fmt.Sprintf("%s[%s].Has(%s)", v, c.who(e.Who), c.who(e.Peer))
	case "refis":
		return fmt.Sprintf("%s == %s", v, c.who(e.Who))
	case "insub":
		return fmt.Sprintf("p.S.Has(%s)", c.who(e.Who))
	case "same":
		return fmt.Sprintf("%s == %s", c.who(e.Who), c.who(e.Peer))
	case "inrecs":
		return fmt.Sprintf("%s.Has(%s)", v, w.record(e, c))
	case "is":
		return fmt.Sprintf("%s.Is(%s, %s, K%d)", v, c.who(e.Who), c.who(e.Peer), e.N)
	case "isat":
		return fmt.Sprintf("%s.Is(%s, %s, %s, K%d)", v, c.who(e.Who), c.who(e.Peer), c.k, e.N)
	case "broken":
		return fmt.Sprintf("%s.IsCut(%s, %s)", v, c.who(e.Who), c.who(e.Peer))
	case "all", "any":
		return w.helper(e, c)
	}
	panic("no condition is " + e.Op)
}

func (w *writer) record(e *node, c names) string {
	top := w.s.Vars[e.Var].Max + 1
	return fmt.Sprintf("Rec{A: uint8((%s) %% %d), B: uint8((%s) %% %d)}", w.num(e.Args[0], c), top, w.num(e.Args[1], c), top)
}

// helper writes a function for an expression that has a loop or a branch, and returns its call.
func (w *writer) helper(e *node, c names) string {
	state := c.before
	if e.Next {
		state = c.after
	}
	sign, call := "x *State", state
	uses := map[string]bool{e.Who: true}
	for _, b := range e.Body {
		b.Walk(func(x *node) { uses[x.Who], uses[x.Peer] = true, true })
	}
	inner := ofHelper
	for _, who := range []string{"I", "J"} {
		if uses[who] {
			sign += ", " + inner.who(who) + " Node"
			call += ", " + c.who(who)
		}
	}
	v := ""
	if e.Op != "all" && e.Op != "any" {
		v = "x." + w.s.Vars[e.Var].Name
	}
	const loop = "\tfor q := range Node(Nodes) {\n\t\t_ = q\n"
	body, result := "", "int"
	switch e.Op {
	case "sum":
		body = "\tt := 0\n" + loop + "\t\tt += int(" + v + "[q])\n\t}\n\treturn t\n"
	case "count":
		body = "\tt := 0\n" + loop + "\t\tif " + v + "[q] {\n\t\t\tt++\n\t\t}\n\t}\n\treturn t\n"
	case "last":
		body = "\treturn int(" + v + ".Last())\n"
	case "mapat":
		who := inner.who(e.Who)
		if e.Who == "q" { // of a loop around
			sign, call, who = sign+", q Node", call+", q", "q"
		}
		body = fmt.Sprintf("\tif %s.Has(%s) {\n\t\treturn int(%s.At(%s))\n\t}\n\treturn 0\n", v, who, v, who)
	case "all":
		result, body = "bool", loop+"\t\tif !("+w.is(e.Body[0], inner)+") {\n\t\t\treturn false\n\t\t}\n\t}\n\treturn true\n"
	case "any":
		result, body = "bool", loop+"\t\tif "+w.is(e.Body[0], inner)+" {\n\t\t\treturn true\n\t\t}\n\t}\n\treturn false\n"
	}
	text := fmt.Sprintf("(%s) %s {\n%s}\n\n", sign, result, body)
	name, ok := w.helped[text]
	if !ok {
		name = fmt.Sprintf("h%d", len(w.helped))
		w.helped[text] = name
		w.helpers.WriteString("func " + name + text)
	}
	return fmt.Sprintf("%s(%s)", name, call)
}

// line writes a line of a function.
func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(&w.code, "%s%s\n", strings.Repeat("\t", w.depth), fmt.Sprintf(format, args...))
}

// block writes statements.
func (w *writer) block(list []*node, c names) {
	w.depth++
	for _, e := range list {
		w.statement(e, c)
	}
	w.depth--
}

func (w *writer) statement(e *node, c names) {
	switch e.Op {
	case "if":
		w.line("if %s {", w.is(e.Args[0], c))
		w.block(e.Body, c)
		if len(e.Else) > 0 {
			w.line("} else {")
			w.block(e.Else, c)
		}
		w.line("}")
	case "for":
		w.line("for q := range Node(Nodes) {\n\t_ = q")
		w.block(e.Body, c)
		w.line("}")
	case "let":
		w.line("v%d := %s", e.N, w.num(e.Args[0], c))
		w.line("_ = v%d", e.N)
	case "raise":
		w.line("%s.Raised.Raise(Fail%d)", c.after, e.N)
	default:
		w.write(e, c, &w.s.Vars[e.Var])
	}
}

// write writes a statement that writes a variable.
func (w *writer) write(e *node, c names, x *oracle.Var) {
	v := c.after + "." + x.Name
	number := func() string { return fmt.Sprintf("uint8((%s) %% %d)", w.num(e.Args[0], c), x.Max+1) }
	who, peer := "", ""
	if e.Who != "" {
		who = c.who(e.Who)
	}
	if e.Peer != "" {
		peer = c.who(e.Peer)
	}
	switch e.Op {
	case "setnum":
		w.line("%s = %s", v, number())
	case "setflag":
		w.line("%s = %s", v, w.is(e.Args[0], c))
	case "setref":
		w.line("%s = %s", v, who)
	case "setelem":
		w.line("%s[%s] = %s", v, who, number())
	case "put":
		w.line("%s.Put(%s, %s)", v, who, number())
	case "setflagof":
		w.line("%s[%s] = %s", v, who, w.is(e.Args[0], c))
	case "addto":
		w.line("%s.Add(%s)", v, who)
	case "removefrom":
		w.line("%s.Remove(%s)", v, who)
	case "addtoof":
		w.line("%s[%s].Add(%s)", v, who, peer)
	case "removefromof":
		w.line("%s[%s].Remove(%s)", v, who, peer)
	case "delete":
		w.line("%s.Delete(%s)", v, who)
	case "append":
		w.line("if a := %s; %s.Len() < %d {", number(), v, x.Cap)
		w.line("\t%s.Append(a)", v)
		w.line("}")
	case "pop":
		w.line("if !%s.Empty() {", v)
		w.line("\t%s.PopFront()", v)
		w.line("}")
	case "clear":
		w.line("%s.Clear()", v)
	case "addrec":
		w.line("if r := (%s); %s.Has(r) || %s.Len() < %d {", w.record(e, c), v, v, x.Cap)
		w.line("\t%s.Add(r)", v)
		w.line("}")
	case "removerec":
		w.line("%s.Remove(%s)", v, w.record(e, c))
	case "send":
		w.line("if %s.Len(%s, %s) < %d {", v, who, peer, x.Cap)
		w.line("\t%s.Send(%s, %s, Msg{Kind: K%d, V: %s})", v, who, peer, e.N, number())
		w.line("}")
	case "recv":
		at := ""
		if x.Kind == oracle.Bag {
			at = ", " + c.k
		}
		w.line("m := %s.Recv(%s, %s%s, K%d)", v, who, peer, at, e.N)
		w.line("_ = m")
	case "lose":
		w.line("%s.Lose(%s, %s, 1)", v, who, peer)
	case "duplicate":
		w.line("if %s.Len(%s, %s) < %d {", v, who, peer, x.Cap)
		w.line("\t%s.Duplicate(%s, %s, 1)", v, who, peer)
		w.line("}")
	case "cut":
		w.line("%s.Cut(%s, %s)", v, who, peer)
	case "mend":
		w.line("%s.Mend(%s, %s)", v, who, peer)
	default:
		panic("no statement is " + e.Op)
	}
}
