import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { definitionMark } from "../symbols.js";
import {
  defineDynamic,
  DefinitionError,
  defineTool,
  defineWorkflowTool,
  disableTool,
  type JsonObject,
  type ToolInputResponse,
  type WorkflowServeContext,
  type WorkflowStepToolContext,
  type WorkflowToolContext,
} from "./index.js";

const inputSchema = z.object({ service: z.string(), tries: z.number().default(3) });
const description = "Deploy.";
type Body = (input: unknown, ctx: WorkflowToolContext) => Promise<number>;
const body: Body = async () => 1;

function messageOf(define: () => unknown): string {
  try {
    define();
  } catch (error) {
    expect(error).toBeInstanceOf(DefinitionError);
    return (error as Error).message;
  }
  throw new Error("the definition was accepted");
}

describe("defineWorkflowTool", () => {
  it("accepts each entry point and marks the definition", () => {
    for (const entryPoint of ["execute", "task"] as const) {
      const tool = defineWorkflowTool({ description, inputSchema, [entryPoint]: body } as never);
      expect(definitionMark(tool)).toEqual({ kind: "workflow-tool", version: 1 });
      expect(Object.isFrozen(tool)).toBe(true);
    }
    const served = defineWorkflowTool({ description, inputSchema, serve: async () => undefined });
    expect(definitionMark(served)?.kind).toBe("workflow-tool");
  });

  it("throws for no entry point", () => {
    expect(messageOf(() => defineWorkflowTool({ description, inputSchema } as never))).toMatch(
      /exactly one entry point/,
    );
  });

  it("throws for more than one, naming them", () => {
    const define = () => defineWorkflowTool({ description, inputSchema, execute: body, task: body } as never);
    expect(messageOf(define)).toMatch(/exactly one entry point.*execute and task/);
  });

  it("gives the specification's text for the removed option", () => {
    const define = () =>
      defineWorkflowTool({ description, inputSchema, execution: "background", execute: body } as never);
    expect(messageOf(define)).toBe(
      '"execution" was replaced by task(). Define task(input, ctx) to run each call as a task.',
    );
  });

  it("suggests the nearest option for an unknown one", () => {
    const define = () => defineWorkflowTool({ descripton: "x", inputSchema, execute: body } as never);
    expect(messageOf(define)).toBe(
      'defineWorkflowTool() has no option "descripton". Did you mean "description"?',
    );
  });

  it("names the option that an error is about", () => {
    const aboutOf = (options: object): unknown => {
      try {
        return defineWorkflowTool({ description, inputSchema, execute: body, ...options } as never);
      } catch (error) {
        return (error as DefinitionError).about;
      }
    };
    const factory = "defineWorkflowTool";
    expect(aboutOf({ lable: "x" })).toEqual({ factory, option: "lable" });
    expect(aboutOf({ description: "" })).toEqual({ factory, option: "description" });
    expect(aboutOf({ inputSchema: { type: "array" } })).toEqual({ factory, option: "inputSchema" });
    expect(aboutOf({ approval: 1 })).toEqual({ factory, option: "approval" });
    expect(aboutOf({ execute: 1 })).toEqual({ factory, option: "execute" });
    expect(aboutOf({ task: body })).toBeUndefined();
  });

  it.each([
    [z.string(), undefined],
    [{ type: "array" }, /"inputSchema" must describe an object.*"array"/],
    [undefined, /needs "inputSchema".*undefined/],
    [[], /needs "inputSchema".*an array/],
  ])("checks the input schema %#", (schema, message) => {
    const define = () => defineWorkflowTool({ description, inputSchema: schema, execute: body } as never);
    if (message) expect(messageOf(define)).toMatch(message);
    else expect(define()).toBeDefined(); // what a library schema describes is known once it is turned into JSON Schema
  });

  it("infers the input from a Standard Schema, the author's annotation from a JSON Schema", () => {
    const tool = defineWorkflowTool({
      description,
      inputSchema,
      async execute(input, ctx) {
        expectTypeOf(input).toEqualTypeOf<{ service: string; tries: number }>();
        expectTypeOf(ctx).toEqualTypeOf<WorkflowToolContext>();
        expectTypeOf(await ctx.ask({ prompt: "?" })).toEqualTypeOf<ToolInputResponse>();
        const options = [
          { id: "approve", label: "Deploy" },
          { id: "cancel", label: "Cancel" },
        ] as const;
        const answer = await ctx.ask({ prompt: "?", options });
        if (answer.status === "answered")
          expectTypeOf(answer.optionId).toEqualTypeOf<"approve" | "cancel" | undefined>();
        return { deployed: true };
      },
    });
    expectTypeOf(tool.execute).exclude<undefined>().returns.toExtend<unknown>();
    defineWorkflowTool({
      description,
      inputSchema: { type: "object", properties: { n: { type: "number" } } },
      async execute({ n }: { n: number }) {
        return n;
      },
    });
    defineWorkflowTool({
      description,
      inputSchema: { type: "object" },
      async *task(input) {
        expectTypeOf(input).toEqualTypeOf<JsonObject>();
        yield { status: "half" };
        return 1;
      },
    });
    defineWorkflowTool({
      description,
      inputSchema,
      async serve(receive, ctx) {
        expectTypeOf(ctx).toEqualTypeOf<WorkflowServeContext>();
        const { input, abortSignal } = await receive();
        expectTypeOf(input.service).toBeString();
        expectTypeOf(abortSignal).toEqualTypeOf<AbortSignal>();
        ctx.reply(input);
      },
    });
  });

  it("lets a body pass its context to a step helper, and not call what steps alone have", () => {
    expectTypeOf<WorkflowToolContext>().toExtend<WorkflowStepToolContext>();
    expectTypeOf<WorkflowServeContext>().toExtend<WorkflowStepToolContext>();
    expectTypeOf<WorkflowToolContext["getToken"]>().toBeNever();
    expectTypeOf<WorkflowStepToolContext>().not.toHaveProperty("ask");
  });
});

describe("the other definitions", () => {
  it("defines ordinary and disabled tools", () => {
    expect(definitionMark(defineTool({ description, inputSchema, execute: () => 1 }))?.kind).toBe("tool");
    expect(definitionMark(disableTool())?.kind).toBe("disabled-tool");
    expect(messageOf(() => defineTool({ description, inputSchema } as never))).toMatch(/"execute" function/);
    expect(messageOf(() => defineTool({ description: " ", inputSchema, execute: () => 1 }))).toMatch(
      /"description"/,
    );
  });

  it("says that dynamic tools are not available", () => {
    expect(messageOf(() => defineDynamic())).toMatch(/not available/);
  });
});
