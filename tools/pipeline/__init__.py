"""From text to notebook: what is made, from what, and when it is out of date."""
