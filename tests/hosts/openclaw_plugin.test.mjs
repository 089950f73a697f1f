// The plugin without its host: what it asks of the program, and what it does when that cannot be asked.
import assert from "node:assert/strict";
import { test } from "node:test";

const { default: plugin, run } = await import(process.env.PLUGIN);
const ctx = { sessionId: "s", sessionKey: "agent:main:main", workspaceDir: "/tmp", trigger: "user" };
const availableTools = new Set(["memory_search"]);

/** A program that tells what it was given: hooks by their event, a tool by its arguments. */
const ECHO = [
  process.execPath,
  "-e",
  `let said = ""; process.stdin.on("data", (piece) => (said += piece)).on("end", () => {
    const words = process.argv.slice(1);
    const { chatType } = words[0] === "hook" ? JSON.parse(said) : {};
    if (words[0] === "hook") console.log(JSON.stringify({ prependContext: [...words, ...(chatType ? [chatType] : [])].join(" ") }));
    else {
      const { params } = JSON.parse(said.trim().split("\\n")[2]);
      const text = JSON.stringify({ verdict: "found", words, results: [{ id: "mem_1", citation: words.join(" "), snippet: params.arguments.query }] });
      console.log(JSON.stringify({ jsonrpc: "2.0", id: 2, result: { content: [{ type: "text", text }] } }));
    }
  });`,
];

function loaded(command, config = {}) {
  const held = { hooks: {}, tools: {}, warnings: [] };
  plugin.register({
    pluginConfig: { command },
    config,
    logger: { warn: (text) => held.warnings.push(text) },
    on: (name, handler) => (held.hooks[name] = handler),
    registerTool: (make, { name }) => (held.tools[name] = make),
    registerMemoryCapability: (capability) => (held.capability = capability),
    registerMemoryPromptSupplement: (builder) => (held.prompt = builder),
    registerMemoryCorpusSupplement: (corpus) => (held.corpus = corpus),
  });
  return held;
}

test("both blocks stand before a prompt, and the first is asked for once", async () => {
  const command = [...ECHO];
  const { hooks, warnings } = loaded(command);
  const first = await hooks.before_prompt_build({ prompt: "Who?" }, ctx);
  assert.equal(first.prependContext, "hook session-start --host openclaw\n\nhook prompt --host openclaw");
  assert.deepEqual(warnings, []);
  command.splice(0, command.length, "/nowhere/memoracle");
  const second = await hooks.before_prompt_build({ prompt: "" }, ctx);
  assert.deepEqual([second.prependContext, warnings], ["hook session-start --host openclaw", []]);
});

test("a missing program harms no turn and is told once", async () => {
  const { hooks, tools, corpus, warnings } = loaded(["/nowhere/memoracle"]);
  assert.equal(await hooks.before_prompt_build({ prompt: "" }, ctx), undefined);
  assert.equal(await hooks.before_prompt_build({ prompt: "" }, ctx), undefined);
  assert.equal(warnings.length, 1);
  for (const name of ["agent_end", "before_compaction", "after_compaction", "session_end"]) {
    assert.equal(await hooks[name]({ sessionId: "s", messages: [] }, ctx), undefined);
  }
  const said = await tools.memoracle_search(ctx).execute("1", { query: "x" });
  assert.match(said.content[0].text, /cannot be reached/);
  await assert.rejects(corpus.search({ query: "x" })); // the host tells its agent
  assert.equal(await corpus.get({ lookup: "MEMORY.md" }), null);
});

test("a program that hangs is ended, and one that fails is told", async () => {
  const hanging = [process.execPath, "-e", "setTimeout(() => {}, 60_000)"];
  await assert.rejects(run(hanging, "", { patience: 200 }), /no answer in 200 ms/);
  await assert.rejects(run([process.execPath, "-e", "process.exit(3)"], ""), /ended with 3/);
});

test("words are passed as they are, and groups are served as groups", async () => {
  const { tools, corpus } = loaded(ECHO);
  const query = "$(touch /tmp/x); `id` \"'";
  const said = await tools.memoracle_search(ctx).execute("1", { query });
  assert.deepEqual(JSON.parse(said.content[0].text).results[0].snippet, query);
  assert.deepEqual(JSON.parse(said.content[0].text).words, ["mcp"]);
  for (const other of [{ ...ctx, senderIsOwner: false }, { ...ctx, sessionKey: "agent:main:telegram:group:1" }]) {
    const told = JSON.parse((await tools.memoracle_get(other).execute("1", { query })).content[0].text);
    assert.deepEqual(told.words, ["mcp", "--audience", "group", "--agent-only"]);
    assert.equal(tools.memoracle_save(other), null);
  }
  const [hit] = await corpus.search({ query, agentSessionKey: ctx.sessionKey });
  assert.deepEqual([hit.path, hit.snippet, hit.score], ["memoracle/mem_1", query, 0.95]);
});

test("what stands before the prompt of somebody else is what a group may hear, also in the owner's session", async () => {
  const { hooks, tools, corpus } = loaded(ECHO);
  const told = async (senderIsOwner, trigger = "user") => {
    for (const make of Object.values(tools)) make({ ...ctx, senderIsOwner });
    return (await hooks.before_prompt_build({ prompt: "Who?" }, { ...ctx, trigger })).prependContext;
  };
  const own = "hook session-start --host openclaw\n\nhook prompt --host openclaw";
  const others = own.replaceAll("openclaw", "openclaw group");
  assert.deepEqual([await told(true), await told(false), await told(true)], [own, others, own]);
  assert.equal(await told(false, "cron"), own);
  const [{ citation }] = await corpus.search({ query: "x", agentSessionKey: ctx.sessionKey });
  assert.equal(citation, "mcp --audience group --agent-only");
});

test("what one registration hears every other knows: the gateway has several", async () => {
  const session = { ...ctx, sessionId: "two", sessionKey: "agent:main:two" };
  const [one, other] = [loaded(ECHO), loaded(ECHO)];
  const told = async () => (await other.hooks.before_prompt_build({ prompt: "" }, session)).prependContext;
  for (const make of Object.values(one.tools)) make({ ...session, senderIsOwner: false });
  assert.match(await told(), / group$/);
  for (const make of Object.values(one.tools)) make(session); // of a compaction nobody is said to be the sender
  assert.match(await told(), / group$/);
  for (const make of Object.values(one.tools)) make({ ...session, senderIsOwner: true });
  assert.doesNotMatch(await told(), / group$/);
});

test("after a compaction or a reset the first block is asked for again, whoever is told of it", async () => {
  const log = 'const p = JSON.parse(require("fs").readFileSync(0)); console.log(JSON.stringify({prependContext: [p.source, p.told].join("|")}))';
  const command = [process.execPath, "-e", log];
  const [one, other] = [loaded(command), loaded(command)];
  const told = async (prompt = "") => (await other.hooks.before_prompt_build({ prompt }, ctx)).prependContext;
  assert.equal(await told(), "startup|");
  await one.hooks.after_compaction({}, ctx);
  assert.equal(await told(), "compact|");
  await one.hooks.session_end({ sessionId: ctx.sessionId, reason: "new" }, ctx);
  assert.equal(await told("Who?"), "startup|\n\n|startup|"); // and the prompt hears what stands there already
  const beat = await other.hooks.before_prompt_build({ prompt: "Go on." }, { ...ctx, trigger: "heartbeat" });
  assert.equal(beat.prependContext, "startup|"); // the host's own words ask for nothing
});

test("the memory slot is held only where the config says so", () => {
  const usual = loaded(ECHO);
  assert.equal(usual.capability, undefined);
  assert.equal(usual.prompt({ availableTools }).length, 2);
  const holding = loaded(ECHO, { plugins: { slots: { memory: "memoracle" } } });
  assert.equal(holding.prompt, undefined);
  assert.equal(holding.capability.promptBuilder({ availableTools: new Set() }).length, 1);
});
