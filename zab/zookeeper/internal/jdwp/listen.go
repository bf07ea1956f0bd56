package jdwp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// Listener waits on a port of the loopback interface for JVMs that dial out.
type Listener struct {
	l *net.TCPListener
}

// Listen opens a listener on a free port of 127.0.0.1.
func Listen() (*Listener, error) {
	l, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, fmt.Errorf("jdwp: %w", err)
	}
	return &Listener{l}, nil
}

// Address returns the listener's address, as in 127.0.0.1:4711.
func (l *Listener) Address() string { return l.l.Addr().String() }

// Option returns the option of the java command that makes a JVM dial the listener, and stand until
// Resume.
func (l *Listener) Option() string {
	return "-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=" + l.Address()
}

// Close closes the listener. Connections that it accepted stay.
func (l *Listener) Close() error { return l.l.Close() }

// Accept waits for a JVM to dial, and for its VM_START event. The context limits only this wait.
// Every thread of a JVM with suspend=y stands when Accept returns.
func (l *Listener) Accept(ctx context.Context) (*VM, error) {
	stop := context.AfterFunc(ctx, func() { l.l.SetDeadline(time.Now()) })
	conn, err := l.l.Accept()
	if !stop() {
		l.l.SetDeadline(time.Time{})
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("jdwp: no JVM has dialled %s: %w", l.Address(), ctx.Err())
	case err != nil:
		return nil, fmt.Errorf("jdwp: waiting for a JVM: %w", err)
	}
	vm, err := start(ctx, conn)
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("jdwp: starting with the JVM at %s: %w", conn.RemoteAddr(), err)
	}
	return vm, nil
}

// start shakes hands, starts the reader, learns the widths of ids, and waits for VM_START.
func start(ctx context.Context, conn net.Conn) (*VM, error) {
	if err := shakeHands(ctx, conn); err != nil {
		return nil, err
	}
	vm := newVM(conn)
	go vm.read()
	if err := vm.learnSizes(); err != nil {
		vm.Close()
		return nil, err
	}
	go vm.deliver()
	set, err := vm.Next(ctx)
	if err != nil {
		vm.Close()
		return nil, fmt.Errorf("waiting for VM_START: %w", err)
	}
	if len(set.Events) != 1 || set.Events[0].Kind != VMStart {
		vm.Close()
		return nil, fmt.Errorf("the first event is %v, VM_START must come first", set)
	}
	vm.main = set.Events[0].Thread
	return vm, nil
}

// greeting starts the stream of both sides.
const greeting = "JDWP-Handshake"

func shakeHands(ctx context.Context, conn net.Conn) error {
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Now()) })
	_, err := io.WriteString(conn, greeting)
	answer := make([]byte, len(greeting))
	if err == nil {
		_, err = io.ReadFull(conn, answer)
	}
	if !stop() {
		conn.SetDeadline(time.Time{})
	}
	switch {
	case err != nil:
		return fmt.Errorf("handshake: %w", errors.Join(ctx.Err(), err))
	case string(answer) != greeting:
		return fmt.Errorf("handshake: got %q, a JVM sends %q", answer, greeting)
	}
	return nil
}
