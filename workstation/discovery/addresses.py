"""Which addresses a page may be fetched from: those of the open internet, and hosts that the user allowed by name."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# Where cloud providers answer with credentials or configuration, as far as no general rule covers them.
_METADATA = {ipaddress.ip_address("168.63.129.16"), ipaddress.ip_address("192.0.0.192")}
_NAT64 = ipaddress.ip_network("64:ff9b::/96")  # an IPv4 address stands in its last 32 bits (RFC 6052)


def refusal(address: str) -> str | None:
    """Why nothing is fetched from an IP address, in words; None when it is on the open internet."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return "not an IP address"
    return next((why for each in (found, *_inside(found)) if (why := _refusal(each))), None)


def _refusal(found: Address) -> str | None:
    if found.is_loopback:
        return "this machine itself"
    if found.is_link_local or found in _METADATA:
        return "a link-local or metadata address"
    if found.is_multicast:
        return "a multicast address"
    if found.is_unspecified:
        return "no address at all"
    if not found.is_global:  # private, shared (100.64.0.0/10), documentation, reserved
        return "a private address"
    return None


def _inside(found: Address) -> list[Address]:
    """IPv4 addresses that an IPv6 address stands for: mapped, 6to4, Teredo, NAT64."""
    if isinstance(found, ipaddress.IPv4Address):
        return []
    inner: list[Address | None] = [found.ipv4_mapped, found.sixtofour, *(found.teredo or ())]
    if found in _NAT64:
        inner.append(ipaddress.IPv4Address(int(found) & 0xFFFFFFFF))
    return [each for each in inner if each is not None]


@dataclass(frozen=True, slots=True)
class AllowedHosts:
    """Hosts that may be fetched from whatever their address, each as "host" or "host:port"."""

    names: frozenset[str] = frozenset()

    @classmethod
    def of(cls, names: Iterable[str]) -> AllowedHosts:
        return cls(frozenset(name.strip().lower().rstrip(".") for name in names if name.strip()))

    def __contains__(self, host_and_port: tuple[str, int]) -> bool:
        host, port = host_and_port
        host = host.lower().strip("[]").rstrip(".")
        return bool(self.names & {host, f"{host}:{port}", f"[{host}]:{port}"})
