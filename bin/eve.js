#!/usr/bin/env node
import { main } from "../packages/cli/dist/index.js";

await main(process.argv);
