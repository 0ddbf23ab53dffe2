import { fileURLToPath } from "node:url";
import path from "node:path";

/** The folder of the `eve` package that belongs to this command line: compiled apps get its modules. */
export const SDK = { dir: path.dirname(fileURLToPath(import.meta.resolve("eve/package.json"))) };
