"""The doctor, which examines a board's machine and parts.

`examine` runs all checks in the order of their groups. Each check is a function that looks at one `Installation` and
yields findings: what was measured and, if that is wrong, the remedy. Words are `Message`s, for both languages.
`docs/doctor.md` has every finding; `tests/device/doctor` makes each fault and reads the finding.
"""
