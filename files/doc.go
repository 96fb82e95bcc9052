// Package files is the one way to the files that the program takes whole into
// memory or writes whole: what people name, and what is kept.
//
// A Reader takes nothing but a regular file, of bounded size, within bounded time:
// a pipe nobody writes into, a device that never ends and a disk that does not
// answer are errors and not a program that stands.
//
// A Writer leaves the old file or the new one, never a part of one, and writes
// through nobody's link: it makes a new file under a name that did not exist
// (O_EXCL, O_NOFOLLOW), forces it to the disk, gives it its name and forces the
// folder to the disk. It replaces regular files only; a device, a pipe or a
// socket stays what it is.
//
// Extend and Stream open what is written piece by piece, a Draft is written so and
// replaces a file in the end, Open what is read so, Create
// makes what did not exist; all of them refuse what is no regular file.
//
// ReadKernel reads what the kernel makes up (/proc, /sys), and waits for nothing.
//
// What root makes in somebody's folder Bequeath gives to the folder's owner; MakeFolder
// and MakeFolders do so.
//
// # Errors
//
// An error wraps one of ErrKind, ErrLink, ErrLarge and ErrSlow, or is the
// system's; it names the path as given and, where there is one, a remedy.
package files
