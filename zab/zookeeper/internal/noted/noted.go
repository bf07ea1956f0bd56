// Package noted finds the instructions of changed lines in compiled classes, so that a debugger
// can note which of the lines ran and which ways their conditions took.
package noted

import (
	"archive/zip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/javac"
)

// What it computes. For each changed line the instructions at which it begins, and its conditional
// jumps.
//
// Why it is right. A class file names the source line of each instruction. A line runs
// if and only if an instruction runs at which its code begins. A changed line without code of its
// own stands for the statement around it, which the compiler's syntax tree gives: a compiler names
// the line of a statement and those of its calls, and no lines of operands. A line that was removed
// within a statement stands for it, too, and another one for the code that follows. Where a class
// has no such line, nothing can run there, and the line has no place. A condition of Java is one or
// more conditional jumps: each operand is one. Both ways must be taken.
//
// Classes that others have compiled come without statements. There the line before it in the method
// that has code stands for a line without.
//
// What it costs. One read of the classes of the changed files.
//
// Example. The line 7 is changed:
//
//	7:  if (epoch > last && open) {     10 lload_1
//	                                    12 lcmp
//	                                    13 ifle 30      condition 1 of 2: to 16, or to 30
//	                                    17 ifeq 30      condition 2 of 2: to 20, or to 30
//
// A line that a compiler copies, as one in a finally block, has the conditions of each copy.

// Line is a line of a source that must be noted.
type Line struct {
	File    string // with slashes; it ends in the folder of the class's package
	Number  int    // from 1
	Removed bool   // lines were removed before it
	Text    string // of the line
}

// Kind says what is noted of a place.
type Kind string

// Kinds of places. They are those of checker.Point.
const (
	Ran  Kind = "line" // whether the line ran
	Jump Kind = "jump" // whether a condition led to both ways
)

// Place is a line, or a condition on one.
type Place struct {
	Line
	Func string // Class.method
	Kind Kind
	// Column numbers the conditions of a line from 1; 0 for a line. Of counts them.
	Column, Of int
}

// Spot is an instruction that says something about a place.
type Spot struct {
	Place                     int // its number
	Class, Method, Descriptor string
	Offset                    int
	// Next and Jump are the offsets to which a conditional jump leads. Both are 0 at a line.
	Next, Jump int
}

// Find finds the places of lines in the classes of a folder or jar. The error says why these cannot
// be read.
func Find(classes string, lines []Line) (places []Place, spots []Spot, err error) {
	var files []string
	for _, l := range lines {
		if !slices.Contains(files, l.File) {
			files = append(files, l.File)
		}
	}
	all, extents, err := read(classes, files)
	if err != nil {
		return nil, nil, err
	}
	f := &finder{statements: extents}
	for _, file := range files {
		for _, l := range lines {
			if l.File == file {
				f.line(all[file], l)
			}
		}
	}
	return f.places, f.spots, nil
}

// read reads the classes whose sources are among the files, and the statements of these.
func read(classes string, files []string) (out map[string][]*bytecode.Class, statements map[string][]javac.Extent, err error) {
	root := os.DirFS(classes)
	if info, err := os.Stat(classes); err != nil {
		return nil, nil, err
	} else if !info.IsDir() {
		z, err := zip.OpenReader(classes)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", classes, err)
		}
		defer z.Close()
		root = z
	}
	if statements, err = javac.ExtentsIn(root); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", classes, err)
	}
	out = map[string][]*bytecode.Class{}
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".class" {
			return err
		}
		for _, file := range files {
			outer, _, _ := strings.Cut(strings.TrimSuffix(path.Base(name), ".class"), "$")
			if !below(path.Dir(file), path.Dir(name)) {
				continue
			}
			c, err := class(root, name)
			if err != nil {
				return fmt.Errorf("%s: %w", filepath.Join(classes, filepath.FromSlash(name)), err)
			}
			if c.Source == path.Base(file) || c.Source == "" && outer+".java" == path.Base(file) {
				out[file] = append(out[file], c)
			}
		}
		return nil
	})
	return out, statements, err
}

// below reports whether a folder ends in the folders of a package.
func below(dir, pkg string) bool { return strings.HasSuffix("/"+dir, "/"+pkg) }

func class(root fs.FS, name string) (*bytecode.Class, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	return bytecode.ReadClass(b)
}

type finder struct {
	statements map[string][]javac.Extent // by file; nil: not known
	places     []Place
	spots      []Spot
}

// line adds the places of a line.
func (f *finder) line(classes []*bytecode.Class, l Line) {
	numbers, own := []int{l.Number}, !l.Removed
	if e := javac.Around(f.statements[l.File], l.Number, l.Removed); e != nil && (l.Removed || !has(classes, l.Number)) {
		numbers = f.coded(classes, l.File, *e)
		own = l.Removed || strings.ContainsAny(l.Text, operators)
	} else if !has(classes, l.Number) {
		numbers = []int{stand(classes, l)}
		own = own && strings.ContainsAny(l.Text, operators)
	}
	line := -1
	first, jumps := len(f.places), 0
	for _, c := range classes {
		for k := range c.Methods {
			m := &c.Methods[k]
			name := short(c.Name) + "." + m.Name
			for _, r := range ranges(m, numbers...) {
				if line < 0 {
					line = len(f.places)
					f.places = append(f.places, Place{Line: l, Func: name, Kind: Ran})
				}
				f.spots = append(f.spots, Spot{Place: line, Class: c.Name, Method: m.Name, Descriptor: m.Descriptor, Offset: r.from})
				if !own {
					continue
				}
				for _, i := range conditions(c, m, r) {
					jumps++
					f.spots = append(f.spots, Spot{Place: len(f.places), Class: c.Name, Method: m.Name, Descriptor: m.Descriptor, Offset: i.Offset, Next: i.Next(), Jump: i.Jumps[0]})
					f.places = append(f.places, Place{Line: l, Func: name, Kind: Jump, Column: jumps})
				}
			}
		}
	}
	for k := first; k < len(f.places); k++ {
		if f.places[k].Kind == Jump {
			f.places[k].Of = jumps
		}
	}
}

// operators are characters of conditions.
const operators = "&|<>=?!"

// coded returns the lines of a statement that have code. Those of statements within it are none.
func (f *finder) coded(classes []*bytecode.Class, file string, e javac.Extent) (out []int) {
	for number := e.First; number <= e.Last; number++ {
		within := slices.ContainsFunc(f.statements[file], func(x javac.Extent) bool {
			return e.First <= x.First && x.Last <= e.Last && x.Last-x.First < e.Last-e.First && x.First <= number && number <= x.Last
		})
		if !within && has(classes, number) {
			out = append(out, number)
		}
	}
	return out
}

// has reports whether a line has code.
func has(classes []*bytecode.Class, number int) bool {
	return slices.ContainsFunc(classes, func(c *bytecode.Class) bool {
		return slices.ContainsFunc(c.Methods, func(m bytecode.Method) bool { return len(ranges(&m, number)) > 0 })
	})
}

// stand returns the line with code that stands for a line without, in the smallest method around
// it; 0 where there is none.
func stand(classes []*bytecode.Class, l Line) (number int) {
	smallest := 0
	for _, c := range classes {
		for _, m := range c.Methods {
			var lines []int
			for _, x := range m.Lines {
				lines = append(lines, x.Line)
			}
			if len(lines) == 0 || l.Number < slices.Min(lines) || l.Number > slices.Max(lines) {
				continue
			}
			size := slices.Max(lines) - slices.Min(lines) + 1
			if smallest > 0 && size >= smallest {
				continue
			}
			smallest, number = size, nearest(lines, l)
		}
	}
	return number
}

// nearest returns the line that stands for another one: the next one for a removed line, else the
// last one before it.
func nearest(lines []int, l Line) (out int) {
	for _, n := range lines {
		switch {
		case l.Removed && n >= l.Number && (out == 0 || n < out):
			out = n
		case !l.Removed && n <= l.Number && n > out:
			out = n
		}
	}
	return out
}

// extent is a stretch of a method's code, up to the offset to.
type extent struct{ from, to int }

// ranges returns the stretches of a method's code that are of some lines.
func ranges(m *bytecode.Method, numbers ...int) (out []extent) {
	for _, l := range m.Lines {
		if !slices.Contains(numbers, l.Line) {
			continue
		}
		r := extent{l.Offset, len(m.Bytes)}
		for _, other := range m.Lines {
			if other.Offset > r.from && other.Offset < r.to {
				r.to = other.Offset
			}
		}
		out = append(out, r)
	}
	return out
}

// conditions returns the conditional jumps of a stretch of code.
func conditions(c *bytecode.Class, m *bytecode.Method, r extent) (out []bytecode.Instruction) {
	code, err := bytecode.Decode(c.Name+"."+m.Name, m.Bytes, c.Pool)
	if err != nil {
		return nil
	}
	for _, i := range code.Instructions {
		if i.Op.Conditional() && i.Offset >= r.from && i.Offset < r.to {
			out = append(out, i)
		}
	}
	return out
}

// short returns the name of a class without its package.
func short(class string) string { return class[strings.LastIndexByte(class, '.')+1:] }
