// Package private checks that a folder belongs to the user: nobody else can change what is in it.
//
// Programs in the cache are run, so anybody who can write there can run code as the user. What
// others cannot change stays as it is between a check and a use of it, too.
//
// The package imports no other package of this project.
package private
