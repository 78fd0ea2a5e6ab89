"""What an instructor does with what a class hands in, on top of nbgrader.

python -m tools.grading release | collect | run | essays | feedback | export

On the way of one notebook from a learner's file to a mark:

    names, collect   whose file is it, and of which assignment?
    form             the cells as they were released, whatever was deleted or doubled
    proctor, inside  running it: a lost kernel, an endless loop, a check that was changed
    kernels, nursery where it runs: in a kernel that starts at once
    marks, essays    the gradebook: what a check gave, what a person gave
    page             what the student gets back
"""
