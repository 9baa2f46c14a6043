// node client.mjs URL: the official TypeScript client against a running calculator example, in revision 2026-07-28.
// Prints a line for each check; exits with 0 only if all of them held.
import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const REVISION = '2026-07-28';
const INVALID_PARAMS = -32602;

const url = process.argv[2];
if (!url) {
  console.error('usage: node client.mjs URL');
  process.exit(2);
}

// What the client put on the wire, so that a silent fallback to an older revision cannot pass as success.
const sent = [];
const transport = new StreamableHTTPClientTransport(new URL(url), {
  fetch: (target, init) => {
    const headers = new Headers(init?.headers);
    sent.push({ method: headers.get('mcp-method'), revision: headers.get('mcp-protocol-version') });
    return fetch(target, init);
  },
});
const client = new Client(
  { name: 'wymcp-typescript-test', version: '1.0.0' },
  { versionNegotiation: { mode: { pin: REVISION } } },
);

// A hung server must fail the run, not hang it.
setTimeout(() => {
  console.log('FAILED no end within 60 seconds');
  process.exit(1);
}, 60_000).unref();

let failures = 0;

await check('connects in revision 2026-07-28', async () => {
  await client.connect(transport);
  equal('era', client.getProtocolEra(), 'modern');
  equal('negotiated revision', client.getNegotiatedProtocolVersion(), REVISION);
});
if (failures > 0) process.exit(1);

await check('discovers the server', async () => {
  const discovered = await client.discover();
  holds('supportedVersions names the revision', discovered.supportedVersions?.includes(REVISION));
  holds('capabilities name tools', discovered.capabilities?.tools);
  equal('server name', client.getServerVersion()?.name, 'calculator');
  holds('server version is not empty', client.getServerVersion()?.version);
});

await check('lists sum and help', async () => {
  const { tools } = await client.listTools();
  const names = tools.map((tool) => tool.name);
  for (const name of ['sum', 'help']) holds(`${name} is among ${names}`, names.includes(name));
  for (const tool of tools) {
    holds(`${tool.name} has a description`, tool.description);
    equal(`type of ${tool.name}'s input schema`, tool.inputSchema.type, 'object');
  }
});

await check('sum of 19 and 23 is 42', async () => {
  const result = await client.callTool({ name: 'sum', arguments: { a: 19, b: 23 } });
  holds('the result is no error', !result.isError);
  equal('text', text(result), '42');
});

await check('a wrong argument is a result that names it', async () => {
  const result = await client.callTool({ name: 'sum', arguments: { a: 'nineteen', b: 23 } });
  equal('isError', result.isError, true);
  holds(`"${text(result)}" names the argument a`, /\ba\b/.test(text(result).replaceAll('nineteen', '')));
});

await check('a missing argument is a result that names it', async () => {
  const result = await client.callTool({ name: 'sum', arguments: { a: 19 } });
  equal('isError', result.isError, true);
  holds(`"${text(result)}" names the argument b`, /\bb\b/.test(text(result)));
});

await check('an unknown tool is a protocol error', async () => {
  const error = await failure(client.callTool({ name: 'no_such_tool', arguments: {} }));
  holds(`${error} is a protocol error`, ProtocolError.isInstance(error));
  equal('code', error.code, INVALID_PARAMS);
  holds(`"${error.message}" names the tool`, error.message.includes('no_such_tool'));
});

await check('the next call on the connection still works', async () => {
  equal('text', text(await client.callTool({ name: 'sum', arguments: { a: -1, b: 1 } })), '0');
});

await check('every request named the revision', async () => {
  holds('requests were seen', sent.length > 0);
  for (const request of sent) equal(`revision of ${request.method}`, request.revision, REVISION);
  holds('no request was an initialize', sent.every((request) => request.method !== 'initialize'));
});

await client.close();
console.log(failures === 0 ? 'all checks held' : `${failures} checks failed`);
process.exitCode = failures === 0 ? 0 : 1;

async function check(name, body) {
  try {
    await body();
    console.log(`ok     ${name}`);
  } catch (error) {
    failures += 1;
    const cause = error?.cause ? ` (${error.cause.message ?? error.cause})` : '';
    console.log(`FAILED ${name}: ${error?.message ?? error}${cause}`);
  }
}

function holds(what, condition) {
  if (!condition) throw new Error(`not so: ${what}`);
}

function equal(what, actual, expected) {
  holds(`${what} is ${JSON.stringify(expected)}, but ${JSON.stringify(actual)}`, actual === expected);
}

function text(result) {
  return result.content?.find((block) => block.type === 'text')?.text ?? '';
}

async function failure(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('the call succeeded');
}
