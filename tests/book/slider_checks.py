"""What a slider must do in the book. Each check returns the problems it finds, as sentences."""

import statistics

from tests.book.visits import eventually

STATE = """(box) => {
  const drawing = box.querySelector("svg");
  const inputs = [...box.querySelectorAll("input[type=range]")];
  return {
    frame: drawing?.innerHTML ?? "",
    words: drawing?.getAttribute("aria-label") ?? "",
    told: [...box.querySelectorAll("[aria-live=polite]")].map((part) => part.textContent).join(""),
    values: inputs.map((input) => input.value),
    texts: inputs.map((input) => input.getAttribute("aria-valuetext")),
  };
}"""
LOOKS = 70  # until the words are told, or a slider moves by itself, on a slow machine
STEP_MS = 400  # of _static/explore.js
# Goes through all frames, there and back in great steps, and compares what is shown with what
# is stored: the parts of a frame, drawn anew.
UNFAITHFUL = """(box) => {
  const { frames, parts, alts } = JSON.parse(box.querySelector("script").textContent);
  const drawing = box.querySelector(".explore-stage").firstElementChild;
  const inputs = [...box.querySelectorAll("input[type=range]")];
  const lengths = inputs.map((input) => +input.max + 1);
  const fresh = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const found = [];
  const steps = Array.from({ length: 2 * frames.length }, (_, i) =>
    i < frames.length ? i : (7 * i) % frames.length);
  for (const number of steps) {
    let rest = number;
    for (let i = inputs.length - 1; i >= 0; rest = Math.floor(rest / lengths[i--])) {
      inputs[i].value = rest % lengths[i];
    }
    inputs[0].dispatchEvent(new Event("input", { bubbles: true }));
    fresh.innerHTML = frames[number].flatMap((first, i, runs) =>
      i % 2 ? [] : parts.slice(first, first + runs[i + 1])).join("");
    const shown = [...drawing.children].filter((part) => part.outerHTML !== "<g></g>");
    const same = shown.length === fresh.children.length
      && shown.every((part, i) => part.isEqualNode(fresh.children[i]));
    if (!same || drawing.getAttribute("aria-label") !== alts[number]) found.push(number);
  }
  return found;
}"""
# Work is script, style and layout of one step; frame is until the browser may paint again.
STEPS = """async (box) => {
  const input = box.querySelector("input[type=range]");
  const times = [];
  for (let step = 0; step < 50; step++) {
    await new Promise(requestAnimationFrame);
    const start = performance.now();
    input.value = (+input.value + 1) % (+input.max + 1);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    box.getBoundingClientRect();
    const work = performance.now() - start;
    await new Promise(requestAnimationFrame);
    times.push({ work, frame: performance.now() - start });
  }
  return times;
}"""


def keyboard(box):
    """Home, ArrowRight and End must each go to another frame and say another value."""
    problems = []
    for number, slider in enumerate(box.locator("input[type=range]").all()):
        slider.press("Home")
        first = box.evaluate(STATE)
        slider.press("ArrowRight")
        second = box.evaluate(STATE)
        slider.press("End")
        last = box.evaluate(STATE)
        steps = int(slider.get_attribute("max"))
        if (first["values"][number], second["values"][number]) != ("0", "1"):
            problems.append("Home or ArrowRight does not move the slider")
        if last["values"][number] != str(steps):
            problems.append("End does not move the slider to its end")
        problems += _unchanged(first, second, number, "ArrowRight")
        if steps > 1:
            problems += _unchanged(second, last, number, "End")
    return problems


def _untold(box):
    state = box.evaluate(STATE)
    return not state["words"] or state["told"] != state["words"]


def announcement(box):
    """When the slider rests, a screen reader must be told what the picture shows now."""
    problems = []
    for slider in box.locator("input[type=range]").all():
        slider.press("Home")  # where it may stand already, so that nothing is to be told
        for key in ("End", "Home"):
            slider.press(key)
            if eventually(_untold, box, LOOKS):
                problems.append(f"after {key} the picture's change is not announced")
    return problems


def mouse(box):
    """A click near the right end must go to another frame than one near the left end."""
    problems = []
    for number, slider in enumerate(box.locator("input[type=range]").all()):
        slider.scroll_into_view_if_needed()
        size = slider.bounding_box()
        states = []
        for place in (0.05, 0.95):
            slider.click(position={"x": size["width"] * place, "y": size["height"] / 2})
            states.append(box.evaluate(STATE))
        problems += _unchanged(*states, number, "a click")
    return problems


def play(box):
    """Play must move on, and Pause must stop it."""
    problems = []
    for button in box.locator("button").all():
        for slider in box.locator("input[type=range]").all():
            slider.press("Home")
        before = box.evaluate(STATE)["values"]
        button.click()
        if eventually(lambda box, at=before: box.evaluate(STATE)["values"] == at, box, LOOKS):
            problems.append("Play does not move the slider")
        if button.inner_text() != "Pause":
            problems.append(f"while it plays the button says {button.inner_text()!r}, not 'Pause'")
        button.click()
        paused = box.evaluate(STATE)["values"]
        box.page.wait_for_timeout(2 * STEP_MS)
        if box.evaluate(STATE)["values"] != paused:
            problems.append("Pause does not stop the slider")
    return problems


def faithful(box):
    """Every frame must be the stored one, from wherever the slider comes."""
    return [f"frame {number} is not as it is stored" for number in box.evaluate(UNFAITHFUL)]


def frame_times(box):
    """Return the work and the frame time of 50 steps, median and 95th percentile, in ms."""
    times = box.evaluate(STEPS)
    summary = {}
    for name in ("work", "frame"):
        values = sorted(time[name] for time in times)
        summary[name] = (statistics.median(values), values[int(0.95 * len(values))])
    return summary


def without_scripts(box):
    """The starting frame must be seen, and nothing that cannot be moved may be shown."""
    problems = []
    drawing = box.locator("svg").first
    if not drawing.count() or not drawing.is_visible() or not drawing.locator("path, text").count():
        problems.append("without scripts the starting frame is not there")
    if box.locator("input, button").first.is_visible():
        problems.append("without scripts the controls show, but cannot be moved")
    return problems


def _unchanged(before, after, number, action):
    problems = []
    if before["frame"] == after["frame"]:
        problems.append(f"{action} does not change the frame")
    if before["words"] == after["words"]:
        problems.append(f"{action} does not change the alternative text")
    if before["texts"][number] == after["texts"][number]:
        problems.append(f"{action} does not change aria-valuetext")
    return problems
