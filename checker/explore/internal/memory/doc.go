// Package memory provides memory outside the garbage-collected heap, up to a limit, and files for
// what does not fit. A Budget hands out slabs. An Arena cuts slabs into blocks and, where it is
// bounded, makes its users write blocks to a Disk.
package memory
