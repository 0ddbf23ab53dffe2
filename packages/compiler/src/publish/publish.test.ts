import { chmodSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../testing/temporary.js";
import { buildInfo, publish } from "./index.js";

const stat = (file: string): string => {
  const { ino, mtimeNs } = statSync(file, { bigint: true });
  return `${ino} ${mtimeNs}`;
};

describe("publish", () => {
  it("writes only what differs, and leaves nothing else behind", async () => {
    const root = temporaryFolder();
    const out = path.join(root, ".eve/output");
    expect(
      await publish(out, [
        { name: "a", text: "1" },
        { name: "b", text: "2" },
      ]),
    ).toEqual(["a", "b"]);
    const before = stat(path.join(out, "a"));
    expect(
      await publish(out, [
        { name: "a", text: "1" },
        { name: "b", text: "3" },
      ]),
    ).toEqual(["b"]);
    expect(stat(path.join(out, "a"))).toBe(before);
    expect(readFileSync(path.join(out, "b"), "utf8")).toBe("3");
    expect(readdirSync(out)).toEqual(["a", "b"]);
    expect(readdirSync(path.join(root, ".eve"))).toEqual(["output"]);
  });

  it("changes nothing when one of the files can't be written", async () => {
    const out = path.join(
      temporaryFolder({ "output/a": "old", "output/b/x": "a folder in the way" }),
      "output",
    );
    await expect(
      publish(out, [
        { name: "a", text: "new" },
        { name: "b", text: "new" },
      ]),
    ).rejects.toMatchObject({
      code: "OUTPUT_UNWRITABLE",
    });
    expect(readFileSync(path.join(out, "a"), "utf8")).toBe("old");
    expect(readdirSync(out)).toEqual(["a", "b"]);
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "says which folder it can't write to",
    async () => {
      const root = temporaryFolder({ "x/y": "" });
      chmodSync(path.join(root, "x"), 0o500);
      await expect(publish(path.join(root, "x/out"), [{ name: "a", text: "1" }])).rejects.toMatchObject({
        code: "OUTPUT_UNWRITABLE",
        message: expect.stringContaining(path.join(root, "x")),
      });
      chmodSync(path.join(root, "x"), 0o700);
    },
  );

  it("reports a file where the folder should be", async () => {
    const root = temporaryFolder({ file: "" });
    await expect(publish(path.join(root, "file/out"), [{ name: "a", text: "1" }])).rejects.toMatchObject({
      code: "OUTPUT_UNWRITABLE",
    });
  });

  it("takes over the lock of a process that is gone, and waits for one that isn't", async () => {
    const out = path.join(temporaryFolder(), "output");
    writeFileSync(`${out}.lock`, "999999999");
    await expect(publish(out, [{ name: "a", text: "1" }])).resolves.toEqual(["a"]);
    writeFileSync(`${out}.lock`, String(process.pid));
    let done = false;
    const waiting = publish(out, [{ name: "a", text: "2" }]).finally(() => {
      done = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(done).toBe(false);
    const old = new Date(Date.now() - 120_000);
    utimesSync(`${out}.lock`, old, old);
    await expect(waiting).resolves.toEqual(["a"]);
  });

  it("lets builds at the same moment agree", async () => {
    const out = path.join(temporaryFolder(), "output");
    const files = [
      { name: "a", text: "1" },
      { name: "b", text: "2" },
    ];
    const written = await Promise.all([publish(out, files), publish(out, files), publish(out, files)]);
    expect(written.filter((names) => names.length > 0)).toHaveLength(1);
  });
});

it("identifies a build by what executes", () => {
  const options = { minify: false, keepNames: false };
  const one = buildInfo({ "manifest.json": "{}", "server.mjs": "1" }, "1.0.0", options);
  expect(buildInfo({ "server.mjs": "1", "manifest.json": "{}" }, "1.0.0", options)).toEqual(one);
  expect(one.buildId).toMatch(/^[0-9a-f]{32}$/);
  const others = [
    buildInfo({ "manifest.json": "{}", "server.mjs": "2" }, "1.0.0", options),
    buildInfo({ "manifest.json": "{}", "server.mjs": "1" }, "1.0.1", options),
    buildInfo({ "manifest.json": "{}", "server.mjs": "1" }, "1.0.0", { ...options, minify: true }),
  ];
  expect(new Set([one, ...others].map(({ buildId }) => buildId)).size).toBe(4);
});
