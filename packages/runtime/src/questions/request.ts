import { z } from "zod";

/** A question as it stands in the log and travels to whoever shows it (05, "Answers and approval"). */
export const questionRequest = z.object({
  prompt: z.string().min(1),
  display: z.enum(["confirmation", "select", "text"]).optional(),
  options: z
    .array(
      z.object({
        id: z.string().min(1),
        label: z.string().min(1),
        description: z.string().optional(),
        style: z.enum(["primary", "danger", "default"]).optional(),
      }),
    )
    .optional(),
  allowFreeform: z.boolean().optional(),
});

export type QuestionRequest = z.infer<typeof questionRequest>;

/** What a person gave: an option, or a text where one is allowed. */
export type QuestionReply = { optionId: string } | { text: string };
