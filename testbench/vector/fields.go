package vector

// Lanes is how many cars share a block: two vectors of eight doubles.
const Lanes = 16

// MaxSonars is how many sonars a car can have.
const MaxSonars = 5

// The fields of a block, each Lanes doubles in a row. native/fields.h has the same.
const (
	actLeft  = iota // duty of the left motor, -1 .. 1, negative backwards
	actRight        // likewise, of the right motor
	actPulse        // s, high time of the steering servo's pulse; 0 is none
	posX            // m, middle of the rear axle
	posY            // m
	heading         // rad, [-pi, pi)
	speed           // m/s
	steering        // rad
	tangent         // of the steering
	yaw             // rad/s
	slack           // m, at most the gap: so far the body goes before anything can touch it
	contact         // 1 while it touches something
	contacts        // how often it began to
	odometer        // m, both ways
	age             // steps since the reset
	nextPing        // steps until the sonars ping
	nextLook        // steps until the floor is read
	pings           // done
	looks           // done
	walked          // steps that the movers have taken
	volts           // V
	amps            // A
	topSpeed        // m/s
	deadBand
	leftGain
	rightGain
	slip     // 1 - slip
	nominal  // V
	pack     // V, resting
	ohms     // of the pack
	idle     // A
	motor    // A at full duty
	linkage  // wheel angle per servo angle
	trim     // rad
	slew     // rad per step
	grip     // share of the lag per step
	base     // m, wheelbase
	skid     // 1 - skid
	creep    // m, what a step takes from the slack of a car that stands
	arm      // m, from the axle to the body's centre
	enough   // m of slack, above which nothing can touch
	dropOut  // probability
	rangeErr // relative
	maxRange // m
	detours  // probability
	floorErr // counts
	site     // number of the car's site
	numScalars
)

// The fields that are there more than once.
const (
	ranges    = numScalars         // m, of each sonar; -1 for no echo
	heard     = ranges + MaxSonars // m, likewise before noise; +Inf for nothing
	counts    = heard + MaxSonars  // of each floor sensor
	spread    = counts + numFloor  // likewise, relative to an ideal one
	numFields = spread + numFloor
)

// numParams is how many fields from topSpeed on are those of the site.
const numParams = floorErr + 1 - topSpeed

// The keys of a block's streams of noise, each Lanes words in a row.
const (
	sonarKey = 0
	softKey  = sonarKey + MaxSonars
	floorKey = softKey + MaxSonars
	numKeys  = floorKey + numFloor
)

const numFloor = 3 // floor sensors
