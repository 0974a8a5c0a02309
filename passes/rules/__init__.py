"""Rewrite rules over micro-ops: declared as text, checked, matched and applied.

Imports `passes/manager` and `passes/analysis`. Reading order: `terms` (the two sides as trees), `rule`, `shipped` (the table),
`matching`, `checks` (each rule must lower the cost), `settings` (rules and hooks that users add or disable), `rewrite_rules`
(the pass).
"""
