// node client.mjs URL: the official TypeScript client against a running calculator example, in revision 2026-07-28.
// Prints a line for each check; exits with 0 only if all of them held.
import { ProtocolError } from '@modelcontextprotocol/client';

import { REVISION, check, checkWire, equal, failure, finish, holds, newClient, text } from './shared.mjs';

const INVALID_PARAMS = -32602;

const { client, transport } = newClient();

await check('connects in revision 2026-07-28', async () => {
  await client.connect(transport);
  equal('era', client.getProtocolEra(), 'modern');
  equal('negotiated revision', client.getNegotiatedProtocolVersion(), REVISION);
}, { required: true });

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

await checkWire();
await client.close();
finish();
