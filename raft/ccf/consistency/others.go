package consistency

// InView is a view.
type InView struct{ View Number }

// eachView yields the views with a leader.
func eachView(yield func(InView) bool) {
	for view := FirstBranch; view <= MaxViews; view++ {
		if !yield(InView{Number(view)}) {
			return
		}
	}
}

// AppendOtherTxnAction appends an entry that is no transaction of a client, such as a signature or
// a change of the nodes.
var AppendOtherTxnAction = Action[InView]{
	Name:   "AppendOtherTxn",
	Actor:  "View",
	Params: eachView,
	Guard:  func(s *State, p InView) bool { return s.hasRoom(p.View) },
	Effect: func(s, n *State, p InView) { n.appendTo(p.View, 0) },
}

// AppendOtherTxns appends such entries up to a sequence number, in one step: the grain bulk. SeqNum
// is wider than a sequence number here, since a log may have greater ones.
var AppendOtherTxns = Action[Fill]{
	Name:   "AppendOtherTxns",
	Actor:  "View",
	Params: eachFill,
	Guard: func(s *State, p Fill) bool {
		return s.leads(p.View) && uint16(s.length(p.View)) < p.SeqNum
	},
	Effect: func(s, n *State, p Fill) {
		for range p.SeqNum - uint16(s.length(p.View)) {
			n.appendTo(p.View, 0)
		}
	},
}

// Fill is a view and the sequence number up to which its ledger is filled.
type Fill struct {
	View   Number
	SeqNum uint16
}

// eachFill yields the lengths of each ledger.
func eachFill(yield func(Fill) bool) {
	for view := FirstBranch; view <= MaxViews; view++ {
		for seq := 1; seq <= MaxEntries; seq++ {
			if !yield(Fill{View: Number(view), SeqNum: uint16(seq)}) {
				return
			}
		}
	}
}
