"""The layouts of five published designs: where the users of each already have what a memory keeps.

Names that only one design knows are its projections. Pure data.
"""

from __future__ import annotations

from memoracle.store.layouts import DATED, NoteHome, NoteRole, Sign, adopting

VM_ORACLE = adopting(
    facts="knowledge-graph/facts.jsonl",
    archived_facts="knowledge-graph/archived-facts.jsonl",
    history=".memoracle/records/history.jsonl",
    daily="daily/{date}.md",
    sessions="sessions",
    entities="knowledge-graph/entities.jsonl",
    relations="knowledge-graph/relations.jsonl",
    canaries="knowledge-graph/canary-facts.json",
    vectors="embeddings/index.bin",
    vector_ids="embeddings/metadata.jsonl",
    activation="activation-metadata.json",
    health="health.json",
    backups="backups",
    signs=(
        Sign(rank=10, any_of=("knowledge-graph/facts.jsonl", "activation-metadata.json")),
        Sign(rank=11, needs=("knowledge-graph",), any_of=("embeddings", "daily", "health.json")),
    ),
)

MEMORY_SYSTEM = adopting(
    facts="layer2/active/facts.jsonl",
    beliefs="layer2/active/beliefs.jsonl",
    summaries="layer2/active/summaries.jsonl",
    archived_facts="layer2/archive/facts.jsonl",
    archived_beliefs="layer2/archive/beliefs.jsonl",
    archived_summaries="layer2/archive/summaries.jsonl",
    history=".memoracle/records/history.jsonl",
    snapshot="layer1/snapshot.md",
    configuration="config.json",
    entity="layer2/entities/{name}.json",
    entity_index="layer2/entities/_index.json",
    keywords="layer2/index/keywords.json",
    timeline="layer2/index/timeline.json",
    relations="layer2/index/relations.json",
    consolidation="state/consolidation.json",
    rankings="state/rankings.json",
    signs=(Sign(rank=12, any_of=("layer1/snapshot.md", "layer2/active", "layer2/archive")),),
)

V4 = adopting(
    daily="memory/episodic/{date}.md",
    archived_daily="memory/archive/{year}/{mm}/{date}.md",
    semantic="memory/semantic/{name}.md",
    procedural="memory/procedural/{name}.md",
    buffer="memory/working-buffer.md",
    archive="memory/archive",
    learnings=".learnings/{name}.md",
    soul="SOUL.md",
    homes=(
        NoteHome(role=NoteRole.PROCEDURAL, folder=".learnings", pattern="*.md"),
        NoteHome(role=NoteRole.DAILY, folder="memory", pattern=DATED),
        NoteHome(role=NoteRole.SEMANTIC, folder="memory", pattern="*.md"),
    ),
    signs=(Sign(rank=13, any_of=("memory/episodic", "memory/working-buffer.md")),),
)

CLAWSEAT = adopting(
    page="projects/{project}/{seat}/{name}.md",
    shared_page="shared/{kind}/{name}.md",
    machine="machine/{name}.json",
    machine_scans="machine/_scans/{month}.jsonl",
    project_scans="projects/{project}/_scans/{month}.jsonl",
    events="events.log",
    responses="responses/{name}.json",
    handoffs="tasks/{project}/patrol/handoffs/{name}.json",
    tasks_beside="tasks",
    learnings="learnings/{name}.md",
    project_fact="projects/{project}/{name}.json",
    reflections="projects/{project}/reflections.jsonl",
    north_star="projects/{project}/north-star.toml",
    spec="projects/{project}/spec/{name}/SPEC.md",
    privacy="machine/privacy.md",
    root_index="index.json",
    project_index="projects/{project}/_index/{name}.json",
    project_timeline="projects/{project}/_index/timeline.jsonl",
    links="_links/{flat}.jsonl",
    backlinks="_backlinks/{flat}.jsonl",
    shared="shared/{kind}/{name}.json",
    project_record="projects/{project}/{kind}/{name}.json",
    homes=(
        NoteHome(role=NoteRole.PROCEDURAL, folder="learnings", pattern="*.md"),
        NoteHome(role=NoteRole.SEMANTIC, folder="shared", pattern="*.md"),
        NoteHome(role=NoteRole.SEMANTIC, folder="research", pattern="*.md"),
    ),
    signs=(
        Sign(rank=30, any_of=("_links", "_backlinks", "shared/library_knowledge", "projects/*/_index")),
        Sign(rank=31, any_of=("machine/current_context.json", "machine/openclaw.json")),
        Sign(
            rank=32,
            needs=("projects",),
            any_of=("index.json", "events.log", "projects/*/dev_env.json", "projects/*/decision"),
        ),
    ),
)

OPENCLAW = adopting(
    daily="memory/{date}.md",
    semantic="memory/semantic/{name}.md",
    procedural="memory/procedural/{name}.md",
    soul="SOUL.md",
    homes=(
        NoteHome(role=NoteRole.HOT, folder="", pattern="memory.md"),
        NoteHome(role=NoteRole.SEMANTIC, folder="memory", pattern="*.md"),
    ),
    signs=(
        Sign(rank=40, any_of=("memory/????-??-??*.md",)),
        Sign(rank=41, needs=("memory",), any_of=("MEMORY.md", "memory.md", "SOUL.md", "AGENTS.md")),
        Sign(rank=42, needs=("SOUL.md",), any_of=("MEMORY.md", "memory.md", "AGENTS.md")),
    ),
)
