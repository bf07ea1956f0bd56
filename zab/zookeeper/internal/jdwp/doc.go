// Package jdwp is a client of the Java Debug Wire Protocol. It stops single threads of an
// unmodified JVM at chosen instructions, and reads the values that those threads work with.
// Source: the JDWP specification of Java SE 17.
//
// # How a JVM connects
//
// The JVM dials out to a listener of ours, so no port is free at one moment and taken at the next:
//
//	listener, err := jdwp.Listen()
//	cmd := exec.Command("java", listener.Option(), "Main")
//	err = cmd.Start()
//	vm, err := listener.Accept(ctx)  // waits for VM_START; every thread stands
//	request, err := vm.SetClassPrepare("org.example.Main", jdwp.EventThread)
//	err = vm.Resume()
//	set, err := vm.Next(ctx)         // Main is loaded; its first thread stands
//	class := set.Events[0].Class
//	method, err := class.Method("run", "()V")
//	request, err = vm.SetBreakpoint(method.At(17), jdwp.EventThread)
//	err = set.Thread().Resume()
//
// A resume before VM_START would be lost, and the JVM would stand forever. Accept therefore waits.
//
// # Events
//
// One goroutine reads the connection. It gives each reply to the command that waits for it, and
// puts each event into a queue without a limit. It never drops an event and never waits for the
// consumer. The consumer calls Next, or receives from Events. The JVM reports events that belong
// together as one EventSet, and suspends the thread once for the set. So resume it once.
//
// A breakpoint may strike while Clear removes it. Its event still arrives, and its thread stands.
//
// # What stands, what runs
//
// A request with EventThread suspends only the thread that meets the event. Objects can be read
// while threads run, but a running thread may change them between two commands. Frames and locals
// need a suspended thread. Collections are read through their fields, since a method could run
// only in a suspended thread and could wait for a lock that another suspended thread holds.
//
// # Limits
//
// Each command has a deadline, VM.SetPatience. When the JVM ends, all waits end with an error that
// wraps ErrClosed. The package never sends the id of a null object, because JDK 17 crashes on some
// of them; such commands fail with ErrNull. It never requests METHOD_EXIT events: they made writes
// of a server 25 times slower. Object ids stay in the JVM's table until the connection ends.
package jdwp
