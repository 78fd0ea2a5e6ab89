// Moves the sliders of a page between their stored frames. Markup and data: casebook/drawing/explore_page.py.
(() => {
  const STEP_MS = matchMedia("(prefers-reduced-motion: reduce)").matches ? 1500 : 400;
  const QUIET_MS = 500; // a screen reader hears the frame when the slider rests

  // A heat map is one group of many cells, and most of a cell stays: gives a group the cells of
  // another by what differs, and says whether that can be done.
  function recolour(group, before, after) {
    const [old, cells] = [before, after].map((part) => part.match(/<[^>]*>/g));
    const alike = old[0] === cells[0] && old.length === cells.length && cells.length > 3;
    const plain = cells.slice(1, -1).every((cell) => cell.endsWith("/>") && !cell.includes("&"));
    if (!alike || !plain) return false;
    cells.forEach((cell, i) => {
      if (cell === old[i]) return;
      const path = group.children[i - 1];
      const gone = attributes(old[i]);
      for (const [name, value] of attributes(cell)) {
        if (gone.get(name) !== value) path.setAttribute(name, value);
        gone.delete(name);
      }
      for (const name of gone.keys()) path.removeAttribute(name);
    });
    return true;
  }

  function attributes(tag) {
    return new Map([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
  }

  // A frame is stored as runs of parts: the first, how many, the first, how many, ...
  function unrolled(runs) {
    const parts = [];
    for (let i = 0; i < runs.length; i += 2) {
      for (let n = 0; n < runs[i + 1]; n++) parts.push(runs[i] + n);
    }
    return parts;
  }

  function start(box) {
    const stage = box.querySelector(".explore-stage");
    const inputs = [...box.querySelectorAll("input")];
    const button = box.querySelector("button");
    const live = box.appendChild(document.createElement("p"));
    live.className = "explore-alt";
    live.setAttribute("aria-live", "polite");
    let data, shown, ticking, resting;

    // Waits for the first move: most sliders of a page are only looked at.
    function read() {
      data = JSON.parse(box.querySelector("script").textContent);
      shown = stage.querySelector("svg") ? unrolled(data.frames[data.start]) : [];
      if (!shown.length) stage.innerHTML = `${data.open}</svg>`;
      stage.firstChild.insertAdjacentHTML("beforeend", "<g/>"); // before it stands the last part
    }

    // Most parts stay from frame to frame: only the others change, or leave and come.
    function draw(parts) {
      let node = stage.firstChild.firstChild;
      let fresh = [];
      const drop = () => {
        node = node.nextSibling;
        node.previousSibling.remove();
      };
      const settle = (stale) => {
        for (const part of fresh) {
          const [before, after] = [data.parts[stale.shift()], data.parts[part]];
          if (before && recolour(node, before, after)) node = node.nextSibling;
          else {
            node.insertAdjacentHTML("beforebegin", after);
            if (before) drop();
          }
        }
        stale.forEach(drop);
        fresh = [];
      };
      for (const part of parts) {
        const found = shown.indexOf(part);
        if (found < 0) fresh.push(part);
        else {
          settle(shown.splice(0, found + 1).slice(0, -1));
          node = node.nextSibling;
        }
      }
      settle(shown);
      shown = parts;
    }

    function show() {
      if (!data) read();
      let number = 0;
      for (const input of inputs) {
        const texts = data.sliders[input.name];
        const text = texts[input.value];
        number = number * texts.length + +input.value;
        input.setAttribute("aria-valuetext", text);
        input.parentNode.nextElementSibling.textContent = text;
      }
      draw(unrolled(data.frames[number]));
      stage.firstChild.setAttribute("aria-label", data.alts[number]);
      clearTimeout(resting);
      resting = setTimeout(() => (live.textContent = data.alts[number]), QUIET_MS);
    }

    function pause() {
      clearInterval(ticking);
      ticking = 0;
      button.textContent = "Play";
      live.setAttribute("aria-live", "polite");
    }

    function play() {
      const input = button.parentNode.querySelector("input");
      if (input.value === input.max) input.value = 0;
      else input.stepUp();
      ticking = setInterval(() => {
        input.stepUp();
        if (input.value === input.max) pause();
        show();
      }, STEP_MS);
      button.textContent = "Pause";
      live.setAttribute("aria-live", "off");
      show();
    }

    box.addEventListener("input", () => {
      if (ticking) pause();
      show();
    });
    button?.addEventListener("click", () => {
      if (!ticking) return play();
      pause();
      show();
    });
    if (stage.querySelector("img")) show();
    clearTimeout(resting);
    box.querySelector(".explore-controls").removeAttribute("style");
  }

  function startAll() {
    for (const box of document.querySelectorAll(".explore")) {
      try {
        start(box);
      } catch (error) {
        console.warn("A slider keeps its starting frame:", error);
      }
    }
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", startAll);
  else startAll();
})();
