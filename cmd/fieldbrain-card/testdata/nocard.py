"""A process without a card goes on, with an error that it can catch."""

import sys

from fieldbrain_env import Error, card

try:
    card.CardFleet(8)
    sys.exit("cars drive on no card")
except Error as e:
    assert e.code == card.FAILED and "does not start" in str(e), str(e)
