// Calls and sessions that end, break off, and are taken up again.
import assert from 'node:assert/strict';

import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

import { REVISION, check, connect, failure, isHttp, raw, sleep, soon, text, until } from './shared.mjs';

const STATIC_TEXT = 'test://static-text';

const progressIn = (wire) => wire.messages
  .filter(({ method }) => method === 'notifications/progress')
  .map(({ params }) => params.progress);
const answersTo = (wire, id) => wire.messages.filter((message) => !message.method && message.id === id);
const resumptions = (wire) => wire.requests.filter(({ lastEventId }) => lastEventId);

export async function checkLifetime() {
  await check('a call given up: the server falls silent, and serves the next one', async () => {
    const { client, transport, wire } = await connect();
    let token;
    const giveUp = new AbortController();
    const error = await failure(client.callTool({ name: 'test_tool_with_progress' }, undefined, {
      signal: giveUp.signal,
      onprogress: () => giveUp.abort('enough'),
      onresumptiontoken: (id) => void (token = id),
    }));
    assert.match(String(error), /enough/);
    await sleep(400);
    const { progressToken: id } = wire.messages.find(({ method }) => method === 'notifications/progress').params;
    assert.deepEqual(answersTo(wire, id), []);
    assert.ok(progressIn(wire).length < 3, 'the tool went on');
    assert.equal(text(await client.callTool({ name: 'whoami' })), 'nobody');
    if (isHttp) await comesToRest(transport.sessionId, token);
    await client.close();
  });

  await check('an answer for which the client has to come back, and what came before it', async () => {
    const { client, wire } = await connect();
    const seen = [];
    const onprogress = ({ progress, total }) => void seen.push([progress, total]);
    const result = await client.callTool({ name: 'test_reconnection' }, undefined, { onprogress });
    assert.equal(text(result), 'Welcome back.');
    assert.deepEqual(seen, [[1, 2], [2, 2]]);
    if (isHttp) assert.deepEqual(resumptions(wire).map(({ status }) => status), [200]);
    await client.close();
    assert.deepEqual(wire.errors, []);
  });

  await check('clients at once: two sessions, the same request ids, and nothing of each other', async () => {
    const heard = { a: [], b: [] };
    const listen = (name) => (client) => {
      for (const schema of [LoggingMessageNotificationSchema, ResourceUpdatedNotificationSchema]) {
        client.setNotificationHandler(schema, ({ method }) => void heard[name].push(method));
      }
    };
    const [a, b] = await Promise.all([connect({ prepare: listen('a') }), connect({ prepare: listen('b') })]);
    const seen = await Promise.all([a, b].map(async ({ client }) => {
      const seen = [];
      const onprogress = ({ progress }) => void seen.push(progress);
      await client.callTool({ name: 'test_tool_with_progress' }, undefined, { onprogress });
      return seen;
    }));
    assert.deepEqual(seen, [[0, 50, 100], [0, 50, 100]]);
    await a.client.setLoggingLevel('debug');
    await b.client.subscribeResource({ uri: STATIC_TEXT });
    await Promise.all([a, b].map(({ client }) => client.callTool({ name: 'test_tool_with_logging' })));
    // On standard input and output each client has a server of its own.
    await (isHttp ? a : b).client.callTool({ name: 'test_trigger_resource_change' });
    await until(() => heard.b.length > 0, () => heard);
    assert.deepEqual(heard.b, ['notifications/resources/updated']);
    assert.deepEqual(heard.a, Array(3).fill('notifications/message'));
    if (isHttp) assert.notEqual(a.transport.sessionId, b.transport.sessionId);
    await Promise.all([a.client.close(), b.client.close()]);
  });

  if (isHttp) await checkSessions();
}

async function checkSessions() {
  await check('every request after the first names session and revision', async () => {
    const { client, transport, wire } = await connect();
    await client.callTool({ name: 'whoami' });
    const [first, ...rest] = wire.requests;
    assert.deepEqual([first.method, first.session, first.revision], ['initialize', null, null]);
    assert.ok(rest.length >= 3 && rest.every(({ session }) => session === transport.sessionId), JSON.stringify(rest));
    assert.ok(rest.every(({ revision }) => revision === REVISION), JSON.stringify(rest));
    assert.match(transport.sessionId, /^[\x21-\x7e]{16,}$/);
    const notification = rest.find(({ method }) => method === 'notifications/initialized');
    assert.equal(notification.status, 202);
    await client.close();
  });

  await check('a connection lost during a call: the next one finds the rest, and each event once', async () => {
    const { client: lost, transport, wire } = await connect();
    let token;
    const interrupted = failure(lost.callTool({ name: 'test_tool_with_progress' }, undefined, {
      onprogress: () => {},
      onresumptiontoken: (id) => void (token = id),
    }));
    await until(() => progressIn(wire).length > 0, () => wire.messages);
    await lost.close();
    await interrupted;
    const { client: found, wire: later } = await connect({ sessionId: transport.sessionId });
    const resumed = found.callTool({ name: 'test_tool_with_progress' }, undefined, { resumptionToken: token });
    assert.equal(text(await soon(resumed)), 'Done.');
    assert.deepEqual([...progressIn(wire), ...progressIn(later)], [0, 50, 100]);
    await found.close();
  });

  await check('a session that its client ends is gone, and a new one opens', async () => {
    const { client, transport } = await connect();
    const session = transport.sessionId;
    await transport.terminateSession();
    await client.close();
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    assert.equal((await raw('POST', session, { body: JSON.stringify(ping) })).status, 404);
    assert.equal((await raw('GET', session)).status, 404);
    assert.equal((await raw('DELETE', session)).status, 404);
    const { client: late } = await connect({ sessionId: session });
    const error = await failure(late.listTools());
    assert.ok(error instanceof StreamableHTTPError, String(error));
    assert.equal(error.code, 404);
    await late.close();
    const { client: next, transport: wire } = await connect();
    assert.notEqual(wire.sessionId, session);
    await next.ping();
    await next.close();
  });
}

// This client asks again and again for a stream that has ended without an answer, until a request fails or stays open.
async function comesToRest(session, lastEventId) {
  assert.ok(lastEventId, 'the stream had event ids');
  const patience = new AbortController();
  setTimeout(() => patience.abort(), 300);
  try {
    const headers = { 'last-event-id': lastEventId };
    const response = await raw('GET', session, { headers, signal: patience.signal });
    await response.text();
    assert.ok(!response.ok, 'the resumed stream ended at once');
  } catch (error) {
    if (!patience.signal.aborted) throw error;
  }
}
