// Package freeze copies everything that a value carries, byte for byte, and puts the
// copy into another value of the same type that was built the same way.
//
// A Copier walks the value once, through its pointers, whatever is exported, and keeps
// a list of the stretches of plain memory that it found. A copy is then a few copies of
// memory: no allocation, no reflection. So nothing can be forgotten: a member that somebody adds
// to a type is in the next copy.
//
// # What cannot be copied
//
// Interfaces, strings, slices, maps and channels belong to how a value was built. Whoever
// freezes it names them (Options.Leave), and every other one is an error. A slice that is
// made once and never again is named instead (Options.Slices), and copied. A pointer must
// lead to something that the value has owned from the beginning; a function is kept as
// being there or not.
//
// # What a copy suits
//
// Kind hashes names, types and places of everything walked. A copy of another kind is
// refused: copies are for the program that made them, files for ever are brain/memory's.
//
// # Errors
//
// Put refuses, and changes nothing, where a copy has another length, a bool that is
// none, or a pointer to nothing that there is.
package freeze
