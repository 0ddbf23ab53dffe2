import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const realm = path.dirname(fileURLToPath(import.meta.url));
const PARTS = ["ambient", "events", "web"];

/** Names that a part imports from the realm's files that are always there, types apart. */
function imported(text: string): string[] {
  return [...text.matchAll(/^import \{([^}]*)\} from "\.\.\/[\w-]+\.js"/gm)].flatMap(([, names = ""]) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && !name.startsWith("type ")),
  );
}

test("everything that a part imports is handed to it", () => {
  const shared =
    /shared \?\?= \{([^}]*)\}/.exec(readFileSync(path.join(realm, "lazy.ts"), "utf8"))?.[1] ?? "";
  const given = shared.split(",").map((name) => name.trim());
  const needed = PARTS.flatMap((part) =>
    readdirSync(path.join(realm, part))
      .filter((file) => /(?<!\.test)\.ts$/.test(file))
      .flatMap((file) => imported(readFileSync(path.join(realm, part, file), "utf8"))),
  );
  expect(needed).toContain("run");
  expect([...new Set(needed)].sort()).toEqual(given.filter((name) => name !== "").sort());
});
