// Package files reads and writes files for the command: a file is replaced as a whole, and errors are
// sentences that name the file that the user named.
//
// It imports no other package of this project.
package files
