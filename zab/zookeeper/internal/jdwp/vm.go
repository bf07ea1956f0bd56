package jdwp

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"syscall"
	"time"
)

// ID is an id that the JVM gave out: of an object, class, method, field or frame.
type ID uint64

// DefaultPatience is the time in which the JVM must answer a command, see VM.SetPatience.
const DefaultPatience = 10 * time.Second

// maxPacket is the largest packet in bytes that is believed.
const maxPacket = 1 << 28

// ErrClosed says that the connection to the JVM has ended, and with it all waits.
var ErrClosed = errors.New("the connection to the JVM has ended")

// VM is a connection to one JVM. All its methods may be called from several goroutines.
type VM struct {
	conn  net.Conn
	sizes sizes // constant once Accept has returned
	main  Thread

	writing sync.Mutex // held during the write of one command

	mu       sync.Mutex
	patience time.Duration
	next     uint32 // id of the next command
	pending  map[uint32]chan reply
	types    map[ID]*typeInfo
	classes  map[ID]Class  // by object
	texts    map[ID]string // by String
	often    map[ID][]ID   // by class: fields that were read while all threads stood
	frozen   *frozen       // nil unless Freeze holds
	arrived  []packet      // events that await delivery
	more     chan struct{}
	cause    error // why the connection ended; nil while it lives

	ended  chan struct{} // closed when cause is set
	closed chan struct{} // closed by Close
	once   sync.Once
	events chan EventSet
}

type reply struct {
	code ErrorCode
	data []byte
}

// packet is an event as it arrived.
type packet []byte

func newVM(conn net.Conn) *VM {
	return &VM{
		conn: conn, patience: DefaultPatience, pending: map[uint32]chan reply{},
		types: map[ID]*typeInfo{}, classes: map[ID]Class{}, texts: map[ID]string{}, often: map[ID][]ID{}, more: make(chan struct{}, 1),
		ended: make(chan struct{}), closed: make(chan struct{}), events: make(chan EventSet),
	}
}

// Main returns the thread that the VM_START event named.
func (vm *VM) Main() Thread { return vm.main }

// SetPatience sets the time in which the JVM must answer each following command.
func (vm *VM) SetPatience(d time.Duration) {
	vm.mu.Lock()
	defer vm.mu.Unlock()
	vm.patience = d
}

// Done returns a channel that is closed when the connection has ended. Err then gives the cause.
func (vm *VM) Done() <-chan struct{} { return vm.ended }

// Err returns why the connection ended. It returns nil while the connection lives.
func (vm *VM) Err() error {
	vm.mu.Lock()
	defer vm.mu.Unlock()
	return vm.cause
}

// Close ends the connection and drops the events that were not received. A JVM that still runs
// then removes all requests and resumes all threads by itself.
func (vm *VM) Close() error {
	vm.once.Do(func() { close(vm.closed) })
	vm.end(errors.New("it was closed here"))
	return nil
}

// end records why the connection ended, and wakes everyone who waits. Only the first call counts.
func (vm *VM) end(cause error) {
	vm.mu.Lock()
	defer vm.mu.Unlock()
	if vm.cause != nil {
		return
	}
	vm.cause = fmt.Errorf("%w: %w", ErrClosed, cause)
	vm.conn.Close()
	close(vm.ended)
}

// Flags and sizes of packets. A header has length, id, flags, and command set and command in a
// command or the error code in a reply.
const (
	headerBytes   = 11
	flagReply     = 0x80
	eventSet      = 64
	eventComposed = 100
)

// read takes packets from the connection until it ends.
func (vm *VM) read() {
	in := bufio.NewReaderSize(vm.conn, 1<<16)
	for {
		var head [headerBytes]byte
		if _, err := io.ReadFull(in, head[:]); err != nil {
			vm.end(connectionError(err))
			return
		}
		n := binary.BigEndian.Uint32(head[:])
		if n < headerBytes || n > maxPacket {
			vm.end(fmt.Errorf("a packet claims %d bytes, JDWP packets have %d to %d here", n, headerBytes, maxPacket))
			return
		}
		data := make([]byte, n-headerBytes)
		if _, err := io.ReadFull(in, data); err != nil {
			vm.end(connectionError(err))
			return
		}
		id, set, cmd := binary.BigEndian.Uint32(head[4:]), head[9], head[10]
		switch {
		case head[8]&flagReply != 0:
			vm.replied(id, reply{ErrorCode(set)<<8 | ErrorCode(cmd), data})
		case set == eventSet && cmd == eventComposed:
			vm.queue(data)
		default:
			vm.end(fmt.Errorf("the JVM sent command %d of set %d, only Event.Composite is known", cmd, set))
			return
		}
	}
}

// connectionError explains the end of the connection.
func connectionError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
		return errors.New("the JVM closed it, because it exited or was killed")
	}
	return err
}

// replied hands a reply to its command. A reply after the command's deadline is dropped.
func (vm *VM) replied(id uint32, r reply) {
	vm.mu.Lock()
	defer vm.mu.Unlock()
	if c := vm.pending[id]; c != nil {
		delete(vm.pending, id)
		c <- r // has room for one
	}
}

// do sends a command and waits for its reply. The arguments come from build, which may be nil.
// The reply's data go to parse, which may be nil.
func (vm *VM) do(c command, build func(*encoder), parse func(*decoder)) error {
	if vm == nil {
		return fmt.Errorf("jdwp: %s: %w: the value belongs to no JVM", c.name, ErrNull)
	}
	e := encoder{sizes: vm.sizes, b: make([]byte, headerBytes)}
	if build != nil {
		build(&e)
	}
	if e.err != nil {
		return fmt.Errorf("jdwp: %s: %w", c.name, e.err)
	}
	r, err := vm.exchange(c, e.b)
	if err != nil {
		return fmt.Errorf("jdwp: %s: %w", c.name, err)
	}
	if r.code != 0 {
		return &Error{c.name, r.code}
	}
	if parse == nil {
		return nil
	}
	d := decoder{sizes: vm.sizes, vm: vm, b: r.data}
	parse(&d)
	if d.err != nil {
		return fmt.Errorf("jdwp: the reply to %s: %w", c.name, d.err)
	}
	return nil
}

// exchange sends one packet, whose header it fills in, and returns the reply.
func (vm *VM) exchange(c command, b []byte) (reply, error) {
	answer := make(chan reply, 1)
	vm.mu.Lock()
	if vm.cause != nil {
		defer vm.mu.Unlock()
		return reply{}, vm.cause
	}
	vm.next++
	id, patience := vm.next, vm.patience
	vm.pending[id] = answer
	vm.mu.Unlock()

	binary.BigEndian.PutUint32(b, uint32(len(b)))
	binary.BigEndian.PutUint32(b[4:], id)
	b[8], b[9], b[10] = 0, c.set, c.id
	vm.writing.Lock()
	vm.conn.SetWriteDeadline(time.Now().Add(patience))
	_, err := vm.conn.Write(b)
	vm.writing.Unlock()
	if err != nil {
		vm.end(connectionError(err)) // a part of the packet may have been sent
		return reply{}, vm.Err()
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case r := <-answer:
		return r, nil
	case <-vm.ended:
	case <-timer.C:
		err = fmt.Errorf("the JVM did not answer within %v", patience)
	}
	vm.mu.Lock()
	delete(vm.pending, id)
	vm.mu.Unlock()
	select {
	case r := <-answer: // it came just before the end
		return r, nil
	default:
	}
	if err == nil {
		err = vm.Err()
	}
	return reply{}, err
}

func (vm *VM) learnSizes() error {
	return vm.do(vmIDSizes, nil, func(d *decoder) {
		vm.sizes = sizes{field: d.int(), method: d.int(), object: d.int(), class: d.int(), frame: d.int()}
		for _, n := range []int{vm.sizes.field, vm.sizes.method, vm.sizes.object, vm.sizes.class, vm.sizes.frame} {
			if (n < 1 || n > 8) && d.err == nil {
				d.err = fmt.Errorf("ids of %d bytes, at most 8 are supported", n)
			}
		}
	})
}

// Version returns the JVM's description of itself, and its version as in 17.0.15.
func (vm *VM) Version() (description, version string, err error) {
	err = vm.do(vmVersion, nil, func(d *decoder) {
		description = d.text()
		d.int()
		d.int()
		version = d.text()
	})
	return description, version, err
}

// Resume decrements the suspend count of every thread. After Accept it starts the program.
func (vm *VM) Resume() error { return vm.do(vmResume, nil, nil) }

// Suspend increments the suspend count of every thread.
func (vm *VM) Suspend() error { return vm.do(vmSuspend, nil, nil) }

// Threads returns all live threads of the JVM that run Java code.
func (vm *VM) Threads() (out []Thread, err error) {
	err = vm.do(vmAllThreads, nil, func(d *decoder) {
		for range d.count() {
			out = append(out, d.thread())
		}
	})
	return out, err
}

// ThreadsNamed returns the live threads whose name the function accepts.
func (vm *VM) ThreadsNamed(accept func(name string) bool) (out []Thread, err error) {
	all, err := vm.Threads()
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		name, err := t.Name()
		if IsCode(err, InvalidThread) || IsCode(err, InvalidObject) {
			continue // it ended since
		}
		if err != nil {
			return nil, err
		}
		if accept(name) {
			out = append(out, t)
		}
	}
	return out, nil
}
