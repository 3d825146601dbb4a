// Runs in a copy of a page, in a frame: sends what is wrong with the page to the page around it.
// Colours are checked on the wide page only, as they do not depend on the width, and that takes
// longest; in the dark nothing else is.
addEventListener("load", async () => {
  const faults = [];
  for (const d of document.querySelectorAll("details")) d.open = true;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const wide = innerWidth > 1000;
  const options = dark ? {runOnly: {type: "rule", values: wide ? ["color-contrast"] : ["document-title"]}}
    : {rules: {"color-contrast": {enabled: wide}}};
  const found = await axe.run(document, {resultTypes: ["violations"], ...options});
  for (const v of found.violations)
    for (const n of v.nodes) faults.push(v.id + ": " + n.html.slice(0, 200));
  const width = document.scrollingElement.scrollWidth;
  if (width > innerWidth) faults.push("overflow: the page has " + width + " pixels");
  for (const text of document.querySelectorAll("svg text")) {
    const size = parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
    if (size < 10.99) faults.push("small: " + size.toFixed(1) + " pixels: " + text.textContent);
    const box = text.getBoundingClientRect(), picture = text.ownerSVGElement.getBoundingClientRect();
    if (box.left < picture.left - 1 || box.right > picture.right + 1) faults.push("outside: " + text.textContent);
    if (text.textContent.includes("…")) faults.push("cut: " + text.textContent);
  }
  parent.postMessage({
    frame: window.name, rules: found.passes.length, dark: dark, faults: faults,
  }, "*");
});
