"""Asks language models: the one room that talks to them.

In: messages and a provider of config.yaml. Out: a Reply, or a ChatError that says in a sentence what went wrong. Knows
nothing of findings or reports. Only `openai.py` touches the network.
"""

from watchdog.chat.budget import DEFAULTS, Budget, Spent
from watchdog.chat.face import open_client, profile_of
from watchdog.chat.profiles import Price, Profile
from watchdog.chat.reply import ChatError, Client, Kind, Message, Reply, ToolCall
from watchdog.chat.scripted import Asked, Scripted
from watchdog.chat.tokens import estimate_messages, estimate_tokens
from watchdog.chat.tracing import tracing

__all__ = [
    "DEFAULTS",
    "Asked",
    "Budget",
    "ChatError",
    "Client",
    "Kind",
    "Message",
    "Price",
    "Profile",
    "Reply",
    "Scripted",
    "Spent",
    "ToolCall",
    "estimate_messages",
    "estimate_tokens",
    "open_client",
    "profile_of",
    "tracing",
]
