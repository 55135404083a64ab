"""What a run may fetch from the web: nothing, unless the user said so."""

from __future__ import annotations

from workstation.errors import BadInput, Offline
from workstation.memory.events import Web
from workstation.options import Options


class NowhereToBegin(BadInput):
    title = "Research on the web needs a place to begin"
    hint = "Name a page with --url, or a SearXNG instance with: flori config searxng https://ADDRESS"


def leave(options: Options, web: bool, urls: tuple[str, ...] = (), allowed: tuple[str, ...] = ()) -> Web | None:
    """None when nothing was said of the web. Raises Offline and NowhereToBegin."""
    if not web and not urls:
        return None
    if options.offline:
        raise Offline("research on the web")
    if not urls and not options.config["searxng"]:
        raise NowhereToBegin("--web")
    return Web(urls=urls, follow=web, allowed=allowed)
