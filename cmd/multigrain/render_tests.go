package main

import (
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// testsText is the table of results.
func testsText(tests []testDoc, paint painter) string {
	t := table{right: map[int]bool{3: true}}
	t.row("manifest", "expected", "found", "time", "")
	failed := int64(0)
	for _, x := range tests {
		mark := paint.in(green, "ok")
		if !x.OK {
			failed++
			mark = paint.in(red, "FAIL")
		}
		t.row(x.Manifest, x.Expected, x.Found, words.Elapsed(x.Seconds), mark)
	}
	var b strings.Builder
	b.WriteString(t.text())
	for _, x := range tests {
		for _, d := range x.Differences {
			fmt.Fprintf(&b, "%s: %s\n", x.Manifest, d)
		}
	}
	fmt.Fprintf(&b, "%s, %d as expected, %d not\n", words.Plural(int64(len(tests)), "manifest"), int64(len(tests))-failed, failed)
	return b.String()
}
