// What a launch of fieldbrain_fleet is about, for the kernel and for testbench/vector/card.
#ifndef FIELDBRAIN_FLEET_H
#define FIELDBRAIN_FLEET_H

#include "../../testbench/vector/native/shape.h"

enum { FLEET_ACTION = 3, FLEET_READING = SONARS + FLOORS, FLEET_STATE = 8, FLEET_THREADS = 64, FLEET_BLOCKS = 6 };

// A FleetJob is a fleet in the device's memory. Rows are those of the cars.
typedef struct {
	Shape shape;
	double *fields;        // block, field, lane, as ../../testbench/vector/fields.go has them
	const uint64_t *keys;  // block, key, lane
	const double *actions; // FLEET_ACTION a car: duties left and right, pulse in s; null: those of the fields
	double *readings;      // FLEET_READING a car: ranges in m, floor in counts; null: nobody asks
	double *states;        // FLEET_STATE a car: x, y, heading, speed, steering, yaw, contacts, metres; null: likewise
} FleetJob;

#endif
