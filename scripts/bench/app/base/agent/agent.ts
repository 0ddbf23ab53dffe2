import { defineAgent } from "eve";

export default defineAgent({ model: "test/model" });
