export {
  foreignCharacters,
  classId,
  functionId,
  moduleId,
  parseId,
  unversionedId,
  type ModuleIdentity,
} from "./ids.js";
export { normalisePath, relativePath, withoutExtension } from "./paths.js";
