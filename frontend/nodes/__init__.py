"""Operations that users define: shape rules, implementations for devices, dispatch, composites, bypasses and profiles."""
