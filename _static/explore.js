// Moves the sliders of a page between their stored frames. Markup and data: casebook/explore_page.py.
(() => {
  const STEP_MS = matchMedia("(prefers-reduced-motion: reduce)").matches ? 1500 : 400;
  const QUIET_MS = 500; // a screen reader hears the frame when the slider rests

  function start(box) {
    const data = JSON.parse(box.querySelector("script").textContent);
    const stage = box.querySelector(".explore-stage");
    const inputs = [...box.querySelectorAll("input")];
    const button = box.querySelector("button");
    const live = box.appendChild(document.createElement("p"));
    live.className = "explore-alt";
    live.setAttribute("aria-live", "polite");
    let shown = [];
    let ticking, resting;

    // Most parts stay from frame to frame: only the others leave and come.
    function draw(runs) {
      if (!shown.length) stage.innerHTML = `${data.open}<g/></svg>`;
      let node = stage.firstChild.firstChild;
      const drop = () => {
        const gone = node;
        node = node.nextSibling;
        gone.remove();
      };
      const parts = [];
      for (let i = 0; i < runs.length; i += 2) {
        for (let n = 0; n < runs[i + 1]; n++) parts.push(runs[i] + n);
      }
      for (const part of parts) {
        const found = shown.indexOf(part);
        if (found < 0) node.insertAdjacentHTML("beforebegin", data.parts[part]);
        else {
          for (let i = 0; i < found; i++) drop();
          node = node.nextSibling;
          shown.splice(0, found + 1);
        }
      }
      while (node.nextSibling) drop();
      shown = parts;
    }

    function show() {
      let number = 0;
      for (const input of inputs) {
        const texts = data.sliders[input.name];
        const text = texts[input.value];
        number = number * texts.length + +input.value;
        input.setAttribute("aria-valuetext", text);
        input.parentNode.nextElementSibling.textContent = text;
      }
      draw(data.frames[number]);
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
