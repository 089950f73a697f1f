// Speaks for qmd: first [notes, database], then [query, k] lines; see notes.py.
import { createInterface } from "node:readline";

const { createStore } = await import(`${process.argv[2]}/dist/index.js`);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const [path, dbPath] = JSON.parse((await lines.next()).value);
const config = { collections: { notes: { path, pattern: "**/*.md" } } };
const store = await createStore({ dbPath, config });
console.log(JSON.stringify(await store.update()));
for await (const line of lines) {
  const [query, limit] = JSON.parse(line);
  const found = await store.searchLex(query, { limit });
  console.log(JSON.stringify(found.map((hit) => [hit.filepath, hit.score])));
}
await store.close();
