// The frame of a page: its colours, the search, the menus, the place in the contents.
(() => {
  const page = document.documentElement;
  const find = (name) => document.querySelector(name);
  const wide = matchMedia("(min-width: 992px)"); // from here on the menus stand beside the text

  // Colours: as the system has them, until a reader chooses ------------------------------

  const dark = matchMedia("(prefers-color-scheme: dark)");

  function colour(mode) {
    page.dataset.mode = mode;
    page.dataset.theme = mode === "auto" ? (dark.matches ? "dark" : "light") : mode;
  }

  dark.addEventListener("change", () => colour(page.dataset.mode));
  find(".theme-switch-button")?.addEventListener("click", () => {
    const modes = dark.matches ? ["auto", "light", "dark"] : ["auto", "dark", "light"];
    const mode = modes[(modes.indexOf(page.dataset.mode) + 1) % modes.length];
    colour(mode);
    try {
      localStorage.setItem("mode", mode);
    } catch {
      // A browser that keeps nothing forgets the choice with the page.
    }
  });

  // Search: a dialog, but on the page of results its own field ---------------------------

  const search = find("#pst-search-dialog");
  const apple = /Mac|iPhone|iPad/.test(navigator.platform);

  function askForWords() {
    const field = find("main form.bd-search input");
    if (field) {
      field.focus();
      field.select();
    } else if (search.open) search.close();
    else search.showModal();
  }

  find(".search-button__button")?.addEventListener("click", askForWords);
  addEventListener("keydown", (event) => {
    const held = apple ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
    if (!held || event.shiftKey || event.altKey || event.key.toLowerCase() !== "k") return;
    event.preventDefault();
    askForWords();
  });
  if (apple) {
    for (const key of document.querySelectorAll(".kbd-shortcut__modifier")) key.textContent = "⌘";
  }

  // Menus: on a phone each opens as a dialog, into which its content moves ----------------

  function move(from, to) {
    to.append(...from.childNodes);
    to.className = from.className;
    from.className = "";
  }

  for (const side of ["primary", "secondary"]) {
    const button = find(`.${side}-toggle`);
    const menu = find(`#pst-${side}-sidebar`);
    const dialog = find(`#pst-${side}-sidebar-modal`);
    if (!button || !menu) continue;
    const folds = () => side === "primary" && wide.matches;
    const tell = () => {
      if (folds()) button.setAttribute("aria-expanded", !menu.matches(".pst-sidebar-hidden"));
      else button.removeAttribute("aria-expanded");
    };
    button.addEventListener("click", () => {
      if (folds()) menu.classList.toggle("pst-sidebar-hidden");
      else {
        move(menu, dialog);
        dialog.showModal();
      }
      tell();
    });
    dialog.addEventListener("close", () => {
      move(dialog, menu);
      button.focus();
    });
    // A link to a place on this page leads there, not behind the dialog.
    dialog.addEventListener("click", ({ target }) => {
      if (target.closest("a[href^='#']")) dialog.close();
    });
    wide.addEventListener("change", tell);
    tell();
  }

  for (const dialog of document.querySelectorAll("dialog")) {
    // Escape closes it, unless Sphinx's script for found words hears of it.
    dialog.addEventListener("keydown", (event) => event.key === "Escape" && event.stopPropagation());
    // So does a click beside it.
    dialog.addEventListener("click", ({ target, clientX, clientY }) => {
      const { left, right, top, bottom } = dialog.getBoundingClientRect();
      const inside = left <= clientX && clientX <= right && top <= clientY && clientY <= bottom;
      if (target === dialog && !inside) dialog.close();
    });
  }

  // The list of chapters stays where it was from page to page -----------------------------

  function placeContents() {
    const menu = find("#pst-primary-sidebar");
    const current = [...menu.querySelectorAll(".bd-docs-nav .active")].pop();
    const before = sessionStorage.getItem("sidebar-scroll-top");
    if (before !== null) menu.scrollTop = before;
    else if (current) {
      const place = current.getBoundingClientRect().top - menu.getBoundingClientRect().top;
      if (place > innerHeight / 2) menu.scrollTop = place - menu.clientHeight / 4;
    }
    addEventListener("pagehide", () => sessionStorage.setItem("sidebar-scroll-top", menu.scrollTop));
  }

  try {
    if (wide.matches) placeContents();
  } catch {
    // Without a store the list begins at its top.
  }

  // The heading that is read now is marked among those of the page -------------------------

  const entries = new Map();
  for (const link of document.querySelectorAll("#pst-page-toc-nav a[href^='#']")) {
    const place = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (place) entries.set(place.querySelector("h1, h2, h3, h4, h5, h6") ?? place, link);
  }

  function mark(link) {
    for (const other of entries.values()) {
      other.classList.toggle("active", other === link);
      if (other === link) other.setAttribute("aria-current", "true");
      else other.removeAttribute("aria-current");
    }
  }

  const reading = new IntersectionObserver(
    (seen) => {
      const last = seen.filter((entry) => entry.isIntersecting).pop();
      if (last) mark(entries.get(last.target));
    },
    { rootMargin: "0px 0px -70% 0px" },
  );
  for (const heading of entries.keys()) reading.observe(heading);

  const top = find(".sbt-scroll-pixel-helper");
  const scrolled = ([entry]) =>
    document.body.classList.toggle("scrolled", entry.boundingClientRect.y < 0);
  new IntersectionObserver(scrolled).observe(top);

  // Sections far from the screen are not laid out: see [data-waiting] in course.css --------

  // Once the reader scrolls, four screens ahead: nothing moves under one who scrolls fast.
  const ahead = new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) {
        if (isIntersecting) target.classList.add("laid-out");
      }
    },
    { rootMargin: "400% 0px" },
  );
  const lookAhead = () => {
    for (const part of document.querySelectorAll(".bd-article > section > section")) {
      ahead.observe(part);
    }
  };
  addEventListener("scroll", lookAhead, { once: true, passive: true });

  // What scrolls must be reached by keyboard; what is seen not to scroll is no stop.
  const SCROLLERS = "pre, .cell_output, .cell_output > .output, .pst-scrollable-table-container";

  function look(box) {
    const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
    if (!scrolls && box !== document.activeElement) box.removeAttribute("tabindex");
  }

  const near = new IntersectionObserver(
    (seen) => seen.filter((entry) => entry.isIntersecting).forEach(({ target }) => look(target)),
    { rootMargin: "50%" },
  );

  function watchScrollers() {
    near.disconnect();
    for (const box of document.querySelectorAll(SCROLLERS)) {
      box.tabIndex = 0; // until it is looked at
      near.observe(box);
    }
  }

  let resizing;
  addEventListener("resize", () => {
    clearTimeout(resizing);
    resizing = setTimeout(watchScrollers, 300);
  });
  watchScrollers();

  // Whoever goes to a place, prints, or looks for a word needs the whole page.
  const layOutAll = () => delete page.dataset.waiting;
  const goes = ({ target }) => target.closest("a[href^='#']") && layOutAll();
  document.addEventListener("click", goes, true);
  addEventListener("beforeprint", layOutAll);
  addEventListener("keydown", ({ ctrlKey, metaKey, key }) => {
    if ((ctrlKey || metaKey) && key === "f") layOutAll();
  });
})();
