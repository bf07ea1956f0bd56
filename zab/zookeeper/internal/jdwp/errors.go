package jdwp

import (
	"errors"
	"fmt"
)

// command is a command of JDWP with the name that the specification gives it.
type command struct {
	set, id byte
	name    string
}

// The commands in use, by set.
var (
	vmVersion            = command{1, 1, "VirtualMachine.Version"}
	vmClassesBySignature = command{1, 2, "VirtualMachine.ClassesBySignature"}
	vmAllThreads         = command{1, 4, "VirtualMachine.AllThreads"}
	vmIDSizes            = command{1, 7, "VirtualMachine.IDSizes"}
	vmSuspend            = command{1, 8, "VirtualMachine.Suspend"}
	vmResume             = command{1, 9, "VirtualMachine.Resume"}
	vmCapabilities       = command{1, 17, "VirtualMachine.CapabilitiesNew"}

	typeSignature    = command{2, 1, "ReferenceType.Signature"}
	typeFields       = command{2, 4, "ReferenceType.Fields"}
	typeMethods      = command{2, 5, "ReferenceType.Methods"}
	typeValues       = command{2, 6, "ReferenceType.GetValues"}
	typeConstantPool = command{2, 18, "ReferenceType.ConstantPool"}
	typeSuperclass   = command{3, 1, "ClassType.Superclass"}
	typeSetValues    = command{3, 2, "ClassType.SetValues"}

	methodLines     = command{6, 1, "Method.LineTable"}
	methodVariables = command{6, 2, "Method.VariableTable"}
	methodBytecodes = command{6, 3, "Method.Bytecodes"}

	objectType   = command{9, 1, "ObjectReference.ReferenceType"}
	objectValues = command{9, 2, "ObjectReference.GetValues"}
	objectSet    = command{9, 3, "ObjectReference.SetValues"}
	stringValue  = command{10, 1, "StringReference.Value"}
	arrayLength  = command{13, 1, "ArrayReference.Length"}
	arrayValues  = command{13, 2, "ArrayReference.GetValues"}

	threadName         = command{11, 1, "ThreadReference.Name"}
	threadSuspend      = command{11, 2, "ThreadReference.Suspend"}
	threadResume       = command{11, 3, "ThreadReference.Resume"}
	threadStatus       = command{11, 4, "ThreadReference.Status"}
	threadFrames       = command{11, 6, "ThreadReference.Frames"}
	threadSuspendCount = command{11, 12, "ThreadReference.SuspendCount"}
	frameValues        = command{16, 1, "StackFrame.GetValues"}
	frameThis          = command{16, 3, "StackFrame.ThisObject"}

	requestSet   = command{15, 1, "EventRequest.Set"}
	requestClear = command{15, 2, "EventRequest.Clear"}
)

// ErrorCode is the number of an error in JDWP's table of error constants.
type ErrorCode uint16

// Error codes that callers distinguish.
const (
	InvalidThread      ErrorCode = 10
	ThreadNotSuspended ErrorCode = 13
	InvalidObject      ErrorCode = 20
	InvalidFrame       ErrorCode = 30
	AbsentInformation  ErrorCode = 101
)

var errorNames = map[ErrorCode]string{
	10: "INVALID_THREAD", 11: "INVALID_THREAD_GROUP", 12: "INVALID_PRIORITY",
	13: "THREAD_NOT_SUSPENDED", 14: "THREAD_SUSPENDED", 15: "THREAD_NOT_ALIVE",
	20: "INVALID_OBJECT", 21: "INVALID_CLASS", 22: "CLASS_NOT_PREPARED", 23: "INVALID_METHODID",
	24: "INVALID_LOCATION", 25: "INVALID_FIELDID", 30: "INVALID_FRAMEID", 31: "NO_MORE_FRAMES",
	32: "OPAQUE_FRAME", 33: "NOT_CURRENT_FRAME", 34: "TYPE_MISMATCH", 35: "INVALID_SLOT",
	40: "DUPLICATE", 41: "NOT_FOUND", 50: "INVALID_MONITOR", 51: "NOT_MONITOR_OWNER",
	52: "INTERRUPT", 60: "INVALID_CLASS_FORMAT", 61: "CIRCULAR_CLASS_DEFINITION",
	62: "FAILS_VERIFICATION", 63: "ADD_METHOD_NOT_IMPLEMENTED", 64: "SCHEMA_CHANGE_NOT_IMPLEMENTED",
	65: "INVALID_TYPESTATE", 66: "HIERARCHY_CHANGE_NOT_IMPLEMENTED",
	67: "DELETE_METHOD_NOT_IMPLEMENTED", 68: "UNSUPPORTED_VERSION", 69: "NAMES_DONT_MATCH",
	70: "CLASS_MODIFIERS_CHANGE_NOT_IMPLEMENTED", 71: "METHOD_MODIFIERS_CHANGE_NOT_IMPLEMENTED",
	99: "NOT_IMPLEMENTED", 100: "NULL_POINTER", 101: "ABSENT_INFORMATION",
	102: "INVALID_EVENT_TYPE", 103: "ILLEGAL_ARGUMENT", 110: "OUT_OF_MEMORY",
	111: "ACCESS_DENIED", 112: "VM_DEAD", 113: "INTERNAL", 115: "UNATTACHED_THREAD",
	500: "INVALID_TAG", 502: "ALREADY_INVOKING", 503: "INVALID_INDEX", 504: "INVALID_LENGTH",
	506: "INVALID_STRING", 507: "INVALID_CLASS_LOADER", 508: "INVALID_ARRAY",
	509: "TRANSPORT_LOAD", 510: "TRANSPORT_INIT", 511: "NATIVE_METHOD", 512: "INVALID_COUNT",
}

// String returns the name of the error in the specification.
func (c ErrorCode) String() string {
	if name := errorNames[c]; name != "" {
		return name
	}
	return fmt.Sprintf("JDWP error %d", uint16(c))
}

// Error is the JVM's refusal of a command.
type Error struct {
	Command string // as in ThreadReference.Frames
	Code    ErrorCode
}

func (e *Error) Error() string { return fmt.Sprintf("jdwp: %s: %v (%d)", e.Command, e.Code, e.Code) }

// IsCode reports whether the error is the JVM's refusal with the code.
func IsCode(err error, code ErrorCode) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}
