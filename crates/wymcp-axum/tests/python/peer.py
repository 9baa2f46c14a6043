"""What everything.py drives: a client, connected in a mode, with a human and a model behind it; and the checks it prints."""

import asyncio
import sys
from contextlib import asynccontextmanager

import httpx2
import mcp_types as types
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

# A server at a URL, or a command that speaks on its standard input and output.
target, *arguments = sys.argv[1:] or sys.exit(f"usage: {sys.argv[0]} URL | COMMAND ARGUMENT...")
is_http = target.startswith("http")
outcomes = []


class Peer:
    """A client, how its human and its model answer, and what went over the wire."""

    def __init__(self):
        self.answers, self.asked, self.heard, self.logged, self.requests = [], [], [], [], []

    async def elicit(self, _context, params):
        self.asked.append(params)
        return self.answers.pop(0)

    async def sample(self, _context, params):
        self.asked.append(params)
        if not params.tools:
            return say(f"You said: {params.messages[0].content.text}")
        last = params.messages[-1].content_as_list[0]
        if isinstance(last, types.ToolResultContent):
            return say(f"I heard {last.content[0].text}")
        use = types.ToolUseContent(id="1", name=params.tools[0].name, input={"city": "Paris"})
        return types.CreateMessageResultWithTools(
            role="assistant", model="a-test", stop_reason="toolUse", content=[use]
        )

    async def roots(self, _context):
        roots = [types.Root(uri="file:///home/ada", name="Home"), types.Root(uri="file:///srv/data")]
        return types.ListRootsResult(roots=roots)

    async def log(self, params):
        self.logged.append((params.level, params.logger, params.data))

    async def hear(self, message):
        if isinstance(message, Exception):
            raise message
        self.heard.append(message)

    async def note(self, response):
        sent = response.request
        self.requests.append((sent.method, response.status_code, sent.headers))

    def verbs(self, verb):
        return [status for sent, status, _ in self.requests if sent == verb]

    def session(self):
        return self.requests[-1][2].get("mcp-session-id")

    async def call(self, name, **args):
        return await self.client.call_tool(name, args)

    async def asking(self, name, *answers, **args):
        """The text of a call during which the human gives these answers."""
        self.answers, self.asked = list(answers), []
        result = await self.call(name, **args)
        assert not result.is_error, text(result)
        assert not self.answers, "every answer was asked for"
        return text(result)


@asynccontextmanager
async def connect(mode, is_able=True, **options):
    """A peer whose client speaks; one that is not able has nobody who could be asked."""
    peer = Peer()
    able = dict(
        elicitation_callback=peer.elicit,
        sampling_callback=peer.sample,
        sampling_capabilities=types.SamplingCapability(tools=types.SamplingToolsCapability()),
        list_roots_callback=peer.roots,
    )
    async with httpx2.AsyncClient(timeout=30, event_hooks={"response": [peer.note]}) as http:
        server = (
            streamable_http_client(target, http_client=http)
            if is_http
            else StdioServerParameters(command=target, args=arguments)
        )
        options = dict(logging_callback=peer.log, message_handler=peer.hear, mode=mode, cache=None) | options
        async with Client(server, **options, **(able if is_able else {})) as peer.client:
            if is_http and mode == "legacy":
                # The client opens its stream by itself, and does not say when.
                await until(lambda: peer.verbs("GET"))
            yield peer


def say(said):
    content = types.TextContent(text=said)
    return types.CreateMessageResult(role="assistant", model="a-test", stop_reason="endTurn", content=content)


def accept(contents):
    return types.ElicitResult(action="accept", content=contents)


def text(result):
    return next((block.text for block in result.content if block.type == "text"), "")


async def failure(call):
    try:
        result = await call
    except MCPError as error:
        return error
    raise AssertionError(f"the call succeeded: {result}")


async def until(condition):
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0.005)


async def checked(name, body):
    try:
        async with asyncio.timeout(20):
            await body()
        outcomes.append(True)
        print(f"ok     {name}", flush=True)
    except Exception as error:
        outcomes.append(False)
        print(f"FAILED {name}: {type(error).__name__}: {error}", flush=True)


def finish():
    failed = outcomes.count(False)
    print(f"{failed} checks failed" if failed else f"all {len(outcomes)} checks held")
    sys.exit(1 if failed else 0)
