export { createCodec, type Codec } from "./codec.js";
export {
  PendingBytes,
  type HttpMessage,
  type SignalHandle,
  type StreamHandle,
  type ToolContextHandle,
  type ValueEnvironment,
} from "./environment.js";
export { OversizeError, SerializationError, ValueFormatError } from "./errors.js";
export { createHostCodec, type HostValues } from "./host.js";
