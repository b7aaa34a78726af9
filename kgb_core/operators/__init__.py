"""What an operator is, how its cases are written and drawn, and where operators are found."""
