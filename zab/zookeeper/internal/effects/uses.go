package effects

import (
	"slices"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
)

// Observed says what an adapter observes in a composition. Names have the packages.
type Observed struct {
	Fields map[string]bool // with the class that declares them
	// Calls are methods whose arguments the adapter observes: it reads the files or the messages
	// that they write.
	Calls map[string]bool
	// Fixed are the fields that have certain values in each server that the specification has, with
	// the class that declares them, and parameters, as package.Request.isValid#0. A comparison of a
	// text with a constant has the method and the constant, as package.Config.parse equals port.
	Fixed map[string]Fixed
	// Silent are classes, or packages if they end with a dot, of loggers and meters. Nothing that
	// they get comes back.
	Silent []string
	// Begins are methods with which the program begins, by class and name. Without one, each class
	// counts as one that has objects.
	Begins []string
	// Managed are those of Silent that run code of others, as a registry of beans does. A change
	// that calls one is not inert.
	Managed []string
	// Apart are classes, packages or methods of what the specification does not have. What they do
	// is not named, and their results depend on what they get. A change that calls one is not
	// inert.
	Apart []string
}

// effect says what a call of code outside of the classes does.
type effect int

const (
	keeps   effect = iota // it may do anything
	pure                  // it computes its result
	looks                 // it reads its receiver
	changes               // it reads and writes its receiver
	quiet                 // it writes a log or a metric
	apart                 // it does what the specification does not have, and computes its result
)

// computing are classes whose methods compute results of their arguments. Those that end with a dot
// are packages.
var computing = []string{
	"java.lang.String", "java.lang.Math", "java.lang.Long", "java.lang.Integer", "java.lang.Short", "java.lang.Byte", "java.lang.Boolean", "java.lang.Double",
	"java.lang.Float", "java.lang.Character", "java.lang.Number", "java.lang.Object", "java.lang.Enum", "java.lang.Class", "java.lang.Comparable", "java.lang.CharSequence",
	"java.lang.Iterable", "java.lang.invoke.", "java.util.Objects", "java.util.Optional", "java.util.function.", "java.util.stream.", "java.util.Arrays",
	"java.text.", "java.math.", "java.time.", "java.nio.charset.", "java.net.InetSocketAddress", "java.net.InetAddress", "java.net.SocketAddress", "java.io.File",
}

// holding are classes of objects that hold values: what they are given is read from them alone.
var holding = []string{
	"java.util.", "java.nio.Buffer", "java.nio.ByteBuffer", "java.lang.StringBuilder", "java.lang.StringBuffer", "java.lang.ThreadLocal", "java.io.ByteArray",
	"java.io.Data", "java.io.Buffered", "java.io.StringWriter", "java.lang.ref.",
}

// running are classes within holding that run code or wait.
var running = []string{"java.util.Timer", "java.util.concurrent.Executor", "java.util.concurrent.ThreadPool", "java.util.concurrent.Future", "java.util.concurrent.CompletableFuture",
	"java.util.concurrent.Scheduled", "java.util.jar.", "java.util.logging.", "java.util.prefs."}

// looking are prefixes of the names of methods that change nothing of the object that holds values.
var looking = []string{"get", "size", "isEmpty", "contains", "peek", "element", "iterator", "entrySet", "keySet", "values", "hasNext", "next", "toString", "equals", "hashCode",
	"stream", "first", "last", "subList", "headMap", "tailMap", "ceiling", "floor", "higher", "lower", "remaining", "hasRemaining", "array", "length", "charAt", "intValue",
	"longValue", "toArray", "copyOf", "is", "size", "indexOf", "limit", "capacity"}

// asking are methods of classes that run code or wait, and that only say what is so.
var asking = []string{"java.lang.Thread.currentThread", "java.lang.Thread.getThreadGroup", "java.lang.Thread.getPriority", "java.lang.Thread.getName",
	"java.lang.Thread.getId", "java.lang.Thread.isAlive", "java.lang.Thread.isDaemon", "java.lang.Thread.isInterrupted", "java.lang.Thread.getStackTrace",
	"java.lang.System.getSecurityManager", "java.lang.SecurityManager.getThreadGroup", "java.lang.Runtime.getRuntime", "java.lang.Runtime.availableProcessors",
	"java.lang.Runtime.totalMemory", "java.lang.Runtime.freeMemory", "java.lang.Runtime.maxMemory"}

// naming are methods that say what a thread is called and how it is scheduled. No result depends on
// that, except those of the methods that ask for it.
var naming = []string{"java.lang.Thread.setName", "java.lang.Thread.setDaemon", "java.lang.Thread.setPriority"}

// wrapping are prefixes of the names of methods of Collections that change nothing of what they
// get. Nobody can change it through their results.
var wrapping = []string{"unmodifiable", "empty", "singleton", "nCopies", "min", "max", "frequency", "disjoint", "binarySearch", "enumeration", "list"}

// effectOf says what a call does whose method is outside of the classes, or is a quiet one.
func (p *Program) effectOf(i bytecode.Instruction) effect {
	m := i.Member
	in := func(list []string) bool {
		return slices.ContainsFunc(list, func(x string) bool {
			return m.Class == x || strings.HasPrefix(m.Class, x) && (strings.HasSuffix(x, ".") || m.Class[len(x)] == '$') || x != "java.util." && strings.HasPrefix(x, "java.io.") && strings.HasPrefix(m.Class, x)
		})
	}
	starts := func(list []string) bool {
		return slices.ContainsFunc(list, func(x string) bool { return strings.HasPrefix(m.Class, x) })
	}
	switch {
	case i.Op == opInvokedynamic:
		return pure
	case inClasses(p.by.Silent, m.Class):
		return quiet
	case inClasses(p.by.Apart, m.Class):
		return apart
	case slices.Contains(naming, m.Class+"."+m.Name):
		return quiet
	case slices.Contains(asking, m.Class+"."+m.Name):
		return pure
	case m.Class == "java.util.Collections" && slices.ContainsFunc(wrapping, func(x string) bool { return strings.HasPrefix(m.Name, x) }):
		return pure
	case strings.HasPrefix(m.Class, "["):
		return pure
	case m.Class == "java.lang.System" && slices.Contains([]string{"currentTimeMillis", "nanoTime", "identityHashCode", "getProperty", "lineSeparator"}, m.Name):
		return pure
	case m.Class == "java.lang.System" && m.Name == "arraycopy":
		return changes
	case m.Name == "<init>" && (m.Class == "java.lang.Object" || m.Class == "java.lang.Enum"):
		return pure
	case m.Name == "<init>" && (in(computing) || starts(holding) && !starts(running) || p.thrown(m.Class)):
		return changes // the object has what it is given
	case p.thrown(m.Class):
		return pure
	case m.Class == "java.lang.Object" && (strings.HasPrefix(m.Name, "notify") || m.Name == "wait"):
		return keeps
	case m.Class == "java.io.File" && slices.Contains([]string{"delete", "deleteOnExit", "mkdir", "mkdirs", "renameTo", "createNewFile", "createTempFile", "setLastModified"}, m.Name):
		return keeps
	case in(computing):
		return pure
	case starts(running) || !starts(holding):
		return keeps
	case strings.HasPrefix(m.Name, "getAnd"):
		return changes
	case slices.ContainsFunc(looking, func(x string) bool { return strings.HasPrefix(m.Name, x) }):
		return looks
	}
	return changes
}

// inClasses reports whether a list has a class or its package, or the class around it.
func inClasses(list []string, class string) bool {
	return slices.ContainsFunc(list, func(x string) bool {
		return class == x || strings.HasPrefix(class, x) && (strings.HasSuffix(x, ".") || class[len(x)] == '$')
	})
}

// thrown reports whether a class is one of exceptions, by its name.
func (p *Program) thrown(class string) bool {
	return strings.HasSuffix(class, "Exception") || strings.HasSuffix(class, "Error") || class == "java.lang.Throwable"
}

// rootKind says what holds a value.
type rootKind int

const (
	unknown rootKind = iota
	inField          // a field holds it
	made             // the method made it
	given            // it is a parameter
)

// root says where an object, or the object that holds it, comes from.
type root struct {
	kind  rootKind
	field string
	at    *step // that made it, or the parameter
}

// mostRoots bounds how far calls that return objects are followed.
const mostRoots = 4

// roots returns what a value comes from.
func (p *Program) roots(of []*step) []root {
	var out []root
	seen := map[*step]bool{}
	var add func(s *step, depth int)
	add = func(s *step, depth int) {
		if seen[s] {
			return
		}
		seen[s] = true
		all := func(k int) {
			if k < len(s.args) {
				for _, a := range s.args[k] {
					add(a, depth)
				}
			}
		}
		switch op := s.in.Op; {
		case s.kind == parameter:
			out = append(out, root{kind: given, at: s})
		case s.kind == caught:
			out = append(out, root{kind: unknown})
		case op.IsRead():
			out = append(out, root{kind: inField, field: p.field(*s.in.Member)})
		case op >= opNew && op <= 189 || op == opMultianew:
			out = append(out, root{kind: made, at: s})
		case op >= 46 && op <= 53: // an element of an array
			all(0)
		case op >= 1 && op <= 20: // a constant
		case op.IsCall() && op != opInvokedynamic && len(p.targetsOf(s.in)) > 0:
			for _, m := range p.targetsOf(s.in) {
				out = append(out, p.returned(m, depth)...)
			}
		case op.IsCall() && op != opInvokestatic && op != opInvokedynamic && p.effectOf(s.in) != pure:
			all(0)
		case op.IsCall():
			out = append(out, root{kind: made, at: s})
		default:
			out = append(out, root{kind: unknown})
		}
	}
	for _, s := range of {
		add(s, 0)
	}
	return out
}

// returned returns what the result of a method comes from, as its callers see it.
func (p *Program) returned(m *method, depth int) (out []root) {
	if p.growing[m.Method] || len(p.growing) > mostRoots {
		return []root{{kind: unknown}}
	}
	p.growing[m.Method] = true
	defer delete(p.growing, m.Method)
	for _, s := range p.bodyOf(m).steps {
		if s.kind == instruction && s.in.Op >= opIreturn && s.in.Op < opReturn {
			for _, r := range p.roots(s.args[0]) {
				if r.kind == given {
					r = root{kind: unknown}
				}
				out = append(out, r)
			}
		}
	}
	return out
}
