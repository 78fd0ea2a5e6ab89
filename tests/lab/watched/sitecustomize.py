"""Python imports this at its start: write down each address outside this machine it turns to.

Stands first on the search path of the JupyterLab under test and of its kernels. The file to
write to is named by the variable ADDRESSES.
"""

import ipaddress
import os
import sys


def is_here(host):
    """Return whether a host is this machine: by name, by address, or none at all."""
    host = host.decode() if isinstance(host, bytes) else host
    if not host or host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def note(event, details):
    """Write down the host of a look-up or a connection unless it is this machine."""
    if event == "socket.getaddrinfo":
        host = details[0]
    elif event == "socket.connect" and isinstance(details[1], tuple):  # else a file, not a host
        host = details[1][0]
    else:
        return
    if not is_here(host):
        with open(os.environ["ADDRESSES"], "a", encoding="utf-8") as file:
            file.write(f"{host}\n")


sys.addaudithook(note)
