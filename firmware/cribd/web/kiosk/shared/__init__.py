"""Code, styles and scripts that several pages share."""
