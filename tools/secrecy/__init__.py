"""What only a solution may hold, and the search for it wherever learners look."""
