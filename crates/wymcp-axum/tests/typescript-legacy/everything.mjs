// node everything.mjs URL: the official TypeScript client of 2025-11-25 against a running wymcp-everything;
// node everything.mjs COMMAND ARGUMENT...: against one that it starts.
// Prints a line for each feature driven; exits with 0 only if every answer was the expected one.
import assert from 'node:assert/strict';

import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  EmptyResultSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  McpError,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

import { REVISION, check, connect, failure, finish, text, until } from './shared.mjs';
import { checkLifetime } from './lifetime.mjs';
import { checkRevisions } from './revisions.mjs';

const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const RESOURCE_NOT_FOUND = -32002;
const STATIC_TEXT = 'test://static-text';

// How the human answers the forms of the running check, in order, and what was asked.
let answers = [];
let asked = [];
// Every notification that no request asked for, in the order of arrival.
let heard = [];

function prepare(client) {
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    asked.push(params);
    const answer = answers.shift();
    assert.ok(answer, `no more forms were expected: ${JSON.stringify(params)}`);
    return answer;
  });
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => {
    asked.push(params);
    return params.tools ? withTools(params) : say(`You said: ${params.messages[0].content.text}`);
  });
  client.setRequestHandler(ListRootsRequestSchema, async () => ({
    roots: [
      { uri: 'file:///home/ada', name: 'Home' },
      { uri: 'file:///srv/data' },
    ],
  }));
  for (const schema of [
    LoggingMessageNotificationSchema,
    ToolListChangedNotificationSchema,
    PromptListChangedNotificationSchema,
    ResourceListChangedNotificationSchema,
    ResourceUpdatedNotificationSchema,
  ]) {
    client.setNotificationHandler(schema, (notification) => void heard.push(notification));
  }
}

const reply = (stopReason, content) => ({ model: 'a-test', role: 'assistant', stopReason, content });
const say = (said) => reply('endTurn', { type: 'text', text: said });

// A model that looks at the tool once, and says what it heard.
function withTools({ messages, tools }) {
  const results = messages.flatMap(({ content }) => content).filter(({ type }) => type === 'tool_result');
  if (results.length) return say(`I heard ${results[0].content[0].text}`);
  return reply('toolUse', [{ type: 'tool_use', id: '1', name: tools[0].name, input: { city: 'Paris' } }]);
}

let client;
let wire;
const accept = (content) => ({ action: 'accept', content });
const call = (name, args = {}, options) => client.callTool({ name, arguments: args }, undefined, options);
const methods = () => heard.map(({ method }) => method);

// Runs `name` while the human gives `forms`. Returns the text.
async function asking(name, forms = [], args = {}) {
  [answers, asked] = [forms, []];
  const result = await call(name, args);
  assert.ok(!result.isError, text(result));
  assert.deepEqual(answers, [], 'every answer was asked for');
  return text(result);
}

// ---- the handshake

await check('opens a session of 2025-11-25', async () => {
  const capabilities = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
  ({ client, wire } = await connect({ capabilities, prepare }));
  assert.equal(wire.revision, REVISION);
  const { result } = wire.messages[0];
  assert.deepEqual(Object.keys(result).sort(), ['capabilities', 'instructions', 'protocolVersion', 'serverInfo']);
}, { required: true });

await check('learns what the server can do, in words of this revision', async () => {
  const { capabilities } = wire.messages[0].result;
  assert.deepEqual(capabilities, {
    completions: {},
    logging: {},
    prompts: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    tools: { listChanged: true },
  });
  assert.match(client.getInstructions(), /one feature/);
});

await check('learns who the server is', async () => {
  const { name, title, description, websiteUrl, icons } = client.getServerVersion();
  assert.deepEqual([name, title, description], ['everything', 'Everything', 'Every feature of the protocol, once']);
  assert.equal(websiteUrl, 'https://example.com/everything');
  assert.equal(icons.length, 2);
});

await check('ping is answered with nothing', async () => {
  await client.ping();
  assert.deepEqual(wire.messages.at(-1).result, {});
});

// ---- tools

await check('tools: every page, without a word of a later revision', async () => {
  const tools = [];
  for (let cursor; tools.length === 0 || cursor; ) {
    const page = await client.listTools({ ...(cursor && { cursor }) });
    const known = page.nextCursor ? ['nextCursor', 'tools'] : ['tools'];
    assert.deepEqual(Object.keys(wire.messages.at(-1).result).sort(), known);
    tools.push(...page.tools);
    cursor = page.nextCursor;
  }
  const names = tools.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.length > 25 && names.includes('test_added_later'), String(names));
  const { _meta, annotations, title } = tools.find(({ name }) => name === 'weather');
  assert.deepEqual([_meta, annotations.readOnlyHint, title], [{ 'com.example/station': 7 }, true, 'Weather']);
  assert.equal((await failure(client.listTools({ cursor: 'nowhere' }))).code, INVALID_PARAMS);
});

await check('a call, and its result as this revision knows it', async () => {
  assert.equal(text(await call('test_simple_text')), 'This is a simple text response for testing.');
  assert.deepEqual(Object.keys(wire.messages.at(-1).result), ['content']);
  const { content, _meta } = await call('report');
  assert.deepEqual(content.map(({ type }) => type), ['text', 'text', 'resource_link']);
  assert.deepEqual(_meta, { 'com.example/took-ms': 3 });
  const types = (await call('test_multiple_content_types')).content.map(({ type }) => type);
  assert.deepEqual(types, ['text', 'image', 'resource']);
  assert.equal((await call('test_audio_content')).content[0].mimeType, 'audio/wav');
});

await check('a result for programs, which the client holds against the output schema', async () => {
  // The client knows the schemas of the page that it read last.
  let page = await client.listTools();
  while (!page.tools.some(({ name }) => name === 'weather')) page = await client.listTools({ cursor: page.nextCursor });
  const result = await call('weather', { city: 'Paris' });
  assert.deepEqual(result.structuredContent, { celsius: 21.5, humidity: 0.4, sky: 'clear' });
  assert.deepEqual(JSON.parse(text(result)), result.structuredContent);
});

await check('errors for the model are results', async () => {
  assert.equal((await call('weather', { city: 'Atlantis' })).isError, true);
  assert.match(text(await call('test_error_handling')), /intentionally/);
  const wrong = await call('weather', { town: 'Paris' });
  assert.equal(wrong.isError, true);
  assert.match(text(wrong), /city/);
});

await check('errors for the program are JSON-RPC errors, and not of the transport', async () => {
  const unknown = await failure(call('no_such_tool'));
  assert.ok(unknown instanceof McpError, String(unknown));
  assert.equal(unknown.code, INVALID_PARAMS);
  assert.match(unknown.message, /no_such_tool/);
  for (const method of ['no/such/method', 'subscriptions/listen']) {
    const error = await failure(client.request({ method }, EmptyResultSchema));
    assert.ok(error instanceof McpError, String(error));
    assert.equal(error.code, METHOD_NOT_FOUND);
  }
  assert.equal(text(await call('whoami')), 'nobody');
});

// ---- questions to the client

await check('elicitation: accepted, declined, dismissed', async () => {
  const message = 'Who are you?';
  const contents = { username: 'ada', email: 'ada@example.com' };
  const said = await asking('test_elicitation', [accept(contents)], { message });
  assert.deepEqual(JSON.parse(said.replace('User response: accept, ', '')), contents);
  assert.equal(asked[0].message, message);
  assert.deepEqual(asked[0].requestedSchema.required, ['username', 'email']);
  assert.equal(await asking('test_elicitation', [{ action: 'decline' }], { message }), 'User response: decline');
  assert.equal(await asking('test_elicitation', [{ action: 'cancel' }], { message }), 'User response: cancel');
});

await check('elicitation: an answer that does not fit is none', async () => {
  assert.equal(await asking('test_input_required_result_elicitation', [accept({ name: 7 })]), 'Hello, stranger!');
});

await check('elicitation: two rounds of the handler that 2026-07-28 calls twice', async () => {
  const forms = [accept({ name: 'Ada' }), accept({ color: 'blue' })];
  assert.equal(await asking('test_input_required_result_multi_round', forms), 'Ada likes blue');
  assert.deepEqual(asked.map(({ message }) => message), ['What is your name?', 'Which color do you like?']);
});

await check('elicitation: defaults and every kind of choice', async () => {
  await asking('test_elicitation_sep1034_defaults', [accept({ age: 31 })]);
  const defaults = Object.values(asked[0].requestedSchema.properties).map((field) => field.default);
  assert.deepEqual(defaults, ['John Doe', 30, 95.5, 'active', true]);
  await asking('test_elicitation_sep1330_enums', [accept({ legacyEnum: 'opt2', titledMulti: ['value1', 'value3'] })]);
  const { legacyEnum, titledSingle, titledMulti } = asked[0].requestedSchema.properties;
  assert.deepEqual(legacyEnum.enumNames, ['Option One', 'Option Two', 'Option Three']);
  assert.deepEqual(titledSingle.oneOf[0], { const: 'value1', title: 'First Option' });
  assert.deepEqual(titledMulti.items.anyOf[2], { const: 'value3', title: 'Third Option' });
});

await check('elicitation: a page to visit, under an id of its own each time', async () => {
  assert.equal(await asking('sign_in', [{ action: 'accept' }]), 'The human goes to the page.');
  const [first] = asked;
  assert.deepEqual([first.mode, first.url], ['url', 'https://archive.example.com/sign-in']);
  assert.equal(await asking('sign_in', [{ action: 'decline' }]), 'The human does not sign in.');
  assert.ok(first.elicitationId && asked[0].elicitationId, JSON.stringify(asked));
  assert.notEqual(asked[0].elicitationId, first.elicitationId);
});

await check('sampling, plain and with tools', async () => {
  assert.equal(await asking('test_sampling', [], { prompt: 'Hello' }), 'LLM response: You said: Hello');
  assert.equal(asked[0].maxTokens, 100);
  assert.equal(await asking('advise'), 'I heard 21.5 °C');
  assert.deepEqual(asked[1].messages.map(({ role }) => role), ['user', 'assistant', 'user']);
});

await check('roots, alone and beside other questions', async () => {
  const folders = 'Folders: file:///home/ada, file:///srv/data';
  assert.equal(await asking('test_input_required_result_list_roots'), folders);
  const said = await asking('test_input_required_result_multiple_inputs', [accept({ name: 'Ada' })]);
  assert.equal(said, 'You said: Write a short greeting. Ada has 2 folders');
});

await check('a prompt that asks', async () => {
  [answers, asked] = [[accept({ context: 'ships' })], []];
  const { messages } = await client.getPrompt({ name: 'test_input_required_result_prompt' });
  assert.equal(messages[0].content.text, 'Let us talk about ships.');
});

await check('a client without the capability is not asked', async () => {
  const { client: poor, wire } = await connect();
  const error = await poor.callTool({ name: 'test_sampling', arguments: { prompt: 'Hello' } });
  assert.equal(error.isError, true);
  assert.match(text(error), /sampling/);
  const prompt = await failure(poor.getPrompt({ name: 'test_input_required_result_prompt' }));
  assert.ok(prompt instanceof McpError, String(prompt));
  assert.equal(prompt.code, INVALID_PARAMS);
  await poor.close();
  assert.ok(wire.messages.every((message) => !(message.method && 'id' in message)), 'no question came');
});

// ---- what comes while a tool runs

await check('progress', async () => {
  const seen = [];
  const result = await call('test_tool_with_progress', {}, { onprogress: (progress) => void seen.push(progress) });
  assert.equal(text(result), 'Done.');
  assert.deepEqual(seen, [0, 50, 100].map((progress) => ({ progress, total: 100 })));
});

await check('log records: none before a level is set, and none below it', async () => {
  heard = [];
  await call('test_tool_with_logging');
  assert.deepEqual(heard, []);
  await client.setLoggingLevel('info');
  await call('test_tool_with_logging');
  assert.deepEqual(
    heard.map(({ method, params: { level, logger, data } }) => ({ method, level, logger, data })),
    ['Tool started', 'Tool working', 'Tool done'].map((data) => (
      { method: 'notifications/message', level: 'info', logger: 'everything', data })),
  );
  heard = [];
  await client.setLoggingLevel('warning');
  await call('test_tool_with_logging');
  assert.deepEqual(heard, []);
  const error = await failure(client.setLoggingLevel('loud'));
  assert.ok(error instanceof McpError, String(error));
  assert.equal(error.code, INVALID_PARAMS);
});

// ---- resources, prompts, completion

await check('resources: a list, a text, a picture, a template', async () => {
  const { resources } = await client.listResources();
  assert.equal(resources.find(({ uri }) => uri === STATIC_TEXT).size, 48);
  assert.deepEqual(Object.keys(wire.messages.at(-1).result), ['resources']);
  const { contents: [words] } = await client.readResource({ uri: STATIC_TEXT });
  assert.equal(words.text, 'This is the content of the static text resource.');
  const { contents: [picture] } = await client.readResource({ uri: 'test://static-binary' });
  assert.equal(Buffer.from(picture.blob, 'base64').toString('latin1', 1, 4), 'PNG');
  const { resourceTemplates: [template] } = await client.listResourceTemplates();
  assert.equal(template.uriTemplate, 'test://template/{id}/data');
  const { contents: [data] } = await client.readResource({ uri: 'test://template/123/data' });
  assert.equal(JSON.parse(data.text).id, '123');
});

await check('a resource that is not there, under the code of this revision', async () => {
  const error = await failure(client.readResource({ uri: 'test://nowhere' }));
  assert.ok(error instanceof McpError, String(error));
  assert.deepEqual([error.code, error.data], [RESOURCE_NOT_FOUND, { uri: 'test://nowhere' }]);
});

await check('prompts: a list, arguments, a picture', async () => {
  const { prompts } = await client.listPrompts();
  const prompt = prompts.find(({ name }) => name === 'test_prompt_with_arguments');
  assert.deepEqual(prompt.arguments.map(({ name, required }) => [name, required]), [['arg1', true], ['arg2', true]]);
  const { messages } = await client.getPrompt({ name: prompt.name, arguments: { arg1: 'one', arg2: 'two' } });
  assert.equal(messages[0].content.text, "Prompt with arguments: arg1='one', arg2='two'");
  const picture = await client.getPrompt({ name: 'test_prompt_with_image' });
  assert.deepEqual(picture.messages.map(({ content }) => content.type), ['image', 'text']);
  assert.equal((await failure(client.getPrompt({ name: 'no_such_prompt' }))).code, INVALID_PARAMS);
});

await check('completion, which may depend on another argument', async () => {
  const template = { type: 'ref/resource', uri: 'test://template/{id}/data' };
  const ids = await client.complete({ ref: template, argument: { name: 'id', value: '12' } });
  assert.deepEqual(ids.completion.values, ['123', '124']);
  const ref = { type: 'ref/prompt', name: 'trip' };
  const context = { arguments: { country: 'France' } };
  const cities = await client.complete({ ref, argument: { name: 'city', value: 'P' }, context });
  assert.deepEqual(cities.completion.values, ['Paris', 'Pau']);
});

// ---- changes, on the stream that the client keeps open

await check('changes of the lists come unasked', async () => {
  heard = [];
  await call('test_trigger_tool_change');
  await call('test_trigger_prompt_change');
  await call('test_trigger_resource_change');
  await until(() => heard.length >= 3, () => heard);
  const lists = ['tools', 'prompts', 'resources'].map((list) => `notifications/${list}/list_changed`);
  assert.deepEqual(methods().sort(), lists.sort());
});

await check('a resource: subscribe, hear of a change, unsubscribe', async () => {
  await client.subscribeResource({ uri: STATIC_TEXT });
  assert.deepEqual(wire.messages.at(-1).result, {});
  heard = [];
  await call('test_trigger_resource_change');
  await until(() => methods().includes('notifications/resources/updated'), () => heard);
  const updates = heard.filter(({ method }) => method === 'notifications/resources/updated');
  assert.deepEqual(updates.map(({ params }) => params), [{ uri: STATIC_TEXT }]);
  await client.unsubscribeResource({ uri: STATIC_TEXT });
  heard = [];
  // The tools come last, so they mark the end.
  await call('test_trigger_resource_change');
  await call('test_trigger_tool_change');
  await until(() => methods().includes('notifications/tools/list_changed'), () => heard);
  assert.ok(!methods().includes('notifications/resources/updated'), String(methods()));
});

await checkLifetime();
await checkRevisions(prepare, (answer) => {
  [answers, asked] = [[answer], []];
  return asked;
});

await check('nothing was wrong that the client did not raise', async () => {
  assert.deepEqual(wire.errors, []);
});
await client.close();
finish();
