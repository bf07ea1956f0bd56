package control

import (
	"cmp"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/jdwp"
)

// ownNode is the node below which ZooKeeper keeps its own nodes.
const ownNode = "/zookeeper"

// byZxid orders transactions by their zxids.
func byZxid(a, b Txn) int { return cmp.Compare(a.Zxid, b.Zxid) }

// tree reads the nodes of the data tree, except ZooKeeper's own, by the zxids that created them.
func (g *Gates) tree(r *fields) (out []Txn) {
	path := "zkDb.dataTree.nodes.nodes"
	if withoutNodeMap.Has(g.node.ensemble.Jars.Version) {
		path = "zkDb.dataTree.nodes"
	}
	for _, e := range r.entries(r.at, path) {
		path, err := e.Key.Text()
		r.note(err)
		if path == "" || path == "/" || path == ownNode || strings.HasPrefix(path, ownNode+"/") {
			continue
		}
		node, err := e.Value.Object()
		r.note(err)
		out = append(out, Txn{Zxid: zookeeper.Zxid(r.intOf(node, "stat.czxid")), Path: path})
	}
	slices.SortFunc(out, byZxid)
	return out
}

// withoutNodeMap: DataTree.nodes is a map itself.
var withoutNodeMap = Ranges{{Until: Version{3, 6, 0}}}

// proposals returns the transactions of a collection of Leader.Proposal.
func (r *fields) proposals(l jdwp.Object, path string) (out []Txn) {
	for _, p := range r.items(l, path) {
		out = append(out, r.request(r.objectOf(p, "request")))
	}
	return out
}
