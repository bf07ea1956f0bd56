package methods

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Version is a version of the implementation with its files.
type Version struct {
	Name     string // as in 3.9.1, or master
	Revision string // a tag or commit
	Files    []*File
}

// File is a source file.
type File struct {
	Path  string // from the root of the repository
	Blob  string // its object name in Git
	Lines int
	Rows  []Row
}

// Row is a class, method, field or constant, as Kind says.
type Row struct {
	Kind, Name  string
	First, Last int // lines of the file, from 1; 0 where the source has none
	*Method         // nil for classes, fields, and methods without code
}

// Blob returns the name that Git gives to a text.
func Blob(text []byte) string {
	hash := sha1.New()
	fmt.Fprintf(hash, "blob %d\x00%s", len(text), text)
	return hex.EncodeToString(hash.Sum(nil))
}

// Read makes the rows of a version: the output of Lines.java, and the graph of the class files.
// Content returns a file of the output; at is the path of its folder in the repository. Methods
// without lines of their own stand in the file of their class. Methods of classes that no source
// has are left out.
func Read(output, at string, content func(name string) ([]byte, error), g *Graph) ([]*File, error) {
	var files []*File
	classes := map[string]*File{}
	seen := map[string]bool{}
	for line := range strings.Lines(output) {
		words := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if words[0] == "file" {
			text, err := content(words[1])
			if err != nil {
				return nil, err
			}
			n := strings.Count(string(text), "\n")
			if !strings.HasSuffix(string(text), "\n") {
				n++
			}
			files = append(files, &File{Path: at + "/" + words[1], Blob: Blob(text), Lines: n})
			continue
		}
		if len(words) != 4 || len(files) == 0 {
			return nil, fmt.Errorf("%q is no row of Lines.java", line)
		}
		first, err1 := strconv.Atoi(words[2])
		last, err2 := strconv.Atoi(words[3])
		if err1 != nil || err2 != nil {
			return nil, fmt.Errorf("%q has no lines", line)
		}
		f, r := files[len(files)-1], Row{Kind: words[0], Name: words[1], First: first, Last: last}
		if r.Kind == "class" {
			classes[r.Name] = f
		}
		if r.Kind == "method" && !seen[r.Name] {
			seen[r.Name], r.Method = true, g.Methods[r.Name]
		}
		if r.Kind == "field" && g.Constants[r.Name] {
			r.Kind = "constant"
		}
		f.Rows = append(f.Rows, r)
	}
	var rest []string
	for name := range g.Methods {
		if !seen[name] {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	for _, name := range rest {
		if f, m := classes[name[:strings.LastIndexByte(name, '.')]], g.Methods[name]; f != nil && !m.empty(name) {
			f.Rows = append(f.Rows, Row{Kind: "method", Name: name, Method: m})
		}
	}
	slices.SortFunc(files, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// empty reports whether a method does nothing that counts. What a static initialiser gives to
// fields does not.
func (m *Method) empty(name string) bool {
	return m == nil || len(m.Calls)+len(m.Over) == 0 && !m.Outside && (len(m.Uses) == 0 || strings.HasSuffix(name, ".<clinit>"))
}

// Format writes a table of versions. A file that an earlier version has with the same rows is named
// only.
func Format(versions []Version) string {
	var b strings.Builder
	written := map[string]string{} // the rows of a file and its object
	for _, v := range versions {
		fmt.Fprintf(&b, "version\t%s\nrevision\t%s\n", v.Name, v.Revision)
		for _, f := range v.Files {
			rows := f.format()
			if key := f.Path + " " + f.Blob; written[key] == rows {
				fmt.Fprintf(&b, "file\t%s\t%s\n", f.Path, f.Blob)
			} else {
				written[key] = rows
				fmt.Fprintf(&b, "file\t%s\t%s\t%d\n%s", f.Path, f.Blob, f.Lines, rows)
			}
		}
	}
	return b.String()
}

// format writes the rows of a file: each class, and then its own members.
func (f *File) format() string {
	var b strings.Builder
	for _, c := range f.Rows {
		if c.Kind != "class" {
			continue
		}
		fmt.Fprintf(&b, "class\t%s\t%d\t%d\n", c.Name, c.First, c.Last)
		for _, r := range f.Rows {
			if name, ok := strings.CutPrefix(r.Name, c.Name+"."); ok && r.Kind != "class" && !strings.Contains(name, ".") {
				r.format(&b, c.Name)
			}
		}
	}
	return b.String()
}

// format writes a member of a class.
func (r *Row) format(b *strings.Builder, class string) {
	b.WriteString(r.Kind + "\t" + short(class, r.Name))
	if r.First > 0 {
		fmt.Fprintf(b, "\t%d\t%d", r.First, r.Last)
	}
	b.WriteByte('\n')
	if r.Method == nil {
		return
	}
	for _, x := range []struct {
		word  string
		names []string
	}{{"calls", r.Calls}, {"over", r.Over}, {"uses", r.Uses}} {
		if len(x.names) > 0 {
			b.WriteString(x.word)
			for _, n := range x.names {
				b.WriteString("\t" + short(class, n))
			}
			b.WriteByte('\n')
		}
	}
	if r.Outside {
		b.WriteString("outside\n")
	}
}

// short shortens the name of a member for a row below a class. It begins with one dot if it is of
// the same class. It begins with two if its class is of the same package.
func short(class, name string) string {
	if rest, ok := strings.CutPrefix(name, class); ok && strings.LastIndexByte(rest, '.') == 0 {
		return rest
	}
	if p := packageOf(class); p != "" {
		if rest, ok := strings.CutPrefix(name, p+"."); ok && packageOf(name) == p {
			return ".." + rest
		}
	}
	return name
}

// packageOf returns the package of a class or member: names of classes begin with a capital letter.
func packageOf(name string) string {
	parts := strings.Split(name, ".")
	for k, p := range parts {
		if p != "" && p[0] >= 'A' && p[0] <= 'Z' {
			return strings.Join(parts[:k], ".")
		}
	}
	return ""
}
