/** Style sheet of the report page. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); --soft: color-mix(in srgb, currentColor 7%, transparent); --accent: #3b6fe0; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.4rem; }
h2 { margin: 2rem 0 .6rem; font-size: 1.05rem; }
header p { margin: .2rem 0 0; opacity: .7; }
code, td.name, summary, li { font-family: ui-monospace, monospace; font-size: .86em; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-size: .8rem; font-weight: 600; opacity: .7; }
td.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.bar { width: 22%; }
td.bar div { height: .7rem; margin-top: .35rem; border-radius: 2px; background: var(--accent); min-width: 1px; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; }
.chips { display: flex; flex-wrap: wrap; gap: .3rem; margin: .4rem 0; padding: 0; list-style: none; }
.chips li { background: var(--soft); border-radius: 4px; padding: .1rem .4rem; }
.muted { opacity: .65; }
.filter { display: block; margin-bottom: .5rem; }
input { font: inherit; padding: .2rem .5rem; }
tr.module { cursor: pointer; }
tr.module:focus-visible, tr.module:hover { background: var(--soft); outline: none; }
.chain { margin: .2rem 0 .4rem; padding-left: 1.2rem; }
`;
