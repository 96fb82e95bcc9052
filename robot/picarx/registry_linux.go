package picarx

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"periph.io/x/conn/v3/i2c/i2creg"
	"periph.io/x/host/v3"
)

// Buses returns the names of every I2C bus that periph's host drivers found on
// this machine, with their aliases: what a configuration's bus may be called.
// The package asks the drivers once per process; it does not see a bus that
// appears later.
func Buses() ([]string, error) {
	if _, err := host.Init(); err != nil {
		return nil, fmt.Errorf("picarx: ask periph's host drivers: %w", err)
	}
	var names []string
	for _, ref := range i2creg.All() {
		names = append(names, strings.Join(append([]string{ref.Name}, ref.Aliases...), " = "))
	}
	return names, nil
}

// registered returns the /dev path of a bus under the name periph knows it by:
// "/dev/i2c-7", "I2C7" or "7". An empty name is refused: periph would take the
// lowest number, which on a Jetson is another bus.
func registered(name string) (string, error) {
	if name == "" {
		return "", errors.New("picarx: no I2C bus named: name one in the configuration")
	}
	buses, err := Buses()
	if err != nil {
		return "", err
	}
	for _, ref := range i2creg.All() {
		known := append([]string{ref.Name, strconv.Itoa(ref.Number)}, ref.Aliases...)
		if slices.Contains(known, name) && ref.Number >= 0 {
			return fmt.Sprintf("/dev/i2c-%d", ref.Number), nil
		}
	}
	return "", fmt.Errorf("picarx: no I2C bus %s; this machine has %q: correct body.bus in the configuration, or enable I2C on header pins 3 and 5",
		name, buses)
}
