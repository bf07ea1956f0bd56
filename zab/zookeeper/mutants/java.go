package mutants

import (
	"fmt"
	"regexp"
	"strings"
)

// extent is a range of lines of a source, counted from 1, with its last line.
type extent struct{ from, to int }

// blank returns a Java source with spaces instead of comments and of the contents of texts and
// characters. Line ends stay, so lines and offsets are those of the source.
func blank(source string) string {
	out := []byte(source)
	erase := func(from, to int) {
		for k := from; k < to; k++ {
			if out[k] != '\n' {
				out[k] = ' '
			}
		}
	}
	for k := 0; k < len(out); {
		end := len(out)
		switch rest := source[k:]; {
		case strings.HasPrefix(rest, "//"):
			if n := strings.IndexByte(rest, '\n'); n >= 0 {
				end = k + n
			}
		case strings.HasPrefix(rest, "/*"):
			if n := strings.Index(rest[2:], "*/"); n >= 0 {
				end = k + n + 4
			}
		case rest[0] == '"' || rest[0] == '\'':
			for end = k + 1; end < len(out) && source[end] != rest[0] && source[end] != '\n'; end++ {
				if source[end] == '\\' {
					end++
				}
			}
			end = min(end+1, len(out))
		default:
			k++
			continue
		}
		erase(k, end)
		k = end
	}
	return string(out)
}

// methodHead matches the text from the parameters of a method to the beginning of its body.
var methodHead = regexp.MustCompile(`^\s*(throws[\s\w.,]+)?\{`)

// findMethod returns the lines of a method of the first class of a source, from the line with its
// name to the end of its body. A method without a body is none. A name with parameters, such as
// "read(long zxid)", is the method with these.
func findMethod(source, name string) (extent, error) {
	code := blank(source)
	name, parameters, given := strings.Cut(name, "(")
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\s*\(`)
	var all []extent
	for _, at := range word.FindAllStringIndex(code, -1) {
		if depth(code[:at[0]]) != 1 || strings.HasSuffix(strings.TrimSpace(code[:at[0]]), ".") {
			continue
		}
		closing := match(code, at[1]-1, '(', ')')
		if closing < 0 || given && strings.TrimSpace(code[at[1]:closing])+")" != parameters {
			continue
		}
		head := methodHead.FindString(code[closing+1:])
		if head == "" {
			continue
		}
		end := match(code, closing+len(head), '{', '}')
		if end < 0 {
			return extent{}, fmt.Errorf("the body of the method %s does not end", name)
		}
		all = append(all, extent{lineOf(code, at[0]), lineOf(code, end)})
	}
	if len(all) != 1 {
		return extent{}, fmt.Errorf("the class has %d methods %s with a body: name one that it has once, or its parameters", len(all), name)
	}
	return all[0], nil
}

// depth counts the braces that are open at the end of a text.
func depth(code string) int { return strings.Count(code, "{") - strings.Count(code, "}") }

// lineOf returns the number of the line with an offset.
func lineOf(code string, at int) int { return 1 + strings.Count(code[:at], "\n") }

// match returns the offset of the bracket that closes the one at an offset, -1 if none does.
func match(code string, at int, opening, closing byte) int {
	open := 0
	for k := at; k < len(code); k++ {
		switch code[k] {
		case opening:
			open++
		case closing:
			if open--; open == 0 {
				return k
			}
		}
	}
	return -1
}

// replace replaces the one line of a method that equals line, apart from the spaces around it.
func replace(source, method, line, replacement string) (string, error) {
	at, err := findMethod(source, method)
	if err != nil {
		return "", err
	}
	lines := strings.SplitAfter(source, "\n")
	var found []int
	for k := at.from; k <= at.to; k++ {
		if strings.TrimSpace(lines[k-1]) == strings.TrimSpace(line) {
			found = append(found, k)
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("the method %s, lines %d to %d, has no line %q: copy it from the sources of this version", method, at.from, at.to, line)
	case 1:
		lines[found[0]-1] = replacement + "\n"
		return strings.Join(lines, ""), nil
	}
	return "", fmt.Errorf("the method %s has the line %q %d times, first in lines %d and %d: choose a line that it has once", method, line, len(found), found[0], found[1])
}
