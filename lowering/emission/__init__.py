"""What both emitters share: source text that knows the operation of each line, identifiers, index expressions as text."""
