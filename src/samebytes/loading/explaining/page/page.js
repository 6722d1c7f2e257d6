// Shows the entries that have every word of the search; the address keeps it, so that a search can be sent to others.
const box = document.querySelector("input");
const entries = [...document.querySelectorAll("article")];

function search() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const entry of entries) {
    const fits = words.every((word) => entry.dataset.search.includes(word));
    entry.hidden = !fits;
    found += fits;
  }
  for (const section of document.querySelectorAll("section")) {
    section.hidden = !section.querySelector("article:not([hidden])");
  }
  document.querySelector("output").textContent = words.length ? `${found} of ${entries.length}` : "";
  history.replaceState(null, "", words.length ? `#?${encodeURIComponent(box.value)}` : location.pathname);
}

box.addEventListener("input", search);
if (location.hash.startsWith("#?")) {
  box.value = decodeURIComponent(location.hash.slice(2));
  search();
}
