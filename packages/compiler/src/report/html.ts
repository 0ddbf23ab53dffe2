import { PAGE_SCRIPT } from "./page-script.js";
import { PAGE_STYLE } from "./page-style.js";
import type { BuildReport } from "./report-data.js";

/** The report as one page that needs nothing else: no network, no other file. */
export function formatReportHtml(report: BuildReport): string {
  // Inside a script element only "</" and "<!--" could end or change it.
  const data = JSON.stringify(report).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>eve build report</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><h1>eve build report</h1><p id="build"></p></header>
<main>
<section><h2>Tools</h2><div id="tools"></div></section>
<section><h2>Workflows and the steps they reach</h2><div id="workflows"></div></section>
<section><h2>Steps</h2><div id="steps"></div></section>
<section><h2>Bundles</h2><label class="filter">Filter modules <input id="filter" type="search" placeholder="part of a name"></label><div id="bundles"></div></section>
</main>
<script type="application/json" id="data">${data}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}
