package sampling

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Step is a step of a harness. The zero value is an empty step.
type Step struct {
	Request     bool
	Server      int // from 0; the one that gets the request
	Key, Value  int // the request sets this key to this value
	Conditional bool
	If, Is      int // conditional: only if the server's client reads this value of this key
}

// Harness is a list of steps.
type Harness []Step

// Named harnesses are those of the paper: the one of ZOOKEEPER-2832, the one of ZOOKEEPER-3875, and
// the latter's published schedule without its last step. The harness ack is ours: one request, at
// the server that leads as a rule, and a step in which others may lead.
var Named = map[string]string{
	"ack": "s2: k0=101; empty",
	"div": "s1: k0=101; empty; s2: k1=302",
	"sc":  "s1: k1=0? k1=101; empty; s0: k1=101? k0=200; s1: k1=0? k1=301; s0: k1=0? k0=400",
	"sc4": "s1: k1=0? k1=101; empty; s0: k1=101? k0=200; s1: k1=0? k1=301",
}

var request = regexp.MustCompile(`^s(\d): *(?:k(\d)=(\d{1,9}) *\? *)?k(\d)=(\d{1,9})$`)

// ParseHarness reads a harness, or the name of one: steps with semicolons between, as in Named. The
// error names the first part that is no step.
func ParseHarness(s string) (h Harness, err error) {
	if named, ok := Named[s]; ok {
		s = named
	}
	for part := range strings.SplitSeq(s, ";") {
		part = strings.TrimSpace(part)
		if part == "empty" {
			h = append(h, Step{})
			continue
		}
		m := request.FindStringSubmatch(part)
		if m == nil {
			return nil, fmt.Errorf("%q is no step: write empty, s1: k0=101, or s1: k0=0? k1=101", part)
		}
		n := func(k int) int { v, _ := strconv.Atoi(m[k]); return v }
		h = append(h, Step{Request: true, Server: n(1), Key: n(4), Value: n(5), Conditional: m[2] != "", If: n(2), Is: n(3)})
	}
	return h, nil
}

func (h Harness) String() string {
	var out []string
	for _, s := range h {
		switch {
		case !s.Request:
			out = append(out, "empty")
		case s.Conditional:
			out = append(out, fmt.Sprintf("s%d: k%d=%d? k%d=%d", s.Server, s.If, s.Is, s.Key, s.Value))
		default:
			out = append(out, fmt.Sprintf("s%d: k%d=%d", s.Server, s.Key, s.Value))
		}
	}
	return strings.Join(out, "; ")
}

// Keys returns the keys of the harness in order.
func (h Harness) Keys() (keys []int) {
	for _, s := range h {
		if s.Request {
			keys = append(keys, s.Key)
		}
		if s.Conditional {
			keys = append(keys, s.If)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// Phases returns the number of phases in all steps, r of the paper, and in the longest one, k. A
// server may be isolated in each: without a request at the beginning, and before a request. With
// Late it may be isolated after it, too.
func (h Harness) Phases(isolation string) (r, k int) {
	for _, s := range h {
		n := 1
		if s.Request {
			n++
			if isolation == Late {
				n++
			}
		}
		r, k = r+n, max(k, n)
	}
	return r, k
}

// Servers returns the least number of servers that has all servers of the requests, at least 3.
func (h Harness) Servers() int {
	n := 3
	for _, s := range h {
		if s.Request {
			n = max(n, s.Server+1)
		}
	}
	return n
}
