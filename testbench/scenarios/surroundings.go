package scenarios

// A World is what the file says about the surroundings.
type World struct {
	Size    [2]float64 `toml:"size" comment:"width and height, 0.5 .. 50 m; pictures and coverage show 0..size; required"`
	Walled  bool       `toml:"walled" comment:"walls on that rectangle"`
	Scatter Scatter    `toml:"scatter" comment:"Discs that the seed places: no two surfaces nearer than gap, none nearer to the start than clear."`
	Floor   Floor      `toml:"floor" comment:"Reflectances in ADC counts, 0 .. 4095."`
	Goal    *Goal      `toml:"goal" comment:"A beacon, for brain.goal and stop = \"goal\"."`
	Walls   []Wall     `toml:"wall,omitempty" comment:"A straight wall."`
	Boxes   []Box      `toml:"box,omitempty" comment:"A rectangular obstacle."`
	Discs   []Disc     `toml:"disc,omitempty" comment:"A round obstacle."`
	Movers  []Mover    `toml:"mover,omitempty" comment:"A disc that walks round a closed path and waits where it would touch the car."`
}

// A Surface says what an obstacle does to a ping. The zero value is hard and rough.
type Surface struct {
	Lost     float64 `toml:"lost,omitempty" comment:"probability that it loses a ping's echo, as a curtain does, 0 .. 1"`
	Within   float64 `toml:"within,omitempty" comment:"m beyond which its echo is too weak to be heard, 0 .. 10; 0 or left out is no bound"`
	Specular float64 `toml:"specular_deg,omitempty" comment:"deg from square on beyond which it is a mirror, 0 .. 90; 0 or left out takes the car's specular"`
}

// A Wall is one straight wall.
type Wall struct {
	From [2]float64 `toml:"from"`
	To   [2]float64 `toml:"to"`
	Surface
}

// A Box is a rectangular obstacle.
type Box struct {
	At    [2]float64 `toml:"at" comment:"its middle"`
	Size  [2]float64 `toml:"size" comment:"width and height, 0.01 .. 10 m"`
	Angle float64    `toml:"angle_deg" comment:"deg, -360 .. 360"`
	Surface
}

// A Disc is a round obstacle, displaced by up to Spread each way by the seed.
type Disc struct {
	At     [2]float64 `toml:"at"`
	Radius float64    `toml:"radius" comment:"0.005 .. 5 m"`
	Spread float64    `toml:"spread" comment:"the seed displaces it by up to this each way, 0 .. 5 m"`
	Surface
}

// A Mover is a disc that walks round a closed path.
type Mover struct {
	Path   [][2]float64 `toml:"path" comment:"corners, at least 2"`
	Radius float64      `toml:"radius" comment:"0.005 .. 1 m"`
	Speed  float64      `toml:"speed" comment:"0 .. 2 m/s"`
	Surface
}

// A Scatter places discs by the seed: no two surfaces nearer than Gap, none
// nearer to the start's centre than Clear.
type Scatter struct {
	Count     int     `toml:"count" comment:"0 .. 50; 0 places none, and the other keys say nothing"`
	RadiusMin float64 `toml:"radius_min" comment:"0.005 .. 1 m"`
	RadiusMax float64 `toml:"radius_max" comment:"radius_min .. 1 m"`
	Gap       float64 `toml:"gap" comment:"0 .. 2 m"`
	Clear     float64 `toml:"clear" comment:"0 .. 5 m"`
}

// A Floor is the floor's reflectances in ADC counts, its lines and its edge.
type Floor struct {
	Background float64      `toml:"background" comment:"of the floor"`
	Tape       float64      `toml:"tape" comment:"of a line"`
	Void       float64      `toml:"void" comment:"beyond the table's edge"`
	Table      [][2]float64 `toml:"table,omitempty" comment:"corners of a table, at least 3; beyond them the car falls"`
	Oval       *Oval        `toml:"oval" comment:"A closed line: two straights along x and two half circles."`
	Lines      []Line       `toml:"line,omitempty" comment:"A line of tape."`
}

// A Line is a polyline of tape.
type Line struct {
	Points [][2]float64 `toml:"points" comment:"at least 2; required"`
	Width  float64      `toml:"width" comment:"0.001 .. 1 m; required"`
}

// An Oval is a closed line: two straights and two half circles, the radius
// drawn by the seed.
type Oval struct {
	At        [2]float64 `toml:"at" comment:"its middle"`
	Straight  float64    `toml:"straight" comment:"length of a straight, 0 .. 20 m"`
	RadiusMin float64    `toml:"radius_min" comment:"the seed draws the half circles' radius, 0.05 .. 10 m"`
	RadiusMax float64    `toml:"radius_max" comment:"radius_min .. 10 m"`
	Width     float64    `toml:"width" comment:"0.001 .. 1 m"`
}

// A Goal is a beacon.
type Goal struct {
	At     [2]float64 `toml:"at"`
	Radius float64    `toml:"radius" comment:"reached within it where nothing but movers is between, 0.05 .. 2 m; required"`
}
