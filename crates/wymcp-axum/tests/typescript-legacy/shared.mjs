// What the scripts here share: a client of a revision that opens with initialize, and a record of its messages.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { until } from '../typescript/checks.mjs';

export * from '../typescript/checks.mjs';

export const REVISION = '2025-11-25';

// A server at a URL, or a command that speaks on its standard input and output.
export const [target, ...args] = process.argv.slice(2);
if (!target) {
  console.error(`usage: node ${process.argv[1]} URL | COMMAND ARGUMENT...`);
  process.exit(2);
}
export const isHttp = target.startsWith('http');

// A connected client. `wire` holds what it sent and got: `requests` of HTTP, each with its status; `messages` of
// JSON-RPC, in the order of arrival; `revision`, the negotiated one; `errors` that the client only reports. `asking` is
// the revision that it asks for; `prepare` sets its handlers before it connects; `sessionId` takes up a session.
export async function connect({ asking = REVISION, prepare = () => {}, sessionId, ...options } = {}) {
  const wire = { requests: [], messages: [], errors: [], revision: undefined };
  const transport = isHttp
    ? newHttpTransport(wire, sessionId)
    : new StdioClientTransport({ command: target, args, stderr: 'inherit' });
  const send = transport.send.bind(transport);
  transport.send = (message, ...rest) => {
    if (message.method === 'initialize') message.params.protocolVersion = asking;
    return send(message, ...rest);
  };
  const setProtocolVersion = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (revision) => {
    wire.revision = revision;
    setProtocolVersion?.(revision);
  };
  if (sessionId) transport.setProtocolVersion(asking);
  record(transport, wire);
  const client = new Client({ name: 'wymcp-typescript-legacy-test', version: '1.0.0' }, options);
  client.onerror = (error) => void wire.errors.push(error.message);
  prepare(client);
  await client.connect(transport);
  // The client opens its stream by itself, and does not say when.
  if (isHttp && !sessionId) await until(() => wire.requests.some(isStandalone), () => wire.requests);
  return { client, transport, wire };
}

const isStandalone = ({ verb, status, lastEventId }) => verb === 'GET' && status === 200 && !lastEventId;

// Every message passes the record on its way to the client, which sets its handler when it connects.
function record(transport, wire) {
  let handler;
  Object.defineProperty(transport, 'onmessage', {
    get: () => handler,
    set: (wanted) => {
      handler = wanted && ((message, ...rest) => {
        wire.messages.push(structuredClone(message));
        return wanted(message, ...rest);
      });
    },
  });
}

function newHttpTransport(wire, sessionId) {
  return new StreamableHTTPClientTransport(new URL(target), {
    sessionId,
    fetch: async (target, init) => {
      const headers = new Headers(init?.headers);
      const request = {
        verb: init?.method ?? 'GET',
        method: init?.body && JSON.parse(init.body).method,
        session: headers.get('mcp-session-id'),
        revision: headers.get('mcp-protocol-version'),
        lastEventId: headers.get('last-event-id'),
      };
      wire.requests.push(request);
      const response = await fetch(target, init);
      request.status = response.status;
      return response;
    },
  });
}

// A request in a session, past every client.
export function raw(verb, session, { headers, ...rest } = {}) {
  return fetch(target, {
    method: verb,
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-session-id': session,
      'mcp-protocol-version': REVISION,
      ...headers,
    },
    ...rest,
  });
}

export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
