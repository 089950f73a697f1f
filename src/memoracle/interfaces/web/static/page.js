// Keys, live news and small comforts. Everything here can also be done without it.
{
const typing = (target) => target.closest("input, textarea, select, [contenteditable]");
const rows = () => [...document.querySelectorAll("[data-row], [data-card]")].filter((row) => !row.hidden);

let at = -1;
function go(step) {
  const every = rows();
  if (!every.length) return;
  every[at]?.classList.remove("at");
  at = Math.max(0, Math.min(every.length - 1, at + step));
  every[at].classList.add("at");
  every[at].scrollIntoView({ block: "nearest" });
  (every[at].querySelector("a.open") ?? every[at].querySelector("button"))?.focus({ preventScroll: true });
}

// A key acts on the card that is chosen, else on the page.
function press(key) {
  const card = rows()[at]?.matches("[data-card]") ? rows()[at] : document.querySelector("[data-card]:not([hidden])");
  const button = card?.querySelector(`[data-key="${key}"]`) ?? document.querySelector(`main [data-key="${key}"]`);
  button?.click();
  return Boolean(button);
}

let waitingForPlace = 0;
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (typing(event.target)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (waitingForPlace && Date.now() - waitingForPlace < 1500) {
    waitingForPlace = 0;
    const link = document.querySelector(`.rail a[data-keys="g ${event.key}"]`);
    if (link) { event.preventDefault(); location.href = link.href; }
    return;
  }
  switch (event.key) {
    case "/": event.preventDefault(); document.getElementById("find").focus(); break;
    case "g": waitingForPlace = Date.now(); break;
    case "?": document.getElementById("keys").showModal(); break;
    case ".": location.href = document.querySelector('.rail a[data-keys="."]').href; break;
    case "j": go(1); break;
    case "k": go(-1); break;
    default: if (/^[a-zA-Z]$/.test(event.key) && press(event.key)) event.preventDefault();
  }
});

document.querySelector("[data-help]")?.addEventListener("click", () => document.getElementById("keys").showModal());
for (const button of document.querySelectorAll("[data-opens]")) {
  button.addEventListener("click", () => {
    const found = document.getElementById(button.dataset.opens);
    found.open = true;
    found.querySelector("textarea, input:not([type=hidden])")?.focus();
  });
}
for (const button of document.querySelectorAll("[data-skip]")) {
  button.addEventListener("click", () => {
    const card = button.closest("[data-card]");
    card.parentElement.append(card);
    at = -1;
    go(1);
  });
}

// What others change is announced; nothing moves under the pointer.
const news = document.getElementById("news");
if (news && window.EventSource && location.protocol !== "file:") {
  const changes = new EventSource("/api/v1/events");
  let many = 0;
  changes.addEventListener("change", () => {
    many += 1;
    let line = document.getElementById("changed");
    if (!line) {
      line = document.createElement("p");
      line.id = "changed";
      line.className = "toast";
      const text = document.createElement("span");
      const link = document.createElement("a");
      link.href = location.href;
      link.textContent = document.documentElement.lang === "zh" ? "显示" : "Show";
      line.append(text, link);
      news.append(line);
    }
    line.firstChild.textContent = document.documentElement.lang === "zh" ? "记忆有更新。" : "Memory has changed.";
  });
  addEventListener("pagehide", () => changes.close());
}
// What a form did is told once: the address goes back to what can be kept.
if (location.search.includes("done=")) {
  const here = new URL(location.href);
  here.searchParams.delete("done");
  here.searchParams.delete("operation");
  history.replaceState(null, "", here);
}
}
