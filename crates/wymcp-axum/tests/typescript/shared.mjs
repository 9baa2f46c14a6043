// What the scripts here share: a client that pins the revision, and what it put on the wire.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { check, equal, holds } from './checks.mjs';

export * from './checks.mjs';

export const REVISION = '2026-07-28';

// A server at a URL, or a command that speaks on its standard input and output.
const [target, ...args] = process.argv.slice(2);
if (!target) {
  console.error(`usage: node ${process.argv[1]} URL | COMMAND ARGUMENT...`);
  process.exit(2);
}
export const isHttp = target.startsWith('http');

// What the clients put on the wire, so that a silent fallback to an older revision cannot pass as success.
export const sent = [];

// A client that speaks the revision or nothing. The caller connects it to its transport.
export function newClient(options = {}) {
  const transport = isHttp ? newHttpTransport() : newStdioTransport();
  const client = new Client(
    { name: 'wymcp-typescript-test', version: '1.0.0' },
    { ...options, versionNegotiation: { mode: { pin: REVISION } } },
  );
  return { client, transport };
}

function newHttpTransport() {
  return new StreamableHTTPClientTransport(new URL(target), {
    fetch: (target, init) => {
      const headers = new Headers(init?.headers);
      sent.push({ method: headers.get('mcp-method'), revision: headers.get('mcp-protocol-version'), headers });
      return fetch(target, init);
    },
  });
}

function newStdioTransport() {
  const transport = new StdioClientTransport({ command: target, args, stderr: 'inherit' });
  const send = transport.send.bind(transport);
  transport.send = (message) => {
    const revision = message.params?._meta?.['io.modelcontextprotocol/protocolVersion'];
    // A notification names no revision.
    if ('id' in message) sent.push({ method: message.method, revision });
    return send(message);
  };
  return transport;
}

export async function checkWire() {
  await check('every request named the revision', async () => {
    holds('requests were seen', sent.length > 0);
    for (const request of sent) equal(`revision of ${request.method}`, request.revision, REVISION);
    holds('no request was an initialize', sent.every((request) => request.method !== 'initialize'));
  });
}
