"""The committed data, and in :mod:`casebook.data.tables` what reads the small tables of it."""
