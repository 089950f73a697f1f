"""A served model and a purse for what asks one."""

import pytest

from memoracle.inference.chat import ChatEndpoint
from support.asking import QUICK, InMemory
from support.chat import ChatServer


@pytest.fixture
def server():
    running = ChatServer()
    yield running
    running.close()


@pytest.fixture
def purse():
    return InMemory()


@pytest.fixture
def pauses():
    return []


@pytest.fixture
def model(server, pauses):
    return ChatEndpoint(server.url, "small", patience=QUICK, sleep=pauses.append)
