// Package bench times the planner's parts in turns with a copy of 8 MiB and judges
// its claims by the intervals of package verdict. The parts are the rays of
// thirteen poses over three fills of the grid per instruction set, the insertion of
// scans, the propagation of thirteen actions, and a whole plan. Where Debian's
// liboctomap-dev is installed it compiles a small program against it and gives it
// the same map and the same rays; it takes its turns in the same rounds.
//
// OctoMap has no expected information: the program walks computeRayKeys, looks
// every key up in the tree, and sums as package belief does, which is how such
// planners use it. Its insertion is insertPointCloud with the same ends.
package bench
