"""Can the words in the figures be read? Calculated, from what the browser draws behind them.

Lines that a word crosses do not count; whatever is filled does.
"""

from tests.colours import LEAST_CONTRAST

# Returns each text of a drawing with its contrast, lowest of three places along the text.
# A shape counts if it is painted before the text and filled where the text stands.
TEXTS = """(root) => {
  const channels = (colour) => {
    const [red, green, blue, alpha = 1] = colour.match(/[\\d.]+/g).map(Number);
    return { rgb: [red, green, blue].map((value) => value / 255), alpha };
  };
  const over = (colour, alpha, page) => colour.map((c, i) => c * alpha + page[i] * (1 - alpha));
  const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) =>
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const pageBehind = (element) => {
    const layers = [];
    for (let holder = element; holder; holder = holder.parentElement) {
      layers.unshift(channels(getComputedStyle(holder).backgroundColor));
    }
    return layers.reduce((page, { rgb, alpha }) => over(rgb, alpha, page), [1, 1, 1]);
  };
  const opacity = (element) => {
    let product = +getComputedStyle(element).fillOpacity;
    for (let holder = element; holder.ownerSVGElement; holder = holder.parentElement) {
      product *= getComputedStyle(holder).opacity;
    }
    return product;
  };
  const filled = (drawing) =>
    [...drawing.querySelectorAll("path, rect, circle, ellipse, polygon")]
      .map((shape) => ({ shape, fill: getComputedStyle(shape).fill }))
      .filter(({ shape, fill }) => fill.startsWith("rgb") && !shape.closest("defs, clipPath"))
      .map(({ shape, fill }) => {
        const { rgb, alpha } = channels(fill);
        const toShape = shape.getScreenCTM().inverse();
        const box = shape.getBoundingClientRect();
        return { shape, rgb, alpha: alpha * opacity(shape), toShape, box };
      });
  const behind = (shapes, text, point, page) => {
    for (const { shape, rgb, alpha, toShape, box } of shapes) {
      if (point.x < box.left || point.x > box.right) continue;
      if (point.y < box.top || point.y > box.bottom) continue;
      if (text.compareDocumentPosition(shape) & Node.DOCUMENT_POSITION_FOLLOWING) break;
      if (!shape.isPointInFill(point.matrixTransform(toShape))) continue;
      page = over(rgb, alpha, page);
    }
    return page;
  };
  const found = [];
  for (const drawing of root.querySelectorAll("svg.drawing")) {
    const page = pageBehind(drawing.parentElement);
    const shapes = filled(drawing);
    for (const text of drawing.querySelectorAll("text")) {
      for (const run of text.children.length ? text.children : [text]) {
        const { rgb, alpha } = channels(getComputedStyle(run).fill);
        const box = run.getBBox();
        const ratios = [0.1, 0.5, 0.9].map((share) => {
          const place = new DOMPoint(box.x + share * box.width, box.y + box.height / 2);
          const under = behind(shapes, text, place.matrixTransform(run.getScreenCTM()), page);
          return contrast(over(rgb, alpha * opacity(run), under), under);
        });
        found.push({ words: run.textContent.trim(), ratio: Math.min(...ratios) });
      }
    }
  }
  return found;
}"""
# Shows every frame of a slider in turn; returns the texts of all of them.
ALL_FRAMES = f"""(box) => {{
  const texts = {TEXTS};
  const inputs = [...box.querySelectorAll("input[type=range]")];
  const start = inputs.map((input) => input.value);
  const found = [];
  const visit = (number) => {{
    if (number === inputs.length) {{
      found.push(...texts(box));
      return;
    }}
    const input = inputs[number];
    for (let value = 0; value <= +input.max; value++) {{
      input.value = value;
      input.dispatchEvent(new Event("input", {{ bubbles: true }}));
      visit(number + 1);
    }}
  }};
  visit(0);
  inputs.forEach((input, number) => (input.value = start[number]));
  inputs[0].dispatchEvent(new Event("input", {{ bubbles: true }}));
  return found;
}}"""


def faint_words(visit):
    """Words of the figures, and of every frame of the sliders, against what lies behind them."""
    texts = visit.page.evaluate(f"() => ({TEXTS})(document.body)")
    for box in visit.page.locator(".explore").all():
        texts += box.evaluate(ALL_FRAMES)
    worst = {}
    for text in texts:
        worst[text["words"]] = min(text["ratio"], worst.get(text["words"], 21))
    return [
        f"the words {words!r} in a figure have a contrast of {ratio:.2f}"
        for words, ratio in worst.items()
        if ratio < LEAST_CONTRAST
    ]
