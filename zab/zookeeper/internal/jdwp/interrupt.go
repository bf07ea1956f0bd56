package jdwp

// threadInterrupt is the command with which a debugger interrupts a thread.
var threadInterrupt = command{11, 11, "ThreadReference.Interrupt"}

// Interrupt interrupts the thread as Thread.interrupt does: a wait, sleep or join of the thread
// ends with an InterruptedException.
func (t Thread) Interrupt() error { return t.vm.do(threadInterrupt, t.build, nil) }
