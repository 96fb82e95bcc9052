// Code generated from the Go sources by gpu/kernels/header. DO NOT EDIT.
//
// The shape of the belief's grid and rays.
#ifndef FIELDBRAIN_SHARED_H
#define FIELDBRAIN_SHARED_H

#include <stdint.h>

enum { SIDE = 32, PADDED = 34, LIMIT = 123, ROWS = 32, COLUMNS = 128, AZIMUTHS = 256, ONE = 32767, FAINT = 256 };
enum { MARK_FREE = 1, MARK_ARC = 2, MARK_HIT = 3 };

#endif
