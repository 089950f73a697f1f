// Memoracle in opencode: told before a prompt, learnt after a turn. Whatever goes wrong there leaves the turn as it is.

import { spawnSync } from "node:child_process";

const COMMAND = "{{memoracle}}";
const PATIENCE_MS = 4_000; // a hook ends itself before that
const BLOCK = '<memoracle kind="context"';
const BEGINS = /^<memoracle kind="context"[^>\n]{0,200}after="(?:start|compact|reset)"/;

/** What a hook tells; nothing when it could not be asked. */
function hook(event, payload) {
  const [program, ...words] = COMMAND;
  const given = { input: JSON.stringify(payload), timeout: PATIENCE_MS, encoding: "utf8", windowsHide: true };
  try {
    const done = spawnSync(program, [...words, "hook", event, "--host", "opencode"], given);
    return done.stdout?.trim() ? (JSON.parse(done.stdout).prependContext ?? "") : "";
  } catch {
    return "";
  }
}

export const Memoracle = async ({ client, directory }) => {
  const isHelper = async (id) => Boolean((await client.session.get({ path: { id } })).data?.parentID);

  /** What was told in a session since its last compaction, and whether there was one. */
  const standing = async (id) => {
    const messages = (await client.session.messages({ path: { id } })).data ?? [];
    const parts = messages.flatMap((one) => one.parts);
    const folded = parts.findLastIndex((one) => one.type === "compaction");
    const told = parts.slice(folded + 1).filter((one) => one.synthetic && one.text?.startsWith(BLOCK));
    return { told: told.map((one) => one.text), isFolded: folded >= 0 };
  };

  return {
    "chat.message": async ({ sessionID }, { message, parts }) => {
      try {
        const typed = parts.filter((one) => one.type === "text" && !one.synthetic);
        const prompt = typed.map((one) => one.text).join("\n");
        if (!prompt || (await isHelper(sessionID))) return;
        const { told, isFolded } = await standing(sessionID);
        const call = { sessionId: sessionID, cwd: directory };
        const begins = told.some((one) => BEGINS.test(one));
        const start = begins ? "" : hook("session-start", { ...call, source: isFolded ? "compact" : "startup" });
        const more = hook("prompt", { ...call, prompt, told: [...told, start].join("\n") });
        for (const [at, text] of [start, more].entries())
          if (text) {
            const id = `${typed.at(-1).id}m${at}`; // they are kept in the order of their ids
            parts.push({ id, sessionID, messageID: message.id, type: "text", text, synthetic: true });
          }
      } catch {
        // the turn goes on without it
      }
    },
    event: async ({ event }) => {
      if (event.type === "session.idle") hook("stop", { sessionId: event.properties.sessionID, cwd: directory });
    },
  };
};
