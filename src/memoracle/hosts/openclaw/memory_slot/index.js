// The same plugin as the owner of the memory slot: the host reads that from the manifest beside this file.
export { default } from "../plugin/index.js";
