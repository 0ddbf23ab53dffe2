/** Where webhooks are served; fixed by the Workflow SDK, whose clients build on it. */
export const WEBHOOK_PATH = "/.well-known/workflow/v1/webhook";
