// Speaks for OpenClaw's memory-core: first [workspace, embedding endpoint], then [question, k] lines; see notes.py.
import { createInterface } from "node:readline";

const dist = `${process.argv[2]}/dist`;
const core = await import(`${dist}/extensions/memory-core/runtime-api.js`);
const { createPluginStateKeyedStore } = await import(`${dist}/plugin-sdk/plugin-state-store-runtime.js`);
core.configureMemoryCoreDreamingState((options) => createPluginStateKeyedStore("memory-core", options));

// Whatever it logs goes to stderr: stdout is ours.
const reply = (value) => process.stdout.write(JSON.stringify(value) + "\n");
console.log = console.info = console.debug = console.error;

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const [workspace, baseUrl] = JSON.parse((await lines.next()).value);
const search = {
  provider: "openai-compatible",
  model: "shared",
  queryInputType: "query",
  documentInputType: "passage",
  remote: { baseUrl, apiKey: "none" },
  query: { minScore: 0 },
};
const cfg = { agents: { entries: { main: { default: true, workspace } } }, memory: { search } };
const { manager, error } = await core.getMemorySearchManager({ cfg, agentId: "main" });
if (!manager) throw new Error(error);
await manager.sync({ reason: "bench", force: true });
reply(manager.status().files);
for await (const line of lines) {
  const [question, maxResults] = JSON.parse(line);
  const found = await manager.search(question, { maxResults, minScore: 0 });
  reply(found.map((hit) => [hit.path, hit.score]));
}
await manager.close();
process.exit(0);
