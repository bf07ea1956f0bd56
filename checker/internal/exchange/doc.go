// Package exchange carries frames between the parts of one search, which are processes on one
// machine or on several.
//
// A Link delivers frames: at most once, and those of one part to another in order. A Post numbers
// frames, so that one that comes twice is dropped and one that is missing ends the search. Each
// frame has a checksum. Parts send beats at intervals: a lost frame is missed by the next beat, and
// a part without any word for Silence counts as gone.
//
// Batches of nodes have credits: a part may have Window batches in transit to another one. So
// queues are bounded, whatever carries the frames.
package exchange
