// node everything.mjs URL: the official TypeScript client against a running wymcp-everything, in revision 2026-07-28;
// node everything.mjs COMMAND ARGUMENT...: against one that it starts.
// Prints a line for each feature driven; exits with 0 only if every answer was the expected one.
import assert from 'node:assert/strict';

import {
  LOG_LEVEL_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ResourceNotFoundError,
  isInputRequiredResult,
} from '@modelcontextprotocol/client';

import { REVISION, check, checkWire, failure, finish, isHttp, newClient, sent, text } from './shared.mjs';

const INVALID_PARAMS = -32602;
const STATIC_TEXT = 'test://static-text';

const { client, transport } = newClient({
  capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
});

// How the human answers the forms of the running check, in order, and what was asked.
let answers = [];
let asked = [];
client.setRequestHandler('elicitation/create', async ({ params }) => {
  asked.push(params);
  const answer = answers.shift();
  assert.ok(answer, `no more forms were expected: ${JSON.stringify(params)}`);
  return answer;
});
client.setRequestHandler('sampling/createMessage', async ({ params }) => {
  asked.push(params);
  const reply = params.messages[0].content.text?.includes('France') ? 'Paris' : 'Good day,';
  return { model: 'a-test', role: 'assistant', stopReason: 'endTurn', content: { type: 'text', text: reply } };
});
client.setRequestHandler('roots/list', async () => ({
  roots: [
    { uri: 'file:///home/ada', name: 'Home' },
    { uri: 'file:///srv/data' },
  ],
}));

// Every notification, in the order of arrival.
let heard = [];
for (const method of [
  'notifications/message',
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
]) {
  client.setNotificationHandler(method, (notification) => void heard.push(notification));
}

const accept = (content) => ({ action: 'accept', content });
const call = (name, args = {}, options) => client.callTool({ name, arguments: args }, options);

// Runs `name` while the human gives `forms`. Returns the text and the number of requests that it took.
async function asking(name, forms = []) {
  [answers, asked] = [forms, []];
  const before = sent.length;
  const result = await call(name);
  assert.ok(!result.isError, text(result));
  assert.deepEqual(answers, [], 'every answer was asked for');
  return [text(result), sent.length - before];
}

await check('connects in revision 2026-07-28', async () => {
  await client.connect(transport);
  assert.equal(client.getProtocolEra(), 'modern');
  assert.equal(client.getNegotiatedProtocolVersion(), REVISION);
}, { required: true });

await check('discovers every feature', async () => {
  const { capabilities, instructions } = await client.discover();
  assert.equal(capabilities.tools?.listChanged, true);
  assert.equal(capabilities.prompts?.listChanged, true);
  assert.equal(capabilities.resources?.listChanged, true);
  assert.equal(capabilities.resources?.subscribe, true);
  assert.ok(capabilities.logging);
  assert.ok(capabilities.completions);
  assert.match(instructions, /one feature/);
});

// ---- questions to the client

await check('elicitation: two rounds, both accepted', async () => {
  const [said, requests] = await asking('test_input_required_result_multi_round', [
    accept({ name: 'Ada' }),
    accept({ color: 'blue' }),
  ]);
  assert.equal(said, 'Ada likes blue');
  assert.equal(requests, 3);
  assert.deepEqual(asked.map(({ message }) => message), ['What is your name?', 'Which color do you like?']);
  assert.deepEqual(asked[0].requestedSchema.properties.name, { type: 'string', title: 'Name' });
  assert.deepEqual(asked[1].requestedSchema.required, ['color']);
});

await check('elicitation: the first round declined', async () => {
  const [said] = await asking('test_input_required_result_multi_round', [
    { action: 'decline' },
    accept({ color: 'green' }),
  ]);
  assert.equal(said, 'Nobody likes green');
});

await check('elicitation: dismissed', async () => {
  const [said, requests] = await asking('test_input_required_result_elicitation', [{ action: 'cancel' }]);
  assert.equal(said, 'Hello, stranger!');
  assert.equal(requests, 2);
});

await check('elicitation: a choice and a number', async () => {
  const [said] = await asking('test_streaming_elicitation', [accept({ size: 'l', count: 2 })]);
  assert.deepEqual(JSON.parse(said.replace('Ordered: ', '')), { size: 'l', count: 2 });
  assert.equal(asked[0].requestedSchema.properties.size.default, 'm');
});

await check('sampling', async () => {
  const [said] = await asking('test_input_required_result_sampling');
  assert.equal(said, 'The model says: Paris');
  assert.equal(asked[0].maxTokens, 100);
});

await check('roots', async () => {
  const [said] = await asking('test_input_required_result_list_roots');
  assert.equal(said, 'Folders: file:///home/ada, file:///srv/data');
});

await check('a form, sampling and roots in one round', async () => {
  const [said, requests] = await asking('test_input_required_result_multiple_inputs', [accept({ name: 'Ada' })]);
  assert.equal(said, 'Good day, Ada has 2 folders');
  assert.equal(requests, 2);
});

await check('a prompt that asks', async () => {
  [answers, asked] = [[accept({ context: 'ships' })], []];
  const { messages } = await client.getPrompt({ name: 'test_input_required_result_prompt' });
  assert.equal(messages[0].content.text, 'Let us talk about ships.');
  assert.equal(asked[0].message, 'What is it about?');
});

await check('rounds by hand: the sealed state goes back as it came, or is refused', async () => {
  const name = 'test_input_required_result_tampered_state';
  const question = await call(name, {}, { allowInputRequired: true });
  assert.ok(isInputRequiredResult(question));
  assert.equal(question.inputRequests.confirm.method, 'elicitation/create');
  const again = (requestState) => client.callTool({
    name,
    arguments: {},
    inputResponses: { confirm: accept({ ok: true }) },
    requestState,
  });
  assert.equal(text(await again(question.requestState)), 'state-ok, and the human says yes');
  const middle = question.requestState.length >> 1;
  const other = question.requestState[middle] === 'A' ? 'B' : 'A';
  const changed = question.requestState.slice(0, middle) + other + question.requestState.slice(middle + 1);
  const error = await failure(again(changed));
  assert.ok(ProtocolError.isInstance(error), String(error));
  assert.equal(error.code, INVALID_PARAMS);
});

await check('a client without the capability is told which one is missing', async () => {
  const { client: poor, transport: wire } = newClient();
  await poor.connect(wire);
  const error = await failure(poor.callTool({ name: 'test_missing_capability', arguments: {} }));
  await poor.close();
  assert.ok(error instanceof MissingRequiredClientCapabilityError, String(error));
  assert.deepEqual(error.data.requiredCapabilities, { sampling: {} });
  assert.equal(text(await call('test_missing_capability')), 'The client can sample.');
});

// ---- what comes while a tool runs

await check('progress', async () => {
  const seen = [];
  const result = await call('test_tool_with_progress', {}, { onprogress: (progress) => void seen.push(progress) });
  assert.equal(text(result), 'Done.');
  assert.deepEqual(seen, [0, 50, 100].map((progress) => ({ progress, total: 100 })));
});

await check('log records, for the request that asks for them', async () => {
  heard = [];
  const logging = (level) =>
    client.callTool({ name: 'test_logging_tool', arguments: {}, _meta: level && { [LOG_LEVEL_META_KEY]: level } });
  assert.equal(text(await logging('info')), 'Logged.');
  assert.deepEqual(
    heard.map(({ method, params: { level, logger, data } }) => ({ method, level, logger, data })),
    ['Tool started', 'Tool working', 'Tool done'].map((data) => (
      { method: 'notifications/message', level: 'info', logger: 'everything', data })),
  );
  heard = [];
  await logging('warning');
  await logging(undefined);
  assert.deepEqual(heard, []);
});

await check('a call given up', async () => {
  const giveUp = new AbortController();
  const options = { signal: giveUp.signal, onprogress: () => giveUp.abort('enough') };
  const error = await failure(call('test_tool_with_progress', {}, options));
  assert.match(String(error), /enough/);
  assert.equal(text(await call('test_simple_text')), 'This is a simple text response for testing.');
});

// ---- changes

await check('a subscription: listen, hear of changes, close', async () => {
  heard = [];
  const filter = { toolsListChanged: true, resourceSubscriptions: [STATIC_TEXT] };
  const subscription = await client.listen(filter, { timeout: 5_000 });
  assert.deepEqual(subscription.honoredFilter, filter);
  // Nobody asked for prompts, nor for the list of resources. The tools come last, so they mark the end.
  await call('test_trigger_prompt_change');
  await call('test_trigger_resource_change');
  await call('test_trigger_tool_change');
  await until(() => heard.some(({ method }) => method === 'notifications/tools/list_changed'));
  assert.deepEqual(
    heard.map(({ method, params }) => [method, params?.uri]),
    [
      ['notifications/resources/updated', STATIC_TEXT],
      ['notifications/tools/list_changed', undefined],
    ],
  );
  heard = [];
  await subscription.close();
  assert.equal(await soon(subscription.closed), 'local');
  // A change of the tools is told before one of the prompts, and by now nobody listens to the former.
  const second = await client.listen({ promptsListChanged: true }, { timeout: 5_000 });
  await call('test_trigger_tool_change');
  await call('test_trigger_prompt_change');
  await until(() => heard.length > 0);
  assert.deepEqual(heard.map(({ method }) => method), ['notifications/prompts/list_changed']);
  await second.close();
});

await check('a subscription that the client opens itself', async () => {
  let changed;
  const tools = new Promise((resolve, reject) => {
    changed = (error, list) => (error ? reject(error) : resolve(list));
  });
  const { client: watcher, transport: wire } = newClient({
    listChanged: { tools: { onChanged: changed, debounceMs: 0 } },
  });
  await watcher.connect(wire);
  assert.deepEqual(watcher.autoOpenedSubscription?.honoredFilter, { toolsListChanged: true });
  // Its own call: on standard input and output each client has a server of its own.
  await watcher.callTool({ name: 'test_trigger_tool_change', arguments: {} });
  const names = (await soon(tools)).map(({ name }) => name);
  assert.ok(names.includes('test_trigger_tool_change'), String(names));
  await watcher.autoOpenedSubscription.close();
  await watcher.close();
});

// ---- resources, prompts, completion

await check('resources: a list, a text, a picture', async () => {
  const { resources } = await client.listResources();
  const uris = resources.map(({ uri }) => uri);
  assert.deepEqual(uris.sort(), ['test://static-binary', STATIC_TEXT, 'test://watched-resource'].sort());
  const { contents: [words] } = await client.readResource({ uri: STATIC_TEXT });
  assert.equal(words.text, 'This is the content of the static text resource.');
  const { contents: [picture] } = await client.readResource({ uri: 'test://static-binary' });
  assert.equal(picture.mimeType, 'image/png');
  assert.equal(Buffer.from(picture.blob, 'base64').toString('latin1', 1, 4), 'PNG');
});

await check('a resource template', async () => {
  const { resourceTemplates: [template] } = await client.listResourceTemplates();
  assert.equal(template.uriTemplate, 'test://template/{id}/data');
  const { contents: [data] } = await client.readResource({ uri: 'test://template/123/data' });
  assert.equal(data.uri, 'test://template/123/data');
  assert.equal(data.mimeType, 'application/json');
  assert.deepEqual(JSON.parse(data.text), { id: '123', templateTest: true, data: 'Data for ID: 123' });
});

await check('a resource that is not there', async () => {
  const error = await failure(client.readResource({ uri: 'test://nowhere' }));
  assert.ok(error instanceof ResourceNotFoundError, String(error));
  assert.equal(error.code, INVALID_PARAMS);
  assert.equal(error.data?.uri, 'test://nowhere');
});

await check('prompts: a list, arguments, a picture', async () => {
  const { prompts } = await client.listPrompts();
  const prompt = prompts.find(({ name }) => name === 'test_prompt_with_arguments');
  assert.deepEqual(prompt.arguments.map(({ name, required }) => [name, required]), [['arg1', true], ['arg2', true]]);
  const filled = await client.getPrompt({ name: prompt.name, arguments: { arg1: 'one', arg2: 'two' } });
  assert.deepEqual(filled.messages, [
    { role: 'user', content: { type: 'text', text: "Prompt with arguments: arg1='one', arg2='two'" } },
  ]);
  const { messages } = await client.getPrompt({ name: 'test_prompt_with_image' });
  assert.deepEqual(messages.map(({ content }) => content.type), ['image', 'text']);
});

await check('completion of a prompt argument and of a template variable', async () => {
  const prompt = { type: 'ref/prompt', name: 'test_prompt_with_arguments' };
  const words = await client.complete({ ref: prompt, argument: { name: 'arg1', value: 'par' } });
  assert.deepEqual(words.completion.values, ['paris', 'park', 'party']);
  const template = { type: 'ref/resource', uri: 'test://template/{id}/data' };
  const ids = await client.complete({ ref: template, argument: { name: 'id', value: '12' } });
  assert.deepEqual(ids.completion.values, ['123', '124']);
});

// ---- tools

await check('results with a picture, a sound and a resource', async () => {
  const types = async (name) => (await call(name)).content.map(({ type }) => type);
  assert.deepEqual(await types('test_audio_content'), ['audio']);
  assert.deepEqual(await types('test_multiple_content_types'), ['text', 'image', 'resource']);
});

await check('an error for the model', async () => {
  const result = await call('test_error_handling');
  assert.equal(result.isError, true);
  assert.match(text(result), /intentionally/);
});

await check('an argument that a header mirrors', async () => {
  await client.listTools();
  const result = await call('test_custom_header', { value: 'Grüße' });
  assert.equal(text(result), 'The value is Grüße');
  if (isHttp) assert.match(sent.at(-1).headers.get('mcp-param-value') ?? 'no header', /^=\?base64\?.*\?=$/);
});

await checkWire();
await client.close();
finish();

async function until(condition) {
  for (const end = Date.now() + 5_000; !condition(); ) {
    assert.ok(Date.now() < end, `not within 5 seconds; heard ${JSON.stringify(heard)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

// The promise's value, if it comes within 5 seconds.
async function soon(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('not within 5 seconds')), 5_000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
