package picarx

// The vendor's formulas, for their golden tables.
var (
	ServoCount   = servoCount
	DutyCount    = dutyCount
	DecodeADC    = decodeADC
	BatteryVolts = batteryVolts
)
