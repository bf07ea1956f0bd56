package verdicts

// Exit codes: those of TLC if it has one.
const (
	ExitOK          = 0
	ExitDiffers     = 1
	ExitUsage       = 2
	ExitInteraction = 10
	ExitDeadlock    = 11
	ExitSafety      = 12
	ExitStep        = 13
	ExitAssert      = 14
	ExitUndecided   = 20
	ExitMismatch    = 30
	ExitInvalid     = 150
	ExitCapacity    = 151
	ExitSystem      = 153
)

// Exit is an exit code with its meaning.
type Exit struct {
	Code  int
	Means string
}

// Exits are all exit codes, in ascending order.
var Exits = []Exit{
	{ExitOK, "what was asked was completed and nothing found"},
	{ExitDiffers, "test, diff or fmt -check differ, or interaction -stale lists an entry"},
	{ExitUsage, "wrong usage, or no manifest is found"},
	{ExitInteraction, "interaction not preserved, also according to the lock file, or a gap that is not accepted"},
	{ExitDeadlock, "deadlock"},
	{ExitSafety, "safety violation"},
	{ExitStep, "step property or liveness violation"},
	{ExitAssert, "code-level assertion"},
	{ExitUndecided, "undecided: a limit, a timeout or an interrupt came first, or nothing can be concluded"},
	{ExitMismatch, "an implementation does not do what the specification does"},
	{ExitInvalid, "manifest, specification or trace invalid"},
	{ExitCapacity, "a capacity was exceeded"},
	{ExitSystem, "system failure"},
}

// ErrorExits are the exit codes of errors. An error precedes every verdict other than violated and
// differs.
var ErrorExits = []int{ExitUsage, ExitInteraction, ExitInvalid, ExitCapacity, ExitSystem}
