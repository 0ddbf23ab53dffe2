/** Script of the report page: builds the tables from the data in the page. */
export const PAGE_SCRIPT = String.raw`
const report = JSON.parse(document.getElementById("data").textContent);
const make = (tag, attributes, ...children) => {
  const element = Object.assign(document.createElement(tag), attributes);
  element.append(...children);
  return element;
};
const size = (bytes) => (bytes < 1000 ? bytes + " B" : (bytes / 1000).toFixed(1) + " kB");
const count = (number, noun) => number + " " + noun + (number === 1 ? "" : "s");
const table = (heads, rows) =>
  make("table", {},
    make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))),
    make("tbody", {}, ...rows));
const row = (...cells) => make("tr", {}, ...cells.map((cell) => make("td", { className: "name" }, cell)));
const chips = (items, none) =>
  items.length === 0
    ? make("p", { className: "muted" }, none)
    : make("ul", { className: "chips" }, ...items.map((item) => make("li", {}, item)));
const into = (id, ...children) => document.getElementById(id).replaceChildren(...children);

into("build", "Build " + report.buildId + ": " + count(report.tools.length, "tool") + ", " +
  count(report.workflows.length, "workflow") + ", " + count(report.steps.length, "step"));
into("tools", table(["Tool", "Entry point", "Workflow", "File"],
  report.tools.map((tool) => row(tool.name, tool.entryPoint ?? tool.kind, tool.workflowId ?? "", tool.file))));
into("workflows", ...report.workflows.map((workflow) =>
  make("details", {},
    make("summary", {}, workflow.id + "  ", make("span", { className: "muted" }, count(workflow.steps.length, "step"))),
    make("p", { className: "muted" }, workflow.file + ":" + workflow.line + (workflow.tool ? ", tool " + workflow.tool : "")),
    chips(workflow.steps, "It calls no step."),
    make("p", { className: "muted" }, "Modules it uses"),
    chips(workflow.modules, "None."))));
into("steps", table(["Step", "Workflows that reach it", "File"],
  report.steps.map((step) => row(step.id, step.workflows.join(", ") || "only steps call it", step.file + ":" + step.line))));

const why = (module) => {
  if (module.chain.length === 0) return make("p", { className: "muted" }, "The entry of the bundle imports it.");
  return make("ol", { className: "chain" },
    ...module.chain.map((hop) => make("li", {}, hop.module + " imports " + JSON.stringify(hop.specifier))),
    make("li", {}, make("strong", {}, module.name)));
};
const moduleRows = (bundle, part) => {
  const largest = bundle.modules[0]?.bytes ?? 1;
  return bundle.modules.filter((module) => module.name.includes(part)).flatMap((module) => {
    const bar = make("div", {});
    bar.style.width = (100 * module.bytes) / largest + "%";
    const detail = make("tr", { hidden: true }, make("td", { colSpan: 3 }, why(module)));
    const line = make("tr", { className: "module", tabIndex: 0 },
      make("td", { className: "name" }, module.name),
      make("td", { className: "number" }, size(module.bytes)),
      make("td", { className: "bar" }, bar));
    line.setAttribute("aria-expanded", "false");
    const toggle = () => {
      detail.hidden = !detail.hidden;
      line.setAttribute("aria-expanded", String(!detail.hidden));
    };
    line.onclick = toggle;
    line.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      toggle();
    };
    return [line, detail];
  });
};
const showBundles = (part) =>
  into("bundles", ...report.bundles.map((bundle) =>
    make("details", { open: true },
      make("summary", {}, bundle.name + "  ", make("span", { className: "muted" },
        size(bundle.bytes) + ", " + count(bundle.modules.length, "module") + "; a click on one shows why it is here")),
      table(["Module", "Size", ""], moduleRows(bundle, part)))));
document.getElementById("filter").oninput = (event) => showBundles(event.target.value);
showBundles("");
`;
