package speclint

// Rule is one thing that a specification must keep to. A code is never given a second meaning; the
// codes of speclint are MG401 to MG499.
type Rule struct {
	Code  string
	Title string // what is wrong, in at most six words
	// Remedy ends the message of every finding. Where it depends on the finding, it is empty and
	// the finding says it.
	Remedy string
}

// The rules of the State contract.
var (
	stateNotFlat = Rule{"MG401", "State not flat",
		"a state is its bytes: use arrays, sized integers, booleans and the value types of package modules"}
	unsizedInteger = Rule{"MG402", "Integer without a size",
		"give it a size, as in int8 or uint16"}
	padding      = Rule{"MG403", "Padding in State", ""}
	kindNotFirst = Rule{"MG404", "Message without its kind first",
		"make the kind the first field of the message"}
	raisedMisplaced = Rule{"MG405", "Raised field misplaced",
		"keep one Raised field, directly in State, that numbers all assertions"}
	paramNotPlain = Rule{"MG406", "Parameter not a plain value",
		"use a struct of integers, booleans, sets and arrays: it is compared, enumerated and bound by its field names"}
)

// The rules of declaring actions and the catalog.
var (
	actionNotVariable = Rule{"MG411", "Action not a package-level variable",
		"declare each action as var X = Action[P]{...} at package level, and vary it through its parameters"}
	nameNotConstant = Rule{"MG412", "Action name empty or computed",
		"give the name as a string constant: it identifies the action"}
	nameTaken = Rule{"MG413", "Action name used twice",
		"choose another name: it identifies the action in traces and manifests"}
	actionIncomplete = Rule{"MG414", "Action incomplete", ""}
	catalogAssigned  = Rule{"MG415", "Catalog changed at run time",
		"declare it complete, and use a rule or another action where grains differ: the analysis reads the declaration"}
	functionUnknown = Rule{"MG416", "Function not found",
		"use a function literal, a function declared in this package, or a field of another action, as Other.Guard"}
	// SharedSlice is a rule that package interaction reports as well, while it reads the catalog.
	SharedSlice = Rule{"MG417", "Append to a shared slice",
		"write slices.Concat(x, []T{y}), which always copies"}
)

// The rules of who writes what.
var (
	readerWrites = Rule{"MG421", "Guard or property writes",
		"it only reads: work on a copy, or move the write into the effect"}
	effectWritesBefore = Rule{"MG422", "State before is written",
		"write n, the state after: s is the state before and read-only"}
	packageVarRead = Rule{"MG423", "Package variable read",
		"a step depends on the state and its parameters only: make it a constant, a function or a field of State"}
	packageVarWritten = Rule{"MG424", "Package variable written",
		"what a step remembers is a field of State"}
	captureWritten = Rule{"MG425", "Captured variable written",
		"it would outlive the step and be shared by the workers: make it local to the step or a field of State"}
)

// The rules of the subset of Go.
var (
	concurrency = Rule{"MG431", "Concurrency in a step",
		"an action is one atomic step: model what is concurrent as actions and queues as fields of State"}
	unwinding = Rule{"MG432", "Unwinding in a step",
		"raise an assertion in the Raised field where the implementation would throw, and return early elsewhere"}
	mapUsed = Rule{"MG433", "Map in a step",
		"its order is random: use an array, modules.Map or modules.Records"}
	rangeOverFunc = Rule{"MG434", "Range over a function",
		"use a plain loop over indices: it costs less and its footprint is exact"}
	floatingPoint = Rule{"MG435", "Floating point in a step",
		"its results depend on the machine: use integers"}
	dynamicDispatch = Rule{"MG436", "Interface in a step",
		"what it touches is unknown: call the function itself, or switch over a kind"}
	functionValueUnknown = Rule{"MG437", "Unknown function called",
		"what it touches is unknown: call a declared function, or pass a literal as parameter"}
	foreignCall = Rule{"MG438", "Foreign code in a step",
		"use this package, functions of values without pointers, package modules, cmp, math/bits or the searching functions of slices"}
	kindNotConstant = Rule{"MG439", "Message kind not constant",
		"name the kind by its constant: the messages of each kind are a variable of their own"}
)

// Rules returns all rules, in the order of their codes.
func Rules() []Rule {
	return []Rule{
		stateNotFlat, unsizedInteger, padding, kindNotFirst, raisedMisplaced, paramNotPlain,
		actionNotVariable, nameNotConstant, nameTaken, actionIncomplete, catalogAssigned, functionUnknown, SharedSlice,
		readerWrites, effectWritesBefore, packageVarRead, packageVarWritten, captureWritten,
		concurrency, unwinding, mapUsed, rangeOverFunc, floatingPoint, dynamicDispatch, functionValueUnknown, foreignCall,
		kindNotConstant,
	}
}
