/**
 * Paths as ids hold them: relative, `/` separators, no extension. Both separators are accepted on every system, so that
 * a Windows checkout and a POSIX one agree whatever mixture a tool hands over.
 */

const EXTENSION = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** `/` separators, `.` and `..` resolved, drive letter in upper case, no `/` at the end. */
export function normalisePath(path: string): string {
  const slashed = path
    .replaceAll("\\", "/")
    .replace(/^\/\/[?.]\/(?:UNC\/)?/i, (prefix) => (/unc/i.test(prefix) ? "//" : ""));
  const drive = /^([A-Za-z]):/.exec(slashed)?.[1];
  const unc = drive === undefined && slashed.startsWith("//");
  const absolute = slashed.startsWith("/") || drive !== undefined;
  const parts: string[] = [];
  for (const part of (drive === undefined ? slashed : slashed.slice(2)).split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.length > 0 && parts[parts.length - 1] !== "..") parts.pop();
    else if (!absolute) parts.push(part);
  }
  const prefix = drive !== undefined ? `${drive.toUpperCase()}:/` : unc ? "//" : absolute ? "/" : "";
  return prefix + parts.join("/") || ".";
}

/**
 * Path of `file` as seen from `root`, `/` separators.
 *
 * Drives and UNC hosts and shares compare without case, as Windows does; the rest compares as written.
 * Throws `RangeError` when the two have no root in common (another drive or share): no relative path exists.
 *
 * ```ts
 * relativePath("c:\\work\\shop", "C:\\work\\shop\\agent\\tools\\path.ts"); // "agent/tools/path.ts"
 * ```
 */
export function relativePath(root: string, file: string): string {
  const from = split(normalisePath(root));
  const to = split(normalisePath(file));
  if (from.volume.toLowerCase() !== to.volume.toLowerCase()) {
    throw new RangeError(
      `${file} doesn't lie on the same volume as ${root}, so it has no path relative to it`,
    );
  }
  let common = 0;
  while (common < from.parts.length && common < to.parts.length && from.parts[common] === to.parts[common])
    common++;
  const up = from.parts.slice(common).map(() => "..");
  return [...up, ...to.parts.slice(common)].join("/");
}

function split(path: string): { volume: string; parts: string[] } {
  const unc = /^\/\/([^/]+\/[^/]+)\/?/.exec(path);
  const drive = /^([A-Z]:)\//.exec(path);
  const [prefix, volume] = unc
    ? [unc[0], `//${unc[1]}`]
    : drive
      ? [drive[0], drive[1] ?? ""]
      : path.startsWith("/")
        ? ["/", "/"]
        : ["", ""];
  return {
    volume,
    parts: path
      .slice(prefix.length)
      .split("/")
      .filter((part) => part !== "" && part !== "."),
  };
}

/** Without a source file's extension; any other path stays as it is. */
export function withoutExtension(path: string): string {
  return path.replace(EXTENSION, "");
}
