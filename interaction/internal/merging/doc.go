// Package merging compares the footprint of a coarse grain with those of the fine steps that it
// replaces. It asks which mergings of fine steps a coarse action can stand for. From these follows
// the least that the action's footprint must have.
//
// A merging is a sequence of fine steps, done as one step. Its footprint follows from those of the
// steps. Suppose a step computes a value from x, and no later step overwrites the value. Then x is
// a source of the merged value, unless an earlier step of the merging has just written x.
//
//	fine    CallGet  Floor := Known      SendGet  send GET      Finish  Floor := 0
//	coarse  Get      Floor := Known, send GET                   Finish  Floor := 0
//
// A coarse Get that forgets Floor := Known has lost the source Known of Floor. The package shows
// that no merging explains it:
//
//  1. Get sends GET. Of the fine steps that Get may contain only SendGet does, so Get contains it.
//     A coarse action cannot contain a step that takes a message from outside, unless the action
//     takes that kind of message (Program.allowed).
//  2. SendGet requires Phase = Called. Only CallGet makes it so, and Phase is Idle at first. So
//     CallGet must be in some merging (Program.needed).
//  3. Wherever CallGet is, its value of Floor survives: the only step that overwrites Floor is
//     Finish, which requires Phase = Answered. No sequence of steps that Get may contain leads from
//     CallGet to Finish (Program.hides).
//
// The search in 3 knows the constants that guards require and that effects assign, and takes
// everything else for possible. So it errs on one side: it may find a merging that does not exist,
// and then the finding is a warning only, for level L2 to settle.
package merging
