"""A question in the inbox of a root."""

from memoracle.compose import open_memory
from memoracle.learn.reconciliation import ask_about
from memoracle.model.inbox import Matter
from memoracle.store.inbox import ask
from support.files import PLAIN


def a_question(root, old_id, text="the cat is called Sesame", matter=Matter.CHANGE):
    """Shall these words stand in place of an old record? The id of the question."""
    with open_memory(str(root), environment=PLAIN) as memory:
        new = memory.show(memory.remember(text, kind="belief", confidence=0.5).id)
        old = memory.show(old_id)
        item = ask_about(matter, old, new, because="a test", since=new.created)
        with memory.store.writing():
            ask(memory.store, [item], now=new.created)
    return item.id
