package zab

import "github.com/multigrain/multigrain/modules"

// protocolInvariants are the properties of Zab, I-1 to I-10 of Remix, table 2.
var protocolInvariants = []modules.Invariant[State]{
	{ID: "I-1", Doc: "Primary uniqueness: there is at most one established leader for each epoch.", State: oneLeaderPerEpoch},
}
