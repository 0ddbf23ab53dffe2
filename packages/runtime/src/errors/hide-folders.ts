import path from "node:path";
import { pathToFileURL } from "node:url";

/** An absolute path (or file URL) that leads into `node_modules`; what follows names a package. */
const INTO_PACKAGES = /(?<![\w:/.])(?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^\s'"()]*[\\/]node_modules[\\/]/g;

/**
 * A text without the folders of this machine, for whoever isn't to learn them (a model, a client): files in `folder` and
 * in packages are named from there on.
 *
 * @param folder absolute, of a build
 */
export function hideFolders(text: string, folder: string): string {
  const start = folder + path.sep;
  return text.replaceAll(pathToFileURL(start).href, "").replaceAll(start, "").replace(INTO_PACKAGES, "");
}
