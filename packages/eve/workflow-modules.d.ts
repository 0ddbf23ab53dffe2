// Types of the modules that eve provides to workflow code: list "eve/workflow-modules" in the tsconfig's `types`.
declare module "workflow" {
  export * from "eve/internal/workflow";
}

declare module "@workflow/serde" {
  export * from "eve/internal/workflow-serde";
}

declare module "workflow/api" {
  export * from "eve/internal/workflow-api";
}
