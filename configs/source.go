package configs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/configs/internal/foreign"
)

const (
	// maxSize is the size in bytes of the largest file that is read. Manifests
	// are some hundred lines; the HCL parser takes time quadratic in the length
	// of some expressions.
	maxSize = 256 << 10
	// maxNesting bounds how deep expressions may be nested. The HCL parser is
	// recursive, and a goroutine that outgrows its stack cannot be recovered.
	maxNesting = 500
)

// Unmeant reports whether a file on the command line could be another one than the caller meant:
// see package configs/internal/foreign. Its text must not be shown.
func Unmeant(path string) bool { return foreign.Unmeant(path) }

// errAllTooLarge is the error of files that are larger than maxTotal together.
var errAllTooLarge = fmt.Errorf("the files that this manifest is made of are larger than %d KiB together", maxTotal>>10)

// errTooLarge is the error of readFile for a file longer than maxSize.
var errTooLarge = fmt.Errorf("the file is larger than %d KiB, which no manifest is", maxSize>>10)

// maxChain is the largest number of files that a manifest consists of, and maxTotal their size in
// bytes together.
const (
	maxChain = 100
	maxTotal = 1 << 20
)

// readFile reads a file of at most maxSize bytes. It refuses named pipes, devices and sockets:
// opening one may wait without end, and reading one may have effects. A stream that the caller
// opened, such as /dev/stdin, is fine, and an endless one too.
func readFile(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() && !foreign.Stream(path) {
		return nil, errNoFile
	}
	f, err := host.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxSize+1))
}

// errNoFile is the error of readFile for a pipe, a device or a socket.
var errNoFile = errors.New("it is a pipe, a device or a socket, and no file")

// read returns the bytes of a file and adds them to the sources. from is where
// the file was named; it is zero for one named on the command line.
func (l *loader) read(path string, from hcl.Range) ([]byte, bool) {
	src, err := l.readFile(path)
	if err == nil && len(src) > maxSize {
		err = errTooLarge
	}
	if l.total += len(src); err == nil && l.total > maxTotal {
		err = errAllTooLarge
	}
	if err != nil {
		l.report(CannotRead(from, err, unreadable(path, err)))
		return nil, false
	}
	l.m.Sources[path] = &hcl.File{Bytes: src}
	return src, true
}

// unparsable returns the mistake of a text that the parser must not see; nil if there is none.
func unparsable(path string, src []byte) *hcl.Diagnostic {
	if at, bad := firstInvalid(path, src); bad {
		return Errorf(CodeNotUTF8, "File is not UTF-8", at,
			"The byte 0x%02x is not part of any UTF-8 character. Save the file as UTF-8.", src[at.Start.Byte])
	}
	if at, deep := tooDeep(path, src); deep {
		return Errorf(CodeSyntax, "Expression nested too deep", at,
			"More than %d brackets, blocks or operators are nested here. Break the expression up with locals.", maxNesting)
	}
	return nil
}

// Parse parses a text in the native syntax of HCL. It refuses one that is not UTF-8, and one that
// is nested too deep: the parser would need more stack than there is. The file is nil where it
// does.
func Parse(path string, src []byte) (*hcl.File, hcl.Diagnostics) {
	if d := unparsable(path, src); d != nil {
		return nil, hcl.Diagnostics{d}
	}
	return hclsyntax.ParseConfig(src, path, hcl.InitialPos)
}

// CodeMachine: the disk, a limit or the memory of the machine. No file alone brings it about.
const CodeMachine Code = "MG311"

// CannotRead returns the diagnostic of a file that cannot be read: MG311 where the error is one of
// the machine, as a limit or a damaged disk, and MG001 otherwise. detail says which file, and why.
func CannotRead(at hcl.Range, err error, detail string) *hcl.Diagnostic {
	code := CodeUnreadable
	for _, fault := range []error{syscall.EMFILE, syscall.ENFILE, syscall.EIO, syscall.ENOMEM, syscall.ENOSPC} {
		if errors.Is(err, fault) {
			code = CodeMachine
		}
	}
	return Errorf(code, "Cannot read file", at, "%s", detail)
}

// unreadable says in a sentence or two why a file could not be read.
func unreadable(path string, err error) string {
	info, statErr := os.Stat(path)
	switch {
	case statErr == nil && info.IsDir():
		found, _ := filepath.Glob(filepath.Join(path, "*.hcl"))
		if len(found) == 0 {
			return fmt.Sprintf("%s is a folder. Name a manifest, which is a file.", path)
		}
		return fmt.Sprintf("%s is a folder. Name one of the manifests in it, such as %s.", path, found[0])
	case errors.Is(err, fs.ErrNotExist):
		beside, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.hcl"))
		names := make([]string, len(beside))
		for i, b := range beside {
			names[i] = filepath.Base(b)
		}
		hint := ""
		if name := Suggest(filepath.Base(path), names); name != "" {
			hint = fmt.Sprintf(" Did you mean %q?", filepath.Join(filepath.Dir(path), name))
		}
		return fmt.Sprintf("%s does not exist.%s", path, hint)
	}
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return fmt.Sprintf("%s cannot be read: %v.", path, err)
}

// firstInvalid returns the range of the first byte of src that is not part of
// a UTF-8 character. The column counts characters.
func firstInvalid(path string, src []byte) (hcl.Range, bool) {
	if utf8.Valid(src) {
		return hcl.Range{}, false
	}
	at := 0
	for {
		r, size := utf8.DecodeRune(src[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	line := src[:at]
	pos := hcl.Pos{Line: 1 + bytes.Count(line, []byte("\n")), Byte: at}
	pos.Column = 1 + utf8.RuneCount(line[1+bytes.LastIndexByte(line, '\n'):])
	end := hcl.Pos{Line: pos.Line, Column: pos.Column + 1, Byte: at + 1}
	return hcl.Range{Filename: path, Start: pos, End: end}, true
}

// tooDeep returns the place where src goes deeper than maxNesting. Operators
// count with the brackets, since prefix operators and conditionals nest too.
func tooDeep(path string, src []byte) (hcl.Range, bool) {
	// the parser repeats its diagnostics
	tokens, _ := hclsyntax.LexConfig(src, path, hcl.InitialPos)
	type level struct {
		open hclsyntax.TokenType
		ops  int
	}
	stack := []level{{}}
	depth := 0
	for _, t := range tokens {
		top := &stack[len(stack)-1]
		switch t.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenOQuote,
			hclsyntax.TokenOHeredoc, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			stack = append(stack, level{open: t.Type})
			depth++
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenCQuote,
			hclsyntax.TokenCHeredoc, hclsyntax.TokenTemplateSeqEnd:
			if len(stack) > 1 {
				depth -= 1 + top.ops
				stack = stack[:len(stack)-1]
			}
		case hclsyntax.TokenComma, hclsyntax.TokenNewline:
			if t.Type == hclsyntax.TokenComma || top.open != hclsyntax.TokenOParen {
				depth -= top.ops
				top.ops = 0
			}
		case hclsyntax.TokenBang, hclsyntax.TokenMinus, hclsyntax.TokenQuestion, hclsyntax.TokenPlus,
			hclsyntax.TokenStar, hclsyntax.TokenSlash, hclsyntax.TokenPercent, hclsyntax.TokenAnd, hclsyntax.TokenOr,
			hclsyntax.TokenEqualOp, hclsyntax.TokenNotEqual, hclsyntax.TokenLessThan, hclsyntax.TokenGreaterThan:
			top.ops++
			depth++
		}
		if depth > maxNesting {
			return t.Range, true
		}
	}
	return hcl.Range{}, false
}

// chain reads the manifest at path and those it extends, the given one first,
// and returns what each consists of. Files that cannot be read are left out.
func (l *loader) chain(path string) []*block {
	var blocks []*block
	var extended []hcl.Range // where the extends of each file stands
	seen := map[string]int{}
	for from := (hcl.Range{}); ; {
		key := foreign.Canonical(path)
		if i, again := seen[key]; again {
			l.report(l.cycle(path, i, extended))
			l.damaged = true
			return blocks
		}
		if len(blocks) == maxChain {
			l.report(Errorf(CodeExtends, "Too many files", from, "More than %d files extend each other here. Put them together.", maxChain))
			l.damaged = true
			return blocks
		}
		seen[key] = len(seen)
		b, ok := l.file(path, from)
		l.damaged = l.damaged || !ok
		if b == nil {
			return blocks
		}
		blocks = append(blocks, b)
		attr := b.attrs["extends"]
		if attr == nil {
			return blocks
		}
		name, ok := l.literal(attr)
		if !ok {
			l.damaged = true
			return blocks
		}
		from = attr.Expr.Range()
		extended = append(extended, from)
		path = resolve(filepath.Dir(path), name)
	}
}

// file reads and parses a file of the chain and reports its mistakes. It returns nil for one that
// is not used, and whether all of it was read.
func (l *loader) file(path string, from hcl.Range) (*block, bool) {
	extended := from != hcl.Range{}
	if real, bad := foreign.Misnamed(path, extended); bad {
		l.report(Errorf(CodeUnreadable, "Not a manifest's file", from,
			"%s cannot be read: with links followed it is %s. A manifest is a regular file whose name ends in %s. "+
				"Name another file, or rename it.", path, real, foreign.Ending))
		return nil, false
	}
	src, ok := l.read(path, from)
	if !ok {
		return nil, false
	}
	p := parsed{file: l.m.Sources[path]}
	if file, diags := Parse(path, src); file != nil {
		p.file, p.diags = file, diags
	} else {
		p.diags = diags
	}
	if at, not := p.stranger(manifestSchema); not && (extended || foreign.Unmeant(path)) {
		delete(l.m.Sources, path)
		l.report(hidden("manifest", path, at, from))
		return nil, false
	}
	l.m.Files = append(l.m.Files, path)
	l.m.Sources[path] = p.file
	l.report(WithCode(CodeSyntax, p.diags)...)
	body, native := p.file.Body.(*hclsyntax.Body)
	if !native { // it was not parsed
		return nil, false
	}
	b := &block{schema: manifestSchema, whole: body.MissingItemRange()}
	found := b.readBody(body)
	if p.diags.HasErrors() {
		found = slices.DeleteFunc(found, func(d *hcl.Diagnostic) bool { return misplaced(d, src) })
	}
	l.report(found...)
	return b, !p.diags.HasErrors()
}

// misplaced reports whether d complains of a block that would be fine at the
// top of a manifest. Where there are syntax errors, this follows from a closing
// brace that is missing.
func misplaced(d *hcl.Diagnostic, src []byte) bool {
	return CodeOf(d) == CodeUnknownBlock && manifestSchema.blocks[string(d.Subject.SliceBytes(src))] != nil
}

// literal returns the value of extends.
func (l *loader) literal(attr *hclsyntax.Attribute) (string, bool) {
	if t, ok := attr.Expr.(*hclsyntax.TemplateExpr); ok && t.IsStringLiteral() {
		if v, diags := t.Value(nil); !diags.HasErrors() && v.AsString() != "" {
			return v.AsString(), true
		}
	}
	l.report(WithContext(Errorf(CodeExtends, "Extends must be plain text", attr.Expr.Range(),
		"The manifests are put together before any expression is evaluated, so extends takes only the quoted path "+
			"of a manifest, relative to the folder of this one."), attr.SrcRange))
	return "", false
}

// cycle reports that path, which is file number first of the chain, is reached
// a second time.
func (l *loader) cycle(path string, first int, extended []hcl.Range) *hcl.Diagnostic {
	names := append([]string{}, l.m.Files[first:]...)
	last := len(extended) - 1
	d := Errorf(CodeExtendsCycle, "Manifest extends itself", extended[last],
		"Following extends leads back to where it started: %s. Take one of them out.",
		strings.Join(append(names, path), " -> "))
	for _, at := range extended[first:last] {
		WithRelated(d, at, "extended here")
	}
	return d
}

// resolve returns the path that name, written in a file in folder dir, means.
func resolve(dir, name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// hidden reports a file that does not parse as a file of some kind, without its text. from is where
// the file was named; it is zero for the command line.
func hidden(kind, path string, at, from hcl.Range) *hcl.Diagnostic {
	if from == (hcl.Range{}) {
		place := hcl.Range{Filename: path, Start: at.Start, End: at.Start}
		return Errorf(CodeSyntax, "Not a "+kind, place,
			"Line %d of %s cannot be part of a %s. Its text is not shown, since it is a link or has another name than a %s: it may be a file that you did not mean. "+
				"Name the file itself, with a name that ends in .hcl, to see the mistake.", at.Start.Line, path, kind, kind)
	}
	return Errorf(CodeSyntax, "Not a "+kind, from,
		"Line %d of %s cannot be part of a %s. Its text is not shown, since a %s can name any file. Run \"multigrain validate %s\" to see the mistake.",
		at.Start.Line, path, kind, kind, path)
}
