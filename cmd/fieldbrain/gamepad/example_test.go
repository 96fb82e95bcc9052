package gamepad_test

import (
	"fmt"

	"fieldbrain/cmd/fieldbrain/gamepad"
)

// Without a gamepad the error says what to do.
func ExampleFind() {
	_, err := gamepad.Find("/nowhere", gamepad.DeadZone)
	fmt.Println(err)
	// Output: gamepad: no gamepad is there: plug one in, or pair it (bluetoothctl), and look whether /dev/input has it
}
