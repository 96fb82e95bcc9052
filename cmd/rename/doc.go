// Command rename gives the module another path, one that go get can fetch:
//
//	make rename MODULE=example.org/owner/fieldbrain
//
// It changes go.mod, every import, the names of packages in string literals of
// Go files, and package paths in documents, scripts and workflows. Paths of files
// such as /etc/fieldbrain and the names of the programs stay. It may be run again
// from the new path to a third.
//
// # Errors
//
// Exit code 2: the path is none that Go would take, or the checkout has changes
// that are not committed; rename then changes nothing. 1: rename could not read or
// write a file; git checkout undoes the rest.
package main
