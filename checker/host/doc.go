// Package host is the file and clock access of the command and of assembled programs.
//
// All of it goes through one interface, System. The functions of this package call the current one,
// which is the operating system. A program that is built with the tag torture has another: Faulty,
// which fails on purpose as the environment variable MULTIGRAIN_TORTURE says. Without the tag
// nothing refers to Faulty, so no variable and no file can make a user's program fail.
//
// What is called once per state does not belong here. Status and listing calls, such as os.Stat,
// change nothing and stay calls of package os.
//
// It imports no other package of this project.
package host
