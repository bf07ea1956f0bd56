package wire

import (
	"regexp"
	"strconv"
	"strings"
)

// Place is where a program was when the Go runtime ended it.
type Place struct {
	Func string
	File string // "" if the output says nothing of the user's code
	Line int
	Init bool // while packages were initialised, before the program itself began
}

var (
	goroutineLine = regexp.MustCompile(`^goroutine (\d+) .*\[(\w+)`)
	stateLine     = regexp.MustCompile(`\[([^],]+)`)
	frameLine     = regexp.MustCompile(`^\t(.+\.go):(\d+)`)
	runtimeLine   = regexp.MustCompile(`(?m)^\t(.+/src/)runtime/[a-z_0-9]+\.go:`)
	initName      = regexp.MustCompile(`\.init(\.\d+)?(\.func\d+.*)?$`)
)

// passing are the packages whose frames are not where a mistake of the user's code is. Those of
// the standard library are known by their folder.
var passing = []string{"runtime.", "panic", "github.com/multigrain/multigrain/modules", "github.com/multigrain/multigrain/grains", "main."}

// ours are the packages that run the user's code.
const ours = "github.com/multigrain/multigrain/checker"

// Place finds the innermost frame of the user's code in the goroutine that ran when the program
// ended. In a program that is stuck this is goroutine 1, which initialises packages: the scheduler
// may have preempted it at that moment.
func (e *CrashError) Place() (at Place) {
	var fn string
	inside, library := false, libraryOf(e.Output)
	for line := range strings.Lines(e.Output) {
		line = strings.TrimRight(line, "\n")
		switch m := frameLine.FindStringSubmatch(line); {
		case !inside && e.begins(line):
			inside = true
		case !inside:
		case line == "" && (at.File != "" || fn != ""):
			return at
		case m != nil:
			at.Init = at.Init || strings.HasPrefix(fn, "runtime.doInit") || initName.MatchString(fn)
			known := m[2] != "1" // the compiler loses the line of an inlined loop
			if at.File == "" && known && !isPassing(fn) && !strings.HasPrefix(m[1], library) {
				at.Func, at.File = fn, m[1]
				at.Line, _ = strconv.Atoi(m[2])
			}
		case line != "" && line[0] != '\t':
			fn = functionOf(line)
		}
	}
	return at
}

// Reason returns the line of the output that says why the program ended: that of the panic or the
// fatal error, or else the first.
func (e *CrashError) Reason() string {
	for line := range strings.Lines(e.Output) {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return strings.TrimSpace(line)
		}
	}
	return e.First()
}

// fullPanic is the panic of a full value, as the Go runtime prints a *modules.CapacityError.
var fullPanic = regexp.MustCompile(`^panic: \w+ is full: it holds (\d+)`)

// Full returns how many elements the value holds that was full; 0 if the program ended with
// something else.
func (e *CrashError) Full() int {
	if m := fullPanic.FindStringSubmatch(e.Reason()); m != nil {
		n, _ := strconv.Atoi(m[1])
		return n
	}
	return 0
}

// begins reports whether a line begins the goroutine that matters.
func (e *CrashError) begins(line string) bool {
	m := goroutineLine.FindStringSubmatch(line)
	return m != nil && (e.Stuck && m[1] == "1" || !e.Stuck && m[2] == "running")
}

// Users reports whether a place is known and in the user's code.
func (p Place) Users() bool { return p.File != "" && !strings.HasPrefix(p.Func, ours) }

// functionOf returns the name of a function in a line such as "example.com/x.(*T).f(0x1, ...)".
func functionOf(line string) string {
	if k := strings.LastIndex(line, "("); k > 0 && strings.HasSuffix(line, ")") {
		return line[:k]
	}
	return line
}

func isPassing(fn string) bool {
	for _, p := range passing {
		if strings.HasPrefix(fn, p) {
			return true
		}
	}
	return false
}
