"""What stands on paper. Needs a page that was told that it is printed."""

SHOWN = """() => {
  const shown = (part) => part.checkVisibility() && part.getBoundingClientRect().height > 0;
  const all = (names) => [...document.querySelectorAll(names)];
  // "doi:10.1/x" says all of "https://doi.org/10.1/x".
  const writtenOut = (link) => /^(https?:|doi:)/.test(link.textContent)
    && link.getAttribute("href").endsWith(link.textContent.replace(/^doi:/, ""));
  const short = (part) => part.outerHTML.slice(0, 80);
  return {
    screenOnly: all(".bd-sidebar-primary, .bd-sidebar-secondary, .bd-header-article, "
      + ".explore-controls, .prev-next-footer, .skip-link a").filter(shown).map(short),
    drawings: all("main svg.drawing, main figure img").filter((part) => !shown(part)).map(short),
    links: all("main article a[href^='http']").filter((link) => shown(link)
      && !getComputedStyle(link, "::after").content.includes(link.getAttribute("href"))
      && !writtenOut(link)).map(short),
    folded: all("main details p").filter((part) => !shown(part)).map(short),
    dark: getComputedStyle(document.body).color,
  };
}"""


def on_paper(visit):
    """Figures and starting frames, links with their addresses, nothing that only a screen needs."""
    found = visit.page.evaluate(SHOWN)
    problems = [f"stands on paper, but is for the screen: {html}" for html in found["screenOnly"]]
    problems += [f"a drawing is missing on paper: {html}" for html in found["drawings"]]
    problems += [f"a link does not show its address: {html}" for html in found["links"]]
    problems += [f"stays folded on paper: {html}" for html in found["folded"]]
    if found["dark"] != "rgb(0, 0, 0)":
        problems.append(f"the text on paper is not black: {found['dark']}")
    return problems
