// Package driver connects implementations in any language: a driver is a process that runs the
// implementation and speaks a protocol on its standard input and output.
//
// # The protocol
//
// A line is a JSON object. Each request has a number, id, and says in do what is asked. The answer
// is one line with the same id and one of three fields:
//
//	ok       the request was done; its value is an object, as the request says
//	refused  a text: the driver cannot do it. The result is undecided.
//	failed   a text: the implementation failed, or shows what no value stands for: a difference
//
// Values of variables and parameters are those of the Informal Trace Format (ITF): numbers as
// {"#bigint": "7"} or 7, constants of an enumeration as texts, sequences as lists, arrays as
// {"#map": [[0, a], [1, b]]} or lists, sets as {"#set": [...]} or lists, records as objects.
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
// the protocol is a Fault, of which no result is drawn: text that is no JSON, an answer to another
// request, a line longer than MaxLine, an observation of a variable that hello does not name, and a
// process that says something else in hello than the one before it.
package driver
