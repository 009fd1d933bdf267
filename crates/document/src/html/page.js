document.documentElement.classList.add("js");
charts(document);

for (const button of all(".file button")) {
  const pre = button.parentElement.querySelector("pre");
  button.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([pre.textContent], { type: "text/csv" }));
    link.download = pre.dataset.file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  });
  button.setAttribute("aria-label", "Download " + pre.dataset.file);
}

for (const button of all("[data-copy]")) {
  const pre = button.parentElement.querySelector("pre");
  button.addEventListener("click", async () => {
    getSelection().selectAllChildren(pre);
    try {
      await navigator.clipboard.writeText(pre.textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = document.execCommand("copy") ? "Copied" : "Press Ctrl+C";
    }
  });
}

const reach = () => scrollable(document);
reach();
addEventListener("resize", reach);
document.addEventListener("toggle", reach, true);
