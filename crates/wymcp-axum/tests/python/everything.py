"""everything.py URL: the official Python client against a running wymcp-everything, first with a session of 2025-11-25,
then as the client would by itself, which is in 2026-07-28;
everything.py COMMAND ARGUMENT...: against one that it starts.

Prints a line for each feature driven; exits with 0 only if every answer was the expected one.
"""

import asyncio
import json
import sys
import warnings

import httpx2
import mcp_types as types
from mcp import MCPDeprecationWarning
from mcp.client.subscriptions import ResourceUpdated, ToolsListChanged
from peer import accept, checked, connect, failure, finish, is_http, target, text, until

LEGACY, MODERN = "2025-11-25", "2026-07-28"
STATIC_TEXT = "test://static-text"
# What is not in 2026-07-28 is what the other half of this script is about.
warnings.simplefilter("ignore", MCPDeprecationWarning)


async def drive(mode, revision):
    """Every feature that both lanes have, in one of them."""
    is_legacy = revision == LEGACY

    async def check(name, body):
        await checked(f"{mode}: {name}", body)

    async with connect(mode) as peer:
        client = peer.client

        async def handshake():
            assert client.protocol_version == revision, client.protocol_version
            named = [headers.get("mcp-protocol-version") for _, _, headers in peer.requests]
            # A handshake is where the revision is agreed on.
            assert set(named[1 if is_legacy else 0 :]) <= {revision}, named
            info = client.server_info
            assert (info.name, info.title) == ("everything", "Everything"), info
            can = client.server_capabilities
            assert can.tools.list_changed and can.prompts.list_changed and can.completions is not None
            assert can.resources.subscribe and can.resources.list_changed and can.logging is not None
            assert bool(can.extensions) != is_legacy, can
            assert "one feature" in client.instructions

        await check("the handshake", handshake)

        async def tools():
            names, page = [], None
            while page is None or page.next_cursor:
                page = await client.list_tools(cursor=page and page.next_cursor)
                names += [tool.name for tool in page.tools]
            assert len(names) == len(set(names)) > 25 and "test_added_later" in names, names
            assert text(await peer.call("test_simple_text")) == "This is a simple text response for testing."
            kinds = [block.type for block in (await peer.call("test_multiple_content_types")).content]
            assert kinds == ["text", "image", "resource"], kinds
            # The client holds it against the output schema.
            weather = await peer.call("weather", city="Paris")
            assert weather.structured_content == {"celsius": 21.5, "humidity": 0.4, "sky": "clear"}, weather

        await check("tools, every page of them, and calls", tools)

        async def errors():
            assert (await peer.call("weather", city="Atlantis")).is_error
            wrong = await peer.call("weather", town="Paris")
            assert wrong.is_error and "city" in text(wrong), wrong
            assert (await failure(peer.call("no_such_tool"))).code == types.INVALID_PARAMS
            unknown = client.session.send_request(types.Request(method="no/such", params=None), types.EmptyResult)
            assert (await failure(unknown)).code == types.METHOD_NOT_FOUND
            assert (await failure(client.list_tools(cursor="nowhere"))).code == types.INVALID_PARAMS
            missing = await failure(client.read_resource("test://nowhere"))
            assert missing.data == {"uri": "test://nowhere"}, missing
            assert missing.code == (-32002 if is_legacy else types.INVALID_PARAMS), missing

        await check("errors for the model, and errors for the program", errors)

        async def forms():
            contents = {"username": "ada", "email": "ada@example.com"}
            said = await peer.asking("test_elicitation", accept(contents), message="Who are you?")
            assert json.loads(said.removeprefix("User response: accept, ")) == contents, said
            assert peer.asked[0].message == "Who are you?"
            for action in "decline", "cancel":
                said = await peer.asking("test_elicitation", types.ElicitResult(action=action), message="Again?")
                assert said == f"User response: {action}", said
            rounds = accept({"name": "Ada"}), accept({"color": "blue"})
            assert await peer.asking("test_input_required_result_multi_round", *rounds) == "Ada likes blue"
            await peer.asking("test_elicitation_sep1034_defaults", accept({"age": 31}))
            fields = peer.asked[0].requested_schema["properties"].values()
            assert [field["default"] for field in fields] == ["John Doe", 30, 95.5, "active", True]

        await check("elicitation: forms", forms)

        async def page():
            said = await peer.asking("sign_in", types.ElicitResult(action="accept"))
            assert said == "The human goes to the page.", said
            assert peer.asked[0].url == "https://archive.example.com/sign-in"
            assert bool(peer.asked[0].elicitation_id) == is_legacy, peer.asked

        await check("elicitation: a page to visit", page)

        async def sampling():
            assert await peer.asking("test_sampling", prompt="Hello") == "LLM response: You said: Hello"
            assert await peer.asking("advise") == "I heard 21.5 °C"

        await check("sampling, plain and with tools", sampling)

        async def several():
            said = await peer.asking("test_input_required_result_list_roots")
            assert said == "Folders: file:///home/ada, file:///srv/data", said
            said = await peer.asking("test_input_required_result_multiple_inputs", accept({"name": "Ada"}))
            assert said == "You said: Write a short greeting. Ada has 2 folders", said
            peer.answers = [accept({"context": "ships"})]
            prompt = await client.get_prompt("test_input_required_result_prompt")
            assert prompt.messages[0].content.text == "Let us talk about ships."

        await check("roots, several questions, and a prompt that asks", several)

        async def progress():
            seen = []

            async def hear(done, total, _message):
                seen.append((done, total))

            result = await client.call_tool("test_tool_with_progress", progress_callback=hear)
            assert text(result) == "Done." and seen == [(0, 100), (50, 100), (100, 100)], seen

        await check("progress", progress)

        async def give_up():
            with_progress = asyncio.Event()

            async def hear(*_):
                with_progress.set()

            call = client.call_tool("test_tool_with_progress", progress_callback=hear)
            task = asyncio.create_task(call)
            await asyncio.wait_for(with_progress.wait(), 5)
            task.cancel()
            await asyncio.wait([task])
            assert task.cancelled()
            assert text(await peer.call("whoami")) == "nobody"

        await check("a call given up", give_up)

        async def resources():
            listed = (await client.list_resources()).resources
            assert next(it for it in listed if str(it.uri) == STATIC_TEXT).size == 48
            words = (await client.read_resource(STATIC_TEXT)).contents[0]
            assert words.text == "This is the content of the static text resource."
            templates = (await client.list_resource_templates()).resource_templates
            assert [it.uri_template for it in templates] == ["test://template/{id}/data"]
            data = (await client.read_resource("test://template/123/data")).contents[0]
            assert json.loads(data.text)["id"] == "123"

        await check("resources", resources)

        async def prompts():
            names = [prompt.name for prompt in (await client.list_prompts()).prompts]
            assert "test_prompt_with_arguments" in names, names
            filled = await client.get_prompt("test_prompt_with_arguments", {"arg1": "one", "arg2": "two"})
            assert filled.messages[0].content.text == "Prompt with arguments: arg1='one', arg2='two'"
            template = types.ResourceTemplateReference(type="ref/resource", uri="test://template/{id}/data")
            ids = await client.complete(template, {"name": "id", "value": "12"})
            assert ids.completion.values == ["123", "124"], ids
            trip = types.PromptReference(type="ref/prompt", name="trip")
            cities = await client.complete(trip, {"name": "city", "value": "P"}, {"country": "France"})
            assert cities.completion.values == ["Paris", "Pau"], cities

        await check("prompts and completion", prompts)

        if is_legacy:
            await drive_session(check, peer)
        else:
            await check("changes, on a stream that listens", lambda: listen(peer))
            await check("log records, for a client that asks for them", lambda: ask_for_log_records(mode))


async def drive_session(check, peer):
    """What only a session has."""
    client = peer.client

    async def ping():
        assert (await client.send_ping()).model_dump(exclude_none=True, exclude={"result_type"}) == {}

    await check("ping", ping)

    async def log_records():
        await peer.call("test_tool_with_logging")
        assert peer.logged == []
        await client.set_logging_level("info")
        await peer.call("test_tool_with_logging")
        assert peer.logged == log_of("info"), peer.logged
        await client.set_logging_level("warning")
        await peer.call("test_tool_with_logging")
        assert len(peer.logged) == 3, peer.logged

    await check("log records, from the level that was set", log_records)

    async def changes():
        def updates():
            return [it.params.uri for it in peer.heard if isinstance(it, types.ResourceUpdatedNotification)]

        def tools_changed():
            return [it for it in peer.heard if isinstance(it, types.ToolListChangedNotification)]

        await client.subscribe_resource(STATIC_TEXT)
        await peer.call("test_trigger_resource_change")
        await until(updates)
        assert [str(uri) for uri in updates()] == [STATIC_TEXT]
        await client.unsubscribe_resource(STATIC_TEXT)
        # The tools come last, so they mark the end.
        await peer.call("test_trigger_resource_change")
        await peer.call("test_trigger_tool_change")
        await until(tools_changed)
        assert len(updates()) == 1, peer.heard

    await check("changes: subscribe, hear, unsubscribe", changes)

    async def come_back():
        seen = []

        async def hear(done, total, _message):
            seen.append((done, total))

        before = len(peer.verbs("GET"))
        result = await client.call_tool("test_reconnection", progress_callback=hear)
        assert text(result) == "Welcome back." and seen == [(1, 2), (2, 2)], seen
        if is_http:
            resumed = [headers for verb, _, headers in peer.requests if verb == "GET"][before:]
            assert any("last-event-id" in headers for headers in resumed), resumed

    await check("an answer for which the client has to come back", come_back)

    async def at_once():
        async with connect("legacy", is_able=False) as other:
            poor = await other.call("test_sampling", prompt="Hello")
            assert poor.is_error and "sampling" in text(poor), poor
            both = await asyncio.gather(peer.call("whoami"), other.call("test_tool_with_progress"))
            assert [text(result) for result in both] == ["nobody", "Done."]
            if is_http:
                assert other.session() and other.session() != peer.session()

    await check("clients at once, one that cannot be asked", at_once)

    if is_http:
        await check("a session that ends", end)


async def end():
    async with connect("legacy") as peer:
        await peer.call("whoami")
        session = peer.session()
    assert peer.verbs("DELETE") in ([200], [204]), peer.requests
    async with connect("legacy") as peer:
        assert peer.session() != session
        async with httpx2.AsyncClient() as http:
            headers = {"mcp-session-id": peer.session(), "mcp-protocol-version": LEGACY}
            assert (await http.delete(target, headers=headers)).is_success
        lost = await failure(peer.call("whoami"))
        assert "Session terminated" in lost.message, lost
        assert peer.verbs("POST")[-1] == 404, peer.requests


async def listen(peer):
    async with peer.client.listen(tools_list_changed=True, resource_subscriptions=[STATIC_TEXT]) as subscription:
        assert subscription.honored.tools_list_changed, subscription.honored
        await peer.call("test_trigger_resource_change")
        updated = await asyncio.wait_for(anext(subscription), 5)
        assert isinstance(updated, ResourceUpdated) and str(updated.uri) == STATIC_TEXT, updated
        await peer.call("test_trigger_tool_change")
        assert isinstance(await asyncio.wait_for(anext(subscription), 5), ToolsListChanged)


async def ask_for_log_records(mode):
    for level, records in ("info", 3), ("warning", 0):
        async with connect(mode, log_level=level) as peer:
            await peer.call("test_logging_tool")
            assert peer.logged == log_of("info")[:records], peer.logged


def log_of(level):
    return [(level, "everything", record) for record in ("Tool started", "Tool working", "Tool done")]


async def main():
    async with asyncio.timeout(60):
        for mode, revision in ("legacy", LEGACY), ("auto", MODERN):
            try:
                await drive(mode, revision)
            except* Exception as group:
                print(f"FAILED {mode}: {group.exceptions}")
                sys.exit(1)
    finish()


asyncio.run(main())
