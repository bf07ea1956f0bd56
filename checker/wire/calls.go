package wire

import (
	"fmt"
	"path"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// Call is a call of the checker into the user's code, in which a goroutine is.
type Call struct {
	// Key is the same in two dumps of one process if the goroutine is in the same call in both. It
	// is the goroutine's number and the frames that made the call, with their arguments. Two calls
	// in a row with the same arguments have the same key.
	Key string
	// Place is the innermost place in the user's code.
	Place Place
	// Adapter says that the function is an implementation's or its adapter's: package
	// checker/conform calls these itself.
	Adapter bool
	// Waits is the reason why the goroutine waits, as the runtime writes it: IO wait, or select. It
	// is "" for one that runs, or could run and gets no processor.
	Waits string
}

// Calls returns the calls into the user's code in a dump of all goroutines of this process, as
// runtime.Stack writes it. A goroutine that the user's code has started itself is in none.
func Calls(dump string) (all []Call) {
	for _, block := range strings.Split(dump, "\n\n") {
		if c, ok := callIn(block); ok {
			all = append(all, c)
		}
	}
	return all
}

// Implementation reports whether a program ended by itself because of the implementation that it
// ran, as far as its output says. Then the system did not end it, memory was not short, and neither
// the specification nor the checker called the code that failed.
func (e *CrashError) Implementation() bool {
	if e.Stuck || e.Killed || strings.Contains(e.Output, "out of memory") {
		return false
	}
	stack := e.failing()
	if c, ok := callIn(stack); ok {
		return c.Adapter
	}
	return !slices.ContainsFunc(framesOf(strings.Split(stack, "\n")), func(f frame) bool { return f.isOurs() })
}

// Frames returns the functions of the user's code that were being called when the Go runtime ended
// the program, the innermost first; nil where it did not.
func (e *CrashError) Frames() (out []string) {
	lines := strings.Split(e.failing(), "\n")
	for _, f := range framesOf(lines[1:]) {
		if f.isOurs() {
			break
		}
		if !strings.HasPrefix(f.name, "runtime.") && f.name != "panic" {
			out = append(out, fmt.Sprintf("%s (%s:%s)", f.name, path.Base(f.file), f.line))
		}
	}
	return out
}

// Words returns what the program wrote before it ended, up to the stack of the goroutine that ran
// then. Other goroutines are left out.
func (e *CrashError) Words() string {
	stack := e.failing()
	if stack == "" {
		return e.Output
	}
	return e.Output[:strings.Index(e.Output, stack)+len(stack)]
}

// failing returns the stack of the goroutine that ran when the Go runtime ended the program, "" if
// it did not.
func (e *CrashError) failing() string {
	for _, block := range strings.Split(e.Output, "\n\n") {
		if begins := strings.Index(block, "goroutine "); begins >= 0 {
			first, _, _ := strings.Cut(block[begins:], "\n")
			if e.begins(first) {
				return block[begins:]
			}
		}
	}
	return ""
}

// frame is a function in a stack. Text are its two lines.
type frame struct{ name, file, line, text string }

// callIn finds the call in the stack of one goroutine. Its frames are read from the outermost one
// to the innermost: those of the checker, those of the user's code, and perhaps those of packages
// that the user's code calls.
func callIn(block string) (c Call, ok bool) {
	lines := strings.Split(strings.TrimSpace(block), "\n")
	m := goroutineLine.FindStringSubmatch(lines[0])
	if m == nil {
		return c, false
	}
	frames := framesOf(lines[1:])
	key := []string{m[1]}
	if m := stateLine.FindStringSubmatch(lines[0]); m != nil && m[1] != "running" && m[1] != "runnable" {
		c.Waits = m[1]
	}
	caller := ""
	for k := len(frames) - 1; k >= 0; k-- {
		f := &frames[k]
		switch {
		case isPassing(f.name) || f.isLibrary():
		case f.isOurs():
			caller, c.Place = f.name, Place{} // the user's code has called back
		case caller != "":
			if c.Place.File == "" {
				c.Adapter = strings.HasPrefix(caller, ours+"/conform.")
			}
			// The compiler loses the line of an inlined loop, and says 1.
			if line, _ := strconv.Atoi(f.line); line > 1 || c.Place.File == "" {
				c.Place = Place{Func: f.name, File: f.file, Line: line}
			}
		}
		if c.Place.File == "" {
			key = append(key, f.text)
		}
	}
	c.Key = strings.Join(key, "\n")
	return c, c.Place.File != ""
}

// framesOf reads frames, without the line of what created the goroutine.
func framesOf(lines []string) (all []frame) {
	for k := 0; k+1 < len(lines); k++ {
		at := frameLine.FindStringSubmatch(lines[k+1])
		if at == nil || strings.HasPrefix(lines[k], "created by ") {
			continue
		}
		all = append(all, frame{functionOf(lines[k]), at[1], at[2], fmt.Sprint(lines[k], "\n", lines[k+1])})
	}
	return all
}

// libraryOf returns the folder of the standard library, as the program's output has it, or what no
// path begins with.
func libraryOf(dump string) string {
	if m := runtimeLine.FindStringSubmatch(dump); m != nil {
		return m[1]
	}
	return "\x00"
}

// library is the folder of the standard library that this process was built with. It is "" where
// paths were trimmed.
var library = func() string {
	pc := reflect.ValueOf(runtime.GC).Pointer()
	file, _ := runtime.FuncForPC(pc).FileLine(pc)
	folder, _, _ := strings.Cut(file, "runtime/")
	return folder
}()

// isLibrary reports whether a frame of this process is in the standard library. Where paths are
// trimmed, those of the packages that wait for input are known.
func (f *frame) isLibrary() bool {
	if library != "" {
		return strings.HasPrefix(f.file, library)
	}
	first, _, _ := strings.Cut(f.file, "/")
	return slices.Contains([]string{"bufio", "encoding", "fmt", "internal", "io", "net", "os", "reflect", "runtime", "slices", "sync", "syscall", "time"}, first)
}

// isOurs reports whether a function belongs to the packages that run the user's code. What tests
// declare counts as the user's.
func (f *frame) isOurs() bool {
	return strings.HasPrefix(f.name, ours) && !strings.HasSuffix(f.file, "_test.go")
}
