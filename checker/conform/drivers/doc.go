// Package driver connects implementations in any language: a driver is a process that runs the
// implementation and speaks a protocol on its standard input and output.
//
// # The protocol
//
// A line is a JSON object. Each request has a number, id, and says in do what is asked. The answer
// is one line with the same id and one of three fields:
//
//	ok       an object: the request was done
//	refused  a text: the driver cannot do it. The result is undecided.
//	failed   a text: the implementation failed, or shows a thing without a value. A difference.
//
// Values of variables and parameters are those of the Informal Trace Format (ITF). Numbers are
// {"#bigint": "7"} or 7, and constants of an enumeration are texts. Sequences are lists, arrays are
// {"#map": [[0, a], [1, b]]} or lists, and sets are {"#set": [...]} or lists. Records are objects.
//
// The first request is hello, and its answer says what the driver offers: type Hello. Each optional
// interface of package conform has a field of it, and most have a request: Messages lists them. A
// walk begins with reset. Each step is followed by observe. The end of standard input ends the
// driver.
//
// # Whose fault it is
//
// A process that ends by itself during a request is a difference if it ends again when the walk is
// done once more. No answer in time is undecided: the process is killed. Anything else that is not
// the protocol is a Fault, and no result is drawn from the run. Examples are text that is no JSON,
// an answer to another request, and a line longer than MaxLine. So are an observation of a variable
// that hello does not name, and a process that says something else in hello than the one before it.
package drivers
