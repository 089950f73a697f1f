"""Several agents, each with a seat of its own: pages, hand-offs, federation, scans and rules of interaction."""

from __future__ import annotations

from memoracle.registry import Extension, Verb

EXTENSION = Extension(
    name="seats",
    help="several agents, each with a seat of its own: pages, hand-offs, federation, scans and rules of interaction",
    verbs=(
        Verb(
            name="page",
            help="pages of seats: write, list, show, close, check-edit, index",
            method="memoracle.extensions.seats.pages.seating.pages",
            module="memoracle.extensions.seats.cli_pages",
        ),
        Verb(
            name="decision",
            help="the decision log of a project, and payloads for whoever must decide: log, payload",
            method="memoracle.extensions.seats.pages.seating.decisions",
            module="memoracle.extensions.seats.cli_pages",
        ),
        Verb(
            name="seat",
            help="the seats: who may write where",
            method="memoracle.extensions.seats.pages.registering.registry",
            module="memoracle.extensions.seats.cli_pages",
        ),
        Verb(
            name="project",
            help="the projects, and where their repositories stand",
            method="memoracle.extensions.seats.pages.registering.registry",
            module="memoracle.extensions.seats.cli_pages",
        ),
        Verb(
            name="get",
            help="a fact by its dotted key, with the file and path it stands at",
            method="memoracle.extensions.seats.federation.federating.get",
            module="memoracle.extensions.seats.cli_pages",
        ),
        Verb(
            name="federate",
            help="ask several seats, projects and roots; each answer names its owner",
            method="memoracle.extensions.seats.federation.federating.federate",
            module="memoracle.extensions.seats.cli_pages",
        ),
        Verb(
            name="synthesize",
            help="pages of several seats as one page that cites and never copies",
            method="memoracle.extensions.seats.federation.federating.synthesize",
            module="memoracle.extensions.seats.cli_pages",
        ),
        Verb(
            name="scan",
            help="look at this machine or a repository; nothing of it is ever told unasked",
            method="scan_machine",
            module="memoracle.extensions.seats.cli_scan",
        ),
        Verb(
            name="reply-language",
            help="which language to reply to the operator in",
            method="reply_language",
            module="memoracle.extensions.seats.cli_scan",
        ),
        Verb(
            name="intake",
            help="whether a request must be clarified first, and the question to ask",
            method="memoracle.extensions.seats.manners.intake.assess",
            module="memoracle.extensions.seats.cli_scan",
        ),
        Verb(
            name="drift",
            help="whether work has left the goal of a project's north star",
            method="drift",
            module="memoracle.extensions.seats.cli_scan",
        ),
        Verb(
            name="verify",
            help="hold the claims of a response against evidence in memory",
            method="memoracle.extensions.seats.handoffs.proving.verify",
            module="memoracle.extensions.seats.cli_handoffs",
        ),
        Verb(
            name="deliver",
            help="answer a task: a response, and the receipt for it",
            method="memoracle.extensions.seats.handoffs.handing.deliver",
            module="memoracle.extensions.seats.cli_handoffs",
        ),
        Verb(
            name="handoff",
            help="tasks between seats: given, seen, given back, looked after",
            method="memoracle.extensions.seats.handoffs.following.handoffs",
            module="memoracle.extensions.seats.cli_handoffs",
        ),
        Verb(
            name="compact-advice",
            help="whether a turn's key facts are stored, so that it may be compacted",
            method="compact_advice",
            module="memoracle.extensions.seats.cli_scan",
            group="tidy",
        ),
    ),
    tools=("memoracle.extensions.seats.mcp:PAGE",),
    after_consolidation=("memoracle.extensions.seats.pages.indexing:publish_page_index",),
    methods={
        "seats": "memoracle.extensions.seats.pages.verbs:Seats",
        **{
            name: f"memoracle.extensions.seats.scan.scanning:{name}"
            for name in ("scan_machine", "scan_project", "scan_diff")
        },
        **{
            name: f"memoracle.extensions.seats.manners.minding:{name}"
            for name in ("reply_language", "compact_advice", "drift")
        },
    },
    points={
        "page_facets": "memoracle.extensions.seats.files_facets:facets_of",
        "load_facts": "memoracle.extensions.seats.files_facts:load_facts",
        **{
            name: f"memoracle.extensions.seats.handoffs.brief:{name}"
            for name in ("seat_brief", "seat_checks", "handoff_notices", "day_pages")
        },
        "ask_all_roots": "memoracle.extensions.seats.cli_pages:ask_all_roots",
    },
)
