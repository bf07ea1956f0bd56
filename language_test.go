package multigrain_test

import (
	"bufio"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// The language of comments, documents and messages is a ratchet. The file allowedFile has a row for
// each Go package or Markdown document and kind of finding, with the number of findings that it may
// have and the reason. The number may only fall: new files and packages have no row and may have
// none.
//
//	go test . -run TestLanguage                    finds what is new
//	go test . -run TestLanguage -update            lowers the rows; it never raises one
//	go test . -run TestLanguage -update -rebase    writes all rows anew, after packages were moved
//
// A rebase prints the totals before and after it. A total that rises needs a reason in the commit.
const (
	phrasesFile = "testdata/language/phrases.txt"
	allowedFile = "testdata/language/allowed.tsv"
)

var (
	updateLanguage = flag.Bool("update", false, "lower the numbers of "+allowedFile)
	rebaseLanguage = flag.Bool("rebase", false, "with -update: write the present numbers, also where they are higher")
)

// Kinds of findings.
const (
	kindPhrase   = "phrase"   // a phrase of phrasesFile
	kindWidth    = "width"    // a line of a comment or of Markdown with more than maxColumns
	kindSentence = "sentence" // a sentence of documentation with more than maxWords
)

// maxWords is the length of a sentence that a reader understands at the first reading.
const maxWords = 30

// phrase is an expression to avoid.
type phrase struct {
	line    int
	find    *regexp.Regexp
	except  []*regexp.Regexp
	instead string
	hit     string   // a sentence with the phrase
	fine    []string // sentences without it
}

// find is a finding at a line of a file.
type find struct {
	kind, file string
	line       int
	text       string
}

// readPhrases reads phrasesFile.
func readPhrases(t *testing.T) (out []*phrase) {
	t.Helper()
	f, err := os.Open(phrasesFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	scan := bufio.NewScanner(f)
	for n := 1; scan.Scan(); n++ {
		line := scan.Text()
		inner, below := strings.CutPrefix(line, "\t")
		key, rest, _ := strings.Cut(inner, " ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case !below:
			x := &phrase{line: n, find: regexp.MustCompile(line)}
			x.find.Longest() // the whole word, where the beginning of it is an alternative too
			out = append(out, x)
		case len(out) == 0:
			t.Fatalf("%s:%d: no phrase stands above", phrasesFile, n)
		case key == "say":
			out[len(out)-1].instead = rest
		case key == "hit":
			out[len(out)-1].hit = rest
		case key == "fine":
			out[len(out)-1].fine = append(out[len(out)-1].fine, rest)
		case key == "except":
			out[len(out)-1].except = append(out[len(out)-1].except, regexp.MustCompile(rest))
		default:
			t.Fatalf("%s:%d: %q is none of say, hit, except, fine", phrasesFile, n, key)
		}
	}
	if err := scan.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// in returns the places of the phrase in a text; lower is the text in lower case.
func (p *phrase) in(text, lower string) (out [][]int) {
	var good [][]int
	for k, m := range p.find.FindAllStringIndex(lower, -1) {
		if k == 0 {
			for _, x := range p.except {
				good = append(good, x.FindAllStringIndex(lower, -1)...)
			}
		}
		excepted := slices.ContainsFunc(good, func(g []int) bool { return g[0] <= m[0] && m[1] <= g[1] })
		if !excepted && wholeWords(lower, m) && !isName(text, m[0]) {
			out = append(out, m)
		}
	}
	return out
}

// wholeWords reports whether a place begins and ends with whole words that are no parts of names.
func wholeWords(text string, m []int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:m[0]])
	after, _ := utf8.DecodeRuneInString(text[m[1]:])
	inner := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' }
	last, _ := utf8.DecodeLastRuneInString(text[:m[1]])
	return !inner(before) && before != '.' && before != '/' && (!inner(last) || !inner(after) && after != '(')
}

// isName reports whether the word at an offset is capitalised inside a sentence.
func isName(text string, at int) bool {
	if r, _ := utf8.DecodeRuneInString(text[at:]); !unicode.IsUpper(r) {
		return false
	}
	before := strings.TrimRight(text[:at], " \"'(*")
	return before != "" && !strings.ContainsAny(before[len(before)-1:], ".!?:")
}

// sentenceEnd is the end of a sentence: a stop, perhaps a closing quote or bracket, and a space.
var sentenceEnd = regexp.MustCompile(`[.!?]["')\]]*( |$)`)

// longSentences returns the offsets and lengths of the sentences with more than maxWords words.
func longSentences(text string) (at, words []int) {
	start := 0
	next := func(end int) {
		n := 0
		for _, w := range strings.Fields(text[start:end]) {
			if strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
				n++
			}
		}
		if n > maxWords {
			at, words = append(at, start), append(words, n)
		}
		start = end
	}
	for _, m := range sentenceEnd.FindAllStringIndex(text, -1) {
		before := text[:m[0]+1]
		if !strings.HasSuffix(before, "e.g.") && !strings.HasSuffix(before, "i.e.") && !strings.HasSuffix(before, "vs.") {
			next(m[1])
		}
	}
	next(len(text))
	return at, words
}

// findings returns those of a document.
func (d *document) findings(file string, phrases []*phrase) (out []find) {
	for _, line := range d.wide {
		out = append(out, find{kindWidth, file, line, fmt.Sprintf("the line has more than %d columns; wrap it", maxColumns)})
	}
	for _, p := range d.prose {
		lower := strings.ToLower(p.text)
		for _, x := range phrases {
			for _, m := range x.in(p.text, lower) {
				out = append(out, find{kindPhrase, file, p.line(m[0]), fmt.Sprintf("%q: say %s", p.text[m[0]:m[1]], x.instead)})
			}
		}
		if !p.doc {
			continue
		}
		at, words := longSentences(p.text)
		for k := range at {
			out = append(out, find{kindSentence, file, p.line(at[k]), fmt.Sprintf("the sentence has %d words; split it into several of at most %d", words[k], maxWords)})
		}
	}
	slices.SortStableFunc(out, func(a, b find) int { return a.line - b.line })
	return out
}

// languageKey is a row of allowedFile: a Go package or a document, and a kind of findings.
type languageKey struct{ unit, kind string }

// allFindings reads all files of the project.
func allFindings(t *testing.T, phrases []*phrase) map[languageKey][]find {
	t.Helper()
	out := map[languageKey][]find{}
	err := filepath.WalkDir(".", func(name string, e fs.DirEntry, err error) error {
		name = filepath.ToSlash(name)
		if err != nil {
			return err
		}
		if e.IsDir() && (e.Name() == "testdata" || strings.HasPrefix(e.Name(), ".") && name != ".") {
			return fs.SkipDir
		}
		unit := name
		switch {
		case e.IsDir():
			return nil
		case path.Ext(name) == ".go":
			unit = path.Dir(name)
		case path.Ext(name) != ".md":
			return nil
		}
		d, err := readDocument(name)
		if d == nil || err != nil {
			return err
		}
		for _, f := range d.findings(name, phrases) {
			k := languageKey{unit, f.kind}
			out[k] = append(out[k], f)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// readAllowed reads allowedFile: the numbers and the reasons.
func readAllowed(t *testing.T) (out map[languageKey]int, why map[languageKey]string) {
	t.Helper()
	text, err := os.ReadFile(allowedFile)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	out, why = map[languageKey]int{}, map[languageKey]string{}
	for line := range strings.Lines(string(text)) {
		words := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		n, err := 0, error(nil)
		if len(words) == 4 {
			n, err = strconv.Atoi(words[2])
		}
		if len(words) != 4 || err != nil || n < 1 || words[3] == "" {
			t.Fatalf("%s: %q is not a package or document, a kind, a number above 0 and a reason, with tabs between", allowedFile, line)
		}
		out[languageKey{words[0], words[1]}], why[languageKey{words[0], words[1]}] = n, words[3]
	}
	return out, why
}

// writeAllowed writes allowedFile. A new row has no reason, and does not pass until somebody writes
// one.
func writeAllowed(t *testing.T, rows map[languageKey]int, why map[languageKey]string) {
	t.Helper()
	var lines []string
	for k, n := range rows {
		lines = append(lines, fmt.Sprintf("%s\t%s\t%d\t%s\n", k.unit, k.kind, n, why[k]))
	}
	slices.Sort(lines)
	text := "# Package or document, kind of finding, allowed number, reason. Written by go test . -run TestLanguage -update.\n" + strings.Join(lines, "")
	if err := os.WriteFile(allowedFile, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// ratchet returns the rows after an update, and whether a number is too high: rows fall to what was
// found and never rise, unless they are based anew.
func ratchet(found map[languageKey][]find, rows map[languageKey]int, rebase bool) map[languageKey]int {
	out := map[languageKey]int{}
	for k, list := range found {
		n := len(list)
		if !rebase {
			n = min(n, rows[k])
		}
		if n > 0 {
			out[k] = n
		}
	}
	return out
}

// TestLanguage compares the findings with the allowed numbers.
func TestLanguage(t *testing.T) {
	found := allFindings(t, readPhrases(t))
	rows, why := readAllowed(t)
	if *updateLanguage {
		before := rows
		rows = ratchet(found, rows, *rebaseLanguage)
		writeAllowed(t, rows, why)
		for _, kind := range []string{kindPhrase, kindWidth, kindSentence} {
			t.Logf("%s: %d were allowed, now %d", kind, total(before, kind), total(rows, kind))
		}
	} else if *rebaseLanguage {
		t.Fatal("-rebase needs -update")
	}
	for _, k := range slices.SortedFunc(maps.Keys(found), compareKeys) {
		list := found[k]
		if len(list) <= rows[k] {
			continue
		}
		t.Errorf("%s: %d findings of kind %s, and %d are allowed. Correct what is new of these:", k.unit, len(list), k.kind, rows[k])
		for n, f := range list {
			if n == 40 {
				t.Errorf("  and %d more", len(list)-n)
				break
			}
			t.Errorf("  %s:%d: %s", f.file, f.line, f.text)
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(rows), compareKeys) {
		if n := len(found[k]); n < rows[k] {
			t.Errorf("%s: only %d findings of kind %s, and %d are allowed. Run: go test . -run TestLanguage -update", k.unit, n, k.kind, rows[k])
		}
	}
}

func compareKeys(a, b languageKey) int {
	if c := strings.Compare(a.unit, b.unit); c != 0 {
		return c
	}
	return strings.Compare(a.kind, b.kind)
}

func total(rows map[languageKey]int, kind string) (sum int) {
	for k, n := range rows {
		if k.kind == kind {
			sum += n
		}
	}
	return sum
}
