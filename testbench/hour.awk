# Faults for an hour of driving (make hour), one at every instant that it reads, in turns:
# such as a car survives without a person, and goes on from.
function fault(kind, lasts, more) {
	printf "\n[[fault]]\nkind = \"%s\"\nfrom_s = %d\nuntil_s = %s\n%s", kind, $1, sprintf("%.4f", $1 + lasts), more
}
{
	front = "which = 1\n"
	turn = NR % 5
	if (turn == 1) fault("echo-lost", 5, front)
	if (turn == 2) fault("echo-stuck", 3, front)
	if (turn == 3) fault("echo-hold", 10, front)
	if (turn == 4) fault("echo-ghost", 10, front "probability = 0.3\n")
	if (turn == 0) fault("nack", 50, "probability = 0.005\n")
}
