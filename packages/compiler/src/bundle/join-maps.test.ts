import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";
import fc from "fast-check";
import { expect, test } from "vitest";
import { joinMaps, type MapPart } from "./join-maps.js";

interface Part extends MapPart {
  decoded: SourceMapSegment[][];
  sources: number;
  names: number;
}

const segment = fc
  .tuple(fc.nat(60), fc.nat(2), fc.nat(4000), fc.nat(90), fc.nat(3), fc.constantFrom(1, 4, 5))
  .map(([column, source, line, at, name, length]): SourceMapSegment =>
    length === 1 ? [column] : length === 4 ? [column, source, line, at] : [column, source, line, at, name],
  );

const part = fc
  .tuple(fc.array(fc.array(segment, { maxLength: 4 }), { maxLength: 5 }), fc.nat(2), fc.nat(5), fc.nat(3))
  .map(([lines, skippedLines, columns, gap]) => {
    const decoded: SourceMapSegment[][] = [
      ...Array.from({ length: skippedLines }, () => []),
      ...lines.map((line) => line.toSorted((a, b) => a[0] - b[0])),
    ];
    // Nothing is mapped on the columns that are left out.
    decoded[skippedLines] = (decoded[skippedLines] ?? []).map(
      ([column, ...rest]) => [column + columns, ...rest] as SourceMapSegment,
    );
    return { decoded, gap, skipped: { lines: skippedLines, columns } };
  });

/** The same by decoding everything. */
function joinSlowly(parts: readonly Part[]): SourceMapSegment[][] {
  const joined: SourceMapSegment[][] = [];
  let [sources, names] = [0, 0];
  for (const { line, decoded, skipped, ...counts } of parts) {
    decoded.slice(skipped.lines).forEach((segments, index) => {
      joined[line + index] = segments.map((item) => {
        const column = item[0] - (index === 0 ? skipped.columns : 0);
        if (item.length === 1) return [column];
        const place: [number, number, number, number] = [column, item[1] + sources, item[2], item[3]];
        return item.length === 4 ? place : [...place, item[4] + names];
      });
    });
    sources += counts.sources;
    names += counts.names;
  }
  return Array.from(joined, (segments) => segments ?? []);
}

test("joins maps as if they were decoded", () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (given) => {
      let line = 0;
      const parts = given.map(({ decoded, gap, skipped }, index): Part => {
        line += gap;
        const map = JSON.stringify({
          version: 3,
          sources: [0, 1, 2].map((source) => `${index}-${source}`),
          sourcesContent: ["a", null],
          names: [0, 1, 2, 3].map((name) => `${index}.${name}`),
          mappings: encode(decoded),
        });
        const made = { line, map, skipped, decoded, sources: 3, names: 4 };
        line += Math.max(decoded.length - skipped.lines, 0);
        return made;
      });
      const joined = JSON.parse(joinMaps(parts, (source) => `app/${source}`)) as {
        mappings: string;
        sources: string[];
        sourcesContent: (string | null)[];
        names: string[];
      };
      const trimmed = (lines: SourceMapSegment[][]): SourceMapSegment[][] =>
        lines.slice(0, lines.findLastIndex((segments) => segments.length > 0) + 1);
      expect(trimmed(decode(joined.mappings))).toEqual(trimmed(joinSlowly(parts)));
      expect(joined.sources).toHaveLength(3 * parts.length);
      expect(joined.sourcesContent).toHaveLength(3 * parts.length);
      expect(joined.names).toHaveLength(4 * parts.length);
      for (const source of joined.sources) expect(source).toMatch(/^app\/\d-\d$/);
    }),
    { numRuns: 500 },
  );
});
