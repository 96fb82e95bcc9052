// Package sweep says what a sweep is: a file that names worlds, seeds, pilots,
// engines and values of settings, the drives that follow from it, what one of them
// came to, and what all of them say together. Package sweep/queue brings the drives
// to the workers; nothing here knows how.
//
// Reading order: file.go (the TOML file), batch.go (the jobs), setting.go (one key
// of a configuration or a world), result.go, tally.go (every result once), groups.go,
// unread.go and report.go (what they say), table.go (CSV and JSON lines).
//
// # A job and its name
//
// A [Job] is one drive. Its ID is the first 16 bytes of SHA-256 over everything that
// the drive depends on: world, the text of the world's file, seed, pilot, engine, length,
// the text of the settings and the values put into the world. Equal inputs have equal
// names, so that a result counts once, whoever made it and how often. The program is
// not part of the name: a result carries its version, and a report says where two
// versions drove.
//
// # Equation
//
// A share has Clopper and Pearson's interval. A mean of up to 5,000 drives has a
// bootstrap interval (package verdict), of more the normal one, mean +- 1.96 s/sqrt(n).
// Two groups are compared over the worlds and seeds that both drove: passes by the exact
// binomial test on those in which they differ, the rest by the mean of the differences.
//
// # Units
//
// SI, but where a key says otherwise; shares are 0..1.
//
// # Concurrency
//
// None: a Tally belongs to one goroutine, everything else is a value.
//
// # Errors
//
// Read returns strict.Complaints, all at once, with file, line, key and remedy. What
// differs between two runs of one job is no error but a [Difference] of the report,
// which then does not pass.
package sweep
