package explorer

import (
	"encoding/json"
	"slices"
	"sync"
)

// tree holds the paths that were visited: a root for each initial state, and a branch for each step
// that was taken somewhere. It is safe for use by several goroutines.
type tree struct {
	mu    sync.Mutex
	roots map[int]*branch
	count int
}

// branch is a visited state, by the step that led to it.
type branch struct {
	Call string    `json:"call,omitempty"` // "" at a root
	Next []*branch `json:"next,omitempty"`
}

// mostBranches bounds the states of a tree. Later ones are not kept.
const mostBranches = 10_000

// add adds a path.
func (t *tree) add(p place) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.roots == nil {
		t.roots = map[int]*branch{}
	}
	if t.roots[p.Init] == nil {
		t.roots[p.Init] = new(branch)
	}
	b := t.roots[p.Init]
	for _, call := range p.Path {
		at := slices.IndexFunc(b.Next, func(n *branch) bool { return n.Call == call })
		if at < 0 {
			if t.count++; t.count > mostBranches {
				return
			}
			b.Next = append(b.Next, &branch{Call: call})
			at = len(b.Next) - 1
		}
		b = b.Next[at]
	}
}

// all returns the roots, by the number of the initial state, as JSON.
func (t *tree) all() json.RawMessage {
	t.mu.Lock()
	defer t.mu.Unlock()
	text, err := json.Marshal(t.roots)
	if err != nil {
		panic(err) // texts only
	}
	return text
}

// ends returns the paths to the ends of all branches.
func (t *tree) ends() (out []place) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var inits []int
	for init := range t.roots {
		inits = append(inits, init)
	}
	slices.Sort(inits)
	for _, init := range inits {
		var walk func(b *branch, path []string)
		walk = func(b *branch, path []string) {
			if len(b.Next) == 0 {
				out = append(out, place{init, slices.Clone(path)})
			}
			for _, n := range b.Next {
				walk(n, append(path, n.Call))
			}
		}
		walk(t.roots[init], []string{})
	}
	return out
}
