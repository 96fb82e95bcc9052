package picarx

import (
	"errors"
	"fmt"
	"strings"
)

// Addresses the HAT's controller has been seen at (robot-hat 2.5.x, adc.py and
// pwm.py; branch robot5-ai for 0x17).
const (
	addrPrimary   = 0x14 // V4 and V5 manuals
	addrSecondary = 0x15 // second in the vendor's lists; V5 in the table of branch robot5-ai
	addrOther     = 0x17 // v6 and Fusion: a different register map
)

// Registers of the V4 controller (onboard_mcu.rst). Every write is three
// bytes: register, high byte, low byte.
const (
	regADC       = 0x10 // | 7 - channel, starts a conversion
	regCompare   = 0x20 // + PWM channel, "on" count
	regPrescaler = 0x40 // + timer, takes the prescaler minus one
	regPeriod    = 0x44 // + timer, takes the period itself
)

// PWM channels, timers and ADC channels of a PiCar-X on a V4 HAT.
const (
	chPan        = 0  // P0
	chTilt       = 1  // P1
	chSteering   = 2  // P2
	chRightMotor = 12 // P12, plug "motor 2"
	chLeftMotor  = 13 // P13, plug "motor 1"

	timerServo = 0 // P0..P3
	timerMotor = 3 // P12..P15

	adcLeft    = 0 // A0, A1, A2: floor sensors left to right
	adcBattery = 4 // A4, behind a 1:3 divider
	numADC     = 5 // channels this car reads
)

// Timing of the PWM: the clock is 72 MHz and both timers count to 4095.
const (
	pwmPeriod      = 4095
	servoPrescaler = 352 // 49.94 Hz
	motorPrescaler = 10  // 1757.8 Hz
)

const (
	adcFull    = FloorScale              // 12 bits; more means the byte stream is shifted
	adcVolts   = 3.3                     // at full scale
	batDivider = 3.0                     // 20 kOhm over 10 kOhm
	batMin     = 5.0                     // V, below it is a glitch or USB power
	batMax     = 8.7                     // V, above it no 2S pack can be
	degrees    = 180 / 3.141592653589793 // per radian
)

// ErrDesync reports an ADC value that twelve bits cannot hold: the controller
// and the driver disagree about which byte comes next.
var ErrDesync = errors.New("picarx: ADC value above 4095: the HAT's byte stream is shifted")

// A Board is a generation of the Robot HAT.
type Board string

// Boards by the names the configuration uses.
const (
	BoardV4     Board = "v4"     // PWM and direction line per motor: driven
	BoardV5     Board = "v5"     // two PWM inputs per motor: refused
	BoardV6     Board = "v6"     // address 0x17, other registers: refused
	BoardFusion Board = "fusion" // address 0x17, other registers: refused
)

// A BoardError says that the driver recognised a HAT and must not drive it.
type BoardError struct {
	Board  Board  // what it is, or looks like
	Reason string // why this driver leaves it alone
}

// Error names the board and the reason.
func (e *BoardError) Error() string {
	return fmt.Sprintf("picarx: Robot HAT %q is not driven: %s", string(e.Board), e.Reason)
}

// Check returns nil for a board this driver drives and a *BoardError with the
// reason for every other.
func (b Board) Check() error {
	switch b {
	case BoardV4:
		return nil
	case BoardV5:
		return &BoardError{b, "each motor has two PWM inputs; V4 writes to P12 and P13 would brake motor 1 and leave the others dead; fit a V4 HAT"}
	case BoardV6, BoardFusion:
		return &BoardError{b, "it answers at 0x17 with a different register map (16-bit ADC reads, other PWM registers); fit a V4 HAT"}
	}
	return &BoardError{b, "unknown board; known are v4 (driven), v5, v6 and fusion (refused)"}
}

// BoardOfUUID names the board whose ID EEPROM a Raspberry Pi's firmware
// published as /proc/device-tree/hat/uuid. V4 publishes none, so anything
// unknown is V4, as the vendor's library decides (device.py).
func BoardOfUUID(uuid string) Board {
	uuid = strings.ToLower(strings.Trim(uuid, "\x00\n "))
	switch {
	case strings.HasPrefix(uuid, "9daeea78-0000-076e-0032-"):
		return BoardV5
	case strings.HasPrefix(uuid, "9daeea78-0000-076e-003c-"):
		return BoardV6
	case strings.HasPrefix(uuid, "9daeea78-0000-0774-000a-"):
		return BoardFusion
	}
	return BoardV4
}

// servoCount returns the compare value of a servo angle in degrees on the
// servo's own scale, clamped to +-90. One count is 4.889 us or 0.44 degrees.
func servoCount(angle float64) uint16 {
	angle = min(max(angle, -90), 90)
	pulse := float64((angle+90)*(2500-500))/180 + 500 // us
	return uint16(float64(pulse / 20000 * pwmPeriod))
}

// dutyCount returns the compare value of a duty cycle 0..1, clamped.
func dutyCount(duty float64) uint16 {
	return uint16(float64(min(max(duty, 0), 1) * pwmPeriod))
}

// decodeADC joins the two bytes of a conversion, most significant first.
func decodeADC(msb, lsb byte) (uint16, error) {
	v := uint16(msb)<<8 | uint16(lsb)
	if v > adcFull {
		return 0, ErrDesync
	}
	return v, nil
}

// batteryVolts converts a conversion of A4 to the pack's voltage.
func batteryVolts(raw uint16) float64 {
	return float64(float64(raw)*adcVolts) / adcFull * batDivider
}

// A write is one 3-byte register write of a fixed sequence.
type write struct {
	register byte
	value    uint16
}

// timerWrites sets both timers; it is also the periodic refresh that heals a
// press of the ZERO button or a brown-out.
var timerWrites = [...]write{
	{regPrescaler + timerMotor, motorPrescaler - 1},
	{regPeriod + timerMotor, pwmPeriod},
	{regPrescaler + timerServo, servoPrescaler - 1},
	{regPeriod + timerServo, pwmPeriod},
}

// registerName says in words what a register does, for error texts.
func registerName(r byte) string {
	switch r {
	case regCompare + chPan:
		return "pan servo"
	case regCompare + chTilt:
		return "tilt servo"
	case regCompare + chSteering:
		return "steering servo"
	case regCompare + chRightMotor:
		return "right motor"
	case regCompare + chLeftMotor:
		return "left motor"
	case regADC | 7 - adcBattery:
		return "battery"
	}
	switch {
	case r >= regADC && r < regADC+8:
		return fmt.Sprintf("ADC channel A%d", 7-(r&7))
	case r >= regPrescaler && r < regPeriod:
		return fmt.Sprintf("prescaler of timer %d", r-regPrescaler)
	case r >= regPeriod && r < regPeriod+4:
		return fmt.Sprintf("period of timer %d", r-regPeriod)
	}
	return "controller"
}
