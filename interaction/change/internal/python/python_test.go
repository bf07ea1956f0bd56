package python_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/interaction/change/internal/python"
)

const source = `"""A module."""
import os

LIMIT = 3  # a comment


@decorated
@twice(1,
       2)
class Node(object):
    """A class
    # no comment
    """

    name = 'def no(): # text'

    async def run(self, a,
                  b=')'):
        # a comment
        def inner():
            return r"\""

        return {
            'a': 1,

        }

    @property
    def size(self): return 1
# at the margin
    def last(self):
        x = 1 + \
            2
        return x

def function():
    pass
`

// TestBlocks: classes and functions have their lines, from decorators to the last statement.
func TestBlocks(t *testing.T) {
	t.Parallel()
	var got []string
	for _, b := range python.Blocks(source) {
		got = append(got, fmt.Sprintf("%s %v %d-%d", b.Name, b.Class, b.First, b.Last))
	}
	want := []string{"Node true 7-33", "Node.run false 17-26", "Node.run.inner false 20-21", "Node.size false 28-29", "Node.last false 31-34", "function false 36-37"}
	want[0] = "Node true 7-34"
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestTokens: comments, blank lines, docstrings and breaks of lines within brackets are no tokens;
// indentation and texts are.
func TestTokens(t *testing.T) {
	t.Parallel()
	texts := func(source string) string {
		tokens, whole := python.Tokens(source)
		if !whole {
			t.Errorf("%q is not whole", source)
		}
		var out []string
		for _, x := range tokens {
			out = append(out, x.Text)
		}
		return fmt.Sprintf("%q", out)
	}
	for _, same := range [][2]string{
		{"x = 1\n", "# one\n\nx  =  1   # two\n"},
		{"def f():\n    return 1\n", "def f():\n    '''Doc\n    # of f'''\n    return 1\n"},
		{"f(1, 2)\n", "f(1,\n  # a comment\n     2)\n"},
		{"x = 1 + 2\n", "x = 1 + \\\n  2\n"},
	} {
		if texts(same[0]) != texts(same[1]) {
			t.Errorf("%q and %q differ:\n%s\n%s", same[0], same[1], texts(same[0]), texts(same[1]))
		}
	}
	for _, other := range [][2]string{
		{"if x:\n  a()\n  b()\n", "if x:\n  a()\nb()\n"}, // indentation
		{"x = 'a # b'\n", "x = 'a # c'\n"},
		{"x = '''a\n# b'''\n", "x = '''a\n# c'''\n"},
		{"a\nb\n", "a b\n"},
		{"'''one'''\nprint(__doc__)\n", "'''two'''\nprint(__doc__)\n"},
	} {
		if texts(other[0]) == texts(other[1]) {
			t.Errorf("%q and %q have the same tokens", other[0], other[1])
		}
	}
	for _, open := range []string{"x = '''a\n", "f(1\n"} {
		if _, whole := python.Tokens(open); whole {
			t.Errorf("%q is whole", open)
		}
	}
}
