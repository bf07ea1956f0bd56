package awkward

import "github.com/multigrain/multigrain/modules"

// All are all actions.
var All = []modules.AnyAction[State]{
	&Helper, &CopyBack, &CopyLost, &CopySometimes, &UndoneSometimes, &Alias, &ReturnedPointer, &PointerChoice,
	&PointerSlice, &PointerStruct, &ElementPointer, &Swap, &SwapElements, &ReadAfterWrite, &ReadOtherElement,
	&ReadConstantElement, &WholeArray, &LocalArray, &Row, &Cell, &StructCopy, &StructLiteral, &ByValue,
	&LoopEscape, &MadeTwice, &Early, &Merge, &Classified, &Switch, &SwitchValue, &Counted, &Searched,
	&Everyone, &Quiet, &Closure, &Captured, &CapturedInLoop, &MethodExpression, &MethodValue, &Made, &Borrowed,
	&Generic, &Iterated, &IteratedEarly, &Recursive, &Mutual, &Kept, &Interface, &EitherMethod, &LocalSlice,
	&LocalMap, &Variadic, &Library, &Index, &Tabled, &Sequence, &SequenceCopy, &SequencePop, &SetMember,
	&SetWith, &MapMember, &RecordSet, &Ping, &HandlePing, &TwoKinds, &EitherKind, &Broadcast, &Blind, &Sever,
	&Unordered, &Ridden, &RiddenToo, &Addressed, &Told, &Tallied, &Copied, &Weighed,
	&Embedded, &Jumps, &TypeSwitch, &FunctionTable, &Handlers, &Linked, &Several, &NetCopy,
}
