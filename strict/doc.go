// Package strict reads TOML files that people write, and tells them everything
// that is wrong at once: each Complaint has file, line, key, reason and remedy.
//
// A Form says which keys a file may have, as a document that has them all with
// an example value each. Decode holds a file against its Form, leaves out what
// is wrong and decodes the rest, so that one wrong value hides no other. Values
// out of range are for the caller to find; Place gives their complaints a line.
//
// # Shapes
//
// Keys are dotted from the top of the document. The tables of an array are
// numbered from 0 in a Complaint (fault.1.kind) and starred where a whole form
// is meant (fault.*.kind). A list of numbers has as many as its example.
//
// # Errors
//
// Complaints is what a person must mend. Read passes on an ordinary error when a
// file is missing or breaks while it is read.
package strict
