from interfaces.http.conftest import *  # noqa: F403 - the same server
