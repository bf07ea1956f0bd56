package consistency

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// System is the catalog.
var System = grains.System[State]{
	Name: "ccf-consistency",
	Doc:  "What clients of CCF see: a history of messages, and the ledgers of the leaders.",
	Init: Init,
	// The leader of a view has the number of the view.
	Roles: []modules.Role{{Name: "service"}, {Name: "leader", Count: MaxViews, First: 1}, {Name: "client"}},
	Modules: []grains.Module{
		{Name: "writes", Doc: "Clients request read-write transactions, leaders execute them, clients get responses."},
		{Name: "status", Doc: "Clients learn that a transaction is committed."},
		{Name: "reads", Doc: "Clients request read-only transactions and get responses.", Optional: true},
		{Name: "elections", Doc: "Leaders are elected, and clients learn that a transaction is invalid.", Optional: true},
		{Name: "others", Doc: "Entries that are no transactions of clients.", Environment: true, Optional: true},
	},
	Grains: []grains.Grain[State]{
		writesBaseline, writesAtOnce, statusBaseline, statusService, readsBaseline, electionsBaseline, electionsService, asSeen, othersBaseline, othersBulk,
	},
	Invariants: invariants,
	Goals:      committedGoals,
	Options: []grains.Option{
		{Name: "observations", Doc: "Whether a response records what the client observed, or that is read from the ledger.",
			Values: []string{"recorded", "derived"}, Default: "recorded", Const: "Observations"},
		{Name: "invalid", Doc: "Whether a transaction of the last view may be declared invalid while it may yet be committed, as in the published specification.",
			Values: []string{"early", "certain"}, Default: "early", Const: "Invalid"},
		{Name: "ordered", Doc: "The version of CommittedRwOrderedSerializableInv: until commit c0330a2d, or since then.",
			Values: []string{"adjacent", "extends"}, Default: "extends", Const: "Ordered"},
	},
	Bounds: []grains.Bound{
		{Name: "history", Doc: "Messages of the history: HistoryLimit.", Min: 1, Max: 255, Default: MaxHistory, Const: "MaxHistory"},
		{Name: "terms", Doc: "The last view that there is room for: a view is a term of the consensus.", Min: 1, Max: 64, Default: MaxViews, Const: "MaxViews"},
		{Name: "log", Doc: "Entries of a ledger: the log of a leader.", Min: 1, Max: 255, Default: MaxEntries, Const: "MaxEntries"},
		{Name: "first", Doc: "The first view with a leader: FirstBranch.", Min: 1, Max: 64, Default: FirstBranch, Const: "FirstBranch"},
		{Name: "elections", Doc: "Elections along a behaviour: ViewLimit - 1.", Min: 0, Max: 63, Default: grains.Unlimited},
		{Name: "others", Doc: "Entries that are no transactions of clients, along a behaviour.", Min: 0, Max: 255, Default: grains.Unlimited},
	},
}

var writesBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "Request, execution and response are three steps.",
	Covers:  []string{"writes"},
	Actions: []modules.AnyAction[State]{&RwTxRequestAction, &RwTxExecuteAction, &RwTxResponseAction},
	Budgets: []modules.Budget[State]{modules.Spend[State]("history", &RwTxRequestAction, &RwTxResponseAction)},
}

var writesAtOnce = grains.Coarsen(grains.Grain[State]{
	Name:    "at-once",
	Doc:     "A leader executes a transaction and responds in one step.",
	Actions: []modules.AnyAction[State]{&RwTxRequestAction, &RwTxExecuteRespond},
	Budgets: []modules.Budget[State]{modules.Spend[State]("history", &RwTxRequestAction, &RwTxExecuteRespond)},
}, writesBaseline)

var statusBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "A committed status may be received at any time, and several times.",
	Covers:  []string{"status"},
	Actions: []modules.AnyAction[State]{&StatusCommittedResponseAction},
	Budgets: []modules.Budget[State]{modules.Spend[State]("history", &StatusCommittedResponseAction)},
}

var readsBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "Execution and response are one step.",
	Covers:  []string{"reads"},
	Actions: []modules.AnyAction[State]{&RoTxRequestAction, &RoTxResponseAction},
	Budgets: []modules.Budget[State]{modules.Spend[State]("history", &RoTxRequestAction, &RoTxResponseAction)},
}

var electionsBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "A leader begins with a prefix of a ledger that has all committed transactions.",
	Covers:  []string{"elections"},
	Actions: []modules.AnyAction[State]{&TruncateLedgerAction, &StatusInvalidResponseAction},
	Budgets: []modules.Budget[State]{modules.Spend[State]("history", &StatusInvalidResponseAction), modules.Spend[State]("elections", &TruncateLedgerAction)},
	Goals:   invalidGoals,
}

var othersBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "An entry is a step.",
	Covers:  []string{"others"},
	Actions: []modules.AnyAction[State]{&AppendOtherTxnAction},
	Budgets: []modules.Budget[State]{modules.Spend[State]("others", &AppendOtherTxnAction)},
}

var othersBulk = grains.Coarsen(grains.Grain[State]{
	Name:    "bulk",
	Doc:     "A leader appends several such entries in one step.",
	Actions: []modules.AnyAction[State]{&AppendOtherTxns},
	Budgets: []modules.Budget[State]{modules.Spend[State]("others", &AppendOtherTxns)},
}, othersBaseline)

var statusService = grains.Refine(grains.Grain[State]{
	Name:    "service",
	Doc:     "A committed status says that the service has committed, whether clients know it or not.",
	Covers:  []string{"status"},
	Actions: []modules.AnyAction[State]{&StatusCommittedOfService},
	Budgets: []modules.Budget[State]{modules.Spend[State]("history", &StatusCommittedOfService)},
}, statusBaseline)

var electionsService = grains.Refine(grains.Grain[State]{
	Name:    "service",
	Doc:     "A leader begins with a prefix of a ledger that has all that the service has committed.",
	Covers:  []string{"elections"},
	Actions: []modules.AnyAction[State]{&TruncateLedgerOfService, &StatusInvalidOfService},
	Budgets: []modules.Budget[State]{modules.Spend[State]("history", &StatusInvalidOfService), modules.Spend[State]("elections", &TruncateLedgerOfService)},
	Goals:   invalidGoals,
}, electionsBaseline)

var asSeen = grains.Coarsen(grains.Grain[State]{
	Name: "as-seen",
	Doc:  "Leaders append entries of no client, and execute transactions, with what clients see and with elections.",
	Actions: []modules.AnyAction[State]{&RwTxRequestAction, &RwTxExecuteRespondAt, &RoTxRequestAction, &RoTxResponseAt,
		&TruncateFilledLedger, &StatusInvalidFilled},
	Budgets: []modules.Budget[State]{
		modules.Spend[State]("history", &RwTxRequestAction, &RwTxExecuteRespondAt, &RoTxRequestAction, &RoTxResponseAt, &StatusInvalidFilled),
		modules.Spend[State]("elections", &TruncateFilledLedger)},
	Goals: invalidGoals,
}, writesBaseline, readsBaseline, electionsService, othersBaseline)
