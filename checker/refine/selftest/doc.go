// Package selftest tries the runtime of a specification on random behaviours.
package selftest
