import vm from "node:vm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ContextGarbage } from "./garbage.js";

const MB = 1024 * 1024;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A heap of which evictions leave a share behind until it is collected. */
function heapOf(live: number, perEviction = 0.22 * MB) {
  let used = live;
  let collections = 0;
  const garbage = new ContextGarbage({
    used: () => used,
    collect: () => {
      collections += 1;
      used = live;
    },
  });
  return {
    evict(times: number) {
      for (let n = 0; n < times; n += 1) {
        used += perEviction;
        garbage.add();
      }
    },
    get collections() {
      return collections;
    },
  };
}

test("a few evictions are left to V8", () => {
  const heap = heapOf(30 * MB);
  heap.evict(99);
  vi.advanceTimersByTime(60_000);
  expect(heap.collections).toBe(0);
});

test("the first hundred are collected at once, later ones when nothing has been evicted for a while", () => {
  const heap = heapOf(30 * MB);
  heap.evict(100);
  expect(heap.collections).toBe(1);
  heap.evict(300);
  vi.advanceTimersByTime(249);
  heap.evict(1);
  vi.advanceTimersByTime(249);
  expect(heap.collections).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(heap.collections).toBe(4);
});

test("a burst doesn't let the heap grow without bounds", () => {
  const heap = heapOf(30 * MB);
  heap.evict(100 + 2_000);
  expect(heap.collections).toBe(3);
});

test("a large heap is collected only where much of it is garbage", () => {
  const heap = heapOf(2_000 * MB);
  heap.evict(1_000);
  vi.advanceTimersByTime(60_000);
  expect(heap.collections).toBe(0);
  heap.evict(4_000);
  expect(heap.collections).toBe(1);
});

test("the collector is V8's own, and no context sees it", () => {
  const garbage = new ContextGarbage();
  const gone = new WeakRef({});
  const evictMany = () => {
    for (let n = 0; n < 3_000; n += 1) garbage.add();
  };
  return new Promise<void>((resolve) => {
    vi.useRealTimers();
    // A weak reference is kept for the rest of the turn that made it.
    setImmediate(() => {
      evictMany();
      expect(gone.deref()).toBeUndefined();
      expect(vm.runInNewContext("typeof gc")).toBe("undefined");
      resolve();
    });
  });
});
