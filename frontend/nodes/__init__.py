"""Operations that users define: shape rules, implementations for devices, dispatch, composites, bypasses and profiles.

Reading order: `shape_rules`, `dispatch` (`sw.backends`), `rule_checks` (rules over the sizes of a trace), `implementations`,
`saved` (backward passes), `operation` (the class), `define` (`sw.define_op`, `sw.compile_as`, `sw.bypass`), `profile`.
"""
