import { z } from "zod";

const place = { file: z.string(), line: z.number().int(), column: z.number().int(), name: z.string() };

const workflow = z.looseObject({ ...place, tool: z.string().optional() });

const step = z.looseObject(place);

const tool = z.looseObject({
  file: z.string(),
  entryPoint: z.enum(["execute", "task", "serve"]).optional(),
  workflowId: z.string().optional(),
  description: z.string().optional(),
});

/** `manifest.json`: what the build found. Fields this version doesn't know are kept. */
export const manifestSchema = z.looseObject({
  version: z.literal(1),
  workflows: z.record(z.string(), workflow),
  steps: z.record(z.string(), step),
  tools: z.record(z.string(), tool),
  /** Former id → the id that took its place, without package versions. */
  aliases: z.record(z.string(), z.string()).optional(),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** `build.json`: written last, with the hashes of what belongs together. */
export const buildInfoSchema = z.looseObject({
  buildId: z.string().regex(/^[A-Za-z0-9_-]+$/, "must be letters, digits, - and _"),
  /** sha256 (hex) by file name. */
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/, "must be a sha256 in hex")),
});

export type BuildInfo = z.infer<typeof buildInfoSchema>;
