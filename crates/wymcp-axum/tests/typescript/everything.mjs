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

import { REVISION, check, checkWire, failure, finish, isHttp, newClient, sent, soon, text, until } from './shared.mjs';

const INVALID_PARAMS = -32602;
const STATIC_TEXT = 'test://static-text';

const { client, transport } = newClient({
  capabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} },
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
  if (params.tools) return withTools(params);
  const reply = params.messages[0].content.text?.includes('France') ? 'Paris' : 'Good day,';
  return { model: 'a-test', role: 'assistant', stopReason: 'endTurn', content: { type: 'text', text: reply } };
});
// A model that looks at the tool twice, once with a wrong argument, and says what it heard.
function withTools({ messages, tools }) {
  const results = messages.flatMap(({ content }) => content).filter(({ type }) => type === 'tool_result');
  const use = (id, city) => ({ type: 'tool_use', id, name: tools[0].name, input: { city } });
  const calls = [use('1', 'Paris'), use('2', 'Atlantis')];
  const heard = results.map(({ content, isError }) => `${content[0].text}${isError ? '!' : ''}`);
  return {
    model: 'a-test',
    role: 'assistant',
    stopReason: results.length ? 'endTurn' : 'toolUse',
    content: results.length ? { type: 'text', text: heard.join(', ') } : calls,
  };
}

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
  assert.deepEqual(capabilities.extensions, { 'com.example/everything': { greeting: 'Hello!' } });
});

await check('learns who the server is', async () => {
  const { name, title, description, websiteUrl, icons } = client.getServerVersion();
  assert.deepEqual([name, title, description], ['everything', 'Everything', 'Every feature of the protocol, once']);
  assert.equal(websiteUrl, 'https://example.com/everything');
  assert.deepEqual(icons[1], {
    src: 'https://example.com/night.png', mimeType: 'image/png', sizes: ['48x48', '96x96'], theme: 'dark',
  });
});

// ---- lists

await check('pages: the client reads all of them, and each has its part', async () => {
  const before = sent.length;
  const { tools } = await client.listTools();
  assert.ok(sent.length - before > 1, 'more than one page');
  const parts = [];
  for (let cursor; parts.length === 0 || cursor; ) {
    const page = await client.request({ method: 'tools/list', params: { ...(cursor && { cursor }) } });
    assert.ok(page.tools.length <= 25, String(page.tools.length));
    parts.push(...page.tools);
    cursor = page.nextCursor;
  }
  const names = tools.map(({ name }) => name);
  assert.deepEqual(parts.map(({ name }) => name), names);
  assert.equal(new Set(names).size, names.length);
  const error = await failure(client.listTools({ cursor: 'nowhere' }));
  assert.equal(error.code, INVALID_PARAMS);
});

await check('cache hints: of the server, of a method, of a resource', async () => {
  const hint = async (method, params = {}) => {
    const { ttlMs, cacheScope } = await client.request({ method, params });
    return [ttlMs, cacheScope];
  };
  assert.deepEqual(await hint('prompts/list'), [60_000, 'public']);
  assert.deepEqual(await hint('resources/read', { uri: 'test://watched-resource' }), [0, 'private']);
  assert.deepEqual(await hint('resources/read', { uri: STATIC_TEXT }), [3_600_000, 'public']);
  // The client goes by them.
  const requests = async (ask) => {
    await ask();
    const before = sent.length;
    await ask();
    return sent.length - before;
  };
  assert.equal(await requests(() => client.listPrompts()), 0);
  assert.equal(await requests(() => client.readResource({ uri: STATIC_TEXT })), 0);
  assert.equal(await requests(() => client.readResource({ uri: 'test://watched-resource' })), 1);
});

await check('a tool that was added to the running server', async () => {
  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === 'test_added_later'));
  assert.equal(text(await call('test_added_later')), 'Here I am.');
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

await check('elicitation: every kind of field, with its default', async () => {
  const [said, requests] = await asking('order', [accept({ name: 'Ada', count: 2, extras: ['cheese', 'oil'] })]);
  assert.equal(said, '2 of size m for Ada, with cheese and oil.');
  assert.equal(requests, 2);
  const { properties, required } = asked[0].requestedSchema;
  assert.deepEqual(required, ['name']);
  assert.deepEqual(properties, {
    name: { type: 'string', title: 'Name', minLength: 1, maxLength: 40 },
    mail: { type: 'string', format: 'email', description: 'Where the bill goes' },
    site: { type: 'string', format: 'uri', default: 'https://example.com' },
    day: { type: 'string', format: 'date', default: '2026-07-28' },
    at: { type: 'string', format: 'date-time', default: '2026-07-28T12:00:00Z' },
    count: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
    tip: { type: 'number', minimum: 0, maximum: 0.5, default: 0.1 },
    gift: { type: 'boolean', default: false },
    size: {
      type: 'string', title: 'Size', default: 'm',
      oneOf: [['s', 'Small'], ['m', 'Medium'], ['l', 'Large']].map(([value, title]) => ({ const: value, title })),
    },
    crust: { type: 'string', enum: ['thin', 'thick'], default: 'thin' },
    extras: {
      type: 'array', title: 'Extras', default: ['cheese'],
      items: {
        anyOf: [['cheese', 'More cheese'], ['basil', 'Fresh basil'], ['oil', 'Hot oil']]
          .map(([value, title]) => ({ const: value, title })),
      },
    },
    days: { type: 'array', items: { type: 'string', enum: ['mon', 'wed', 'fri'] }, default: ['mon', 'fri'] },
  });
  assert.equal((await asking('order', [{ action: 'decline' }]))[0], 'No order.');
  assert.equal((await asking('order', [{ action: 'cancel' }]))[0], 'No order yet.');
});

await check('elicitation: a page to visit', async () => {
  const [said, requests] = await asking('sign_in', [{ action: 'accept' }]);
  assert.equal(said, 'The human goes to the page.');
  assert.equal(requests, 2);
  assert.deepEqual([asked[0].mode, asked[0].url], ['url', 'https://archive.example.com/sign-in']);
  assert.equal((await asking('sign_in', [{ action: 'decline' }]))[0], 'The human does not sign in.');
});

await check('sampling with tools: the model calls two, and goes on with what they say', async () => {
  const [said, requests] = await asking('advise');
  assert.equal(said, '21.5 °C, Only Paris has a thermometer!');
  assert.equal(requests, 3);
  assert.deepEqual([asked[0].tools[0].name, asked[0].toolChoice], ['thermometer', { mode: 'auto' }]);
  assert.deepEqual(asked[1].messages.map(({ role }) => role), ['user', 'assistant', 'user']);
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
  assert.equal((await failure(again(question.requestState))).code, INVALID_PARAMS, 'a state is used once');
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
  await until(() => heard.some(({ method }) => method === 'notifications/tools/list_changed'), () => heard);
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
  await until(() => heard.length > 0, () => heard);
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

await check('completion that depends on another argument', async () => {
  const ref = { type: 'ref/prompt', name: 'trip' };
  const cities = async (context) => {
    const { completion } = await client.complete({ ref, argument: { name: 'city', value: 'P' }, ...context });
    return completion.values;
  };
  assert.deepEqual(await cities(), ['Paris', 'Pau', 'Prague']);
  assert.deepEqual(await cities({ context: { arguments: { country: 'France' } } }), ['Paris', 'Pau']);
  const { description, messages } = await client.getPrompt({ name: 'trip', arguments: { country: 'France', city: 'Pau', days: '2' } });
  assert.equal(description, 'The start of a conversation');
  assert.deepEqual(messages.map(({ role, content }) => [role, content.text]), [
    ['user', 'Plan 2 days in Pau, France.'],
    ['assistant', 'What do you like?'],
  ]);
});

await check('what is said of a prompt and of a resource', async () => {
  const prompt = (await client.listPrompts()).prompts.find(({ name }) => name === 'trip');
  assert.equal(prompt.title, 'A trip');
  assert.deepEqual(prompt.icons, [{ src: 'https://example.com/trip.svg' }]);
  assert.deepEqual(prompt._meta, { 'com.example/season': 'summer' });
  const resource = (await client.listResources()).resources.find(({ uri }) => uri === STATIC_TEXT);
  assert.deepEqual([resource.title, resource.size], ['Static text', 48]);
  assert.deepEqual(resource.annotations, { audience: ['user'], priority: 0.5 });
  assert.deepEqual(resource.icons, [{ src: 'https://example.com/text.svg' }]);
  assert.deepEqual(resource._meta, { 'com.example/shelf': 3 });
});

// ---- tools

await check('a result for programs, which the client holds against the output schema', async () => {
  const tool = (await client.listTools()).tools.find(({ name }) => name === 'weather');
  assert.deepEqual(tool.outputSchema.required, ['celsius', 'humidity', 'sky']);
  assert.deepEqual([tool.title, tool.annotations.readOnlyHint], ['Weather', true]);
  assert.deepEqual(tool.icons, [{ src: 'https://example.com/weather.svg', sizes: ['any'] }]);
  assert.deepEqual(tool._meta, { 'com.example/station': 7 });
  const result = await call('weather', { city: 'Paris' });
  assert.deepEqual(result.structuredContent, { celsius: 21.5, humidity: 0.4, sky: 'clear' });
  assert.deepEqual(JSON.parse(text(result)), result.structuredContent);
  assert.equal((await call('weather', { city: 'Atlantis' })).isError, true);
});

await check('content for one reader, a link, and what is said beside', async () => {
  const { content: [forUser, forModel, link], _meta } = await call('report');
  assert.deepEqual(forUser.annotations, { audience: ['user'], priority: 1 });
  assert.deepEqual(forModel._meta, { 'com.example/confidence': 0.9 });
  assert.deepEqual(link, {
    type: 'resource_link',
    uri: STATIC_TEXT,
    name: 'static-text',
    title: 'The whole text',
    description: 'What the report is about',
    mimeType: 'text/plain',
    size: 48,
    icons: [{ src: 'https://example.com/text.svg' }],
    annotations: { lastModified: '2026-07-28T12:00:00Z' },
    _meta: { 'com.example/pages': 1 },
  });
  assert.equal(_meta['com.example/took-ms'], 3);
  const { contents: [there] } = await client.readResource({ uri: link.uri });
  assert.equal(there.text.length, link.size);
});

await check('a tool of actions, its hints and its help', async () => {
  const act = async (action, data) => {
    const result = await call('calendar', { action, ...(data && { data }) });
    return [JSON.parse(text(result)), result.isError ?? false];
  };
  const title = `Lunch ${Date.now()}`;
  const [added, failed] = await act('add', { title, day: '2026-07-28' });
  assert.equal(failed, false);
  assert.deepEqual(added.result, { title, day: '2026-07-28', minutes: 30 });
  assert.deepEqual(added.hints.map(({ tool, action }) => [tool, action]), [['calendar', 'list']]);
  assert.match(added.context, /events by now/);
  const [taken, refused] = await act('add', { title, day: '2026-07-29' });
  assert.equal(refused, true);
  assert.match(taken.error, /is there already/);
  const [listed] = await act('list');
  assert.ok(listed.result.some((event) => event.title === title));
  const wrong = await call('calendar', { action: 'add', data: { title } });
  assert.equal(wrong.isError, true);
  assert.match(text(wrong), /day/);
  const help = JSON.parse(text(await call('help', { tool: 'calendar', action: 'add' })));
  assert.match(JSON.stringify(help), /No two events have one title/);
});

await check('nobody by name calls a server that asks nobody who he is', async () => {
  assert.equal(text(await call('whoami')), 'nobody');
});

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
