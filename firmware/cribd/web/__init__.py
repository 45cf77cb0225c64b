"""Web pages: `http` serves any page within limits, `kiosk` has the pages of the board."""
