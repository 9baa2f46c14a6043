// What the client gets when it asks for an older revision, or for one that is not spoken.
import assert from 'node:assert/strict';

import { REVISION, check, connect, isHttp, text } from './shared.mjs';

const capabilities = { elicitation: {}, sampling: {}, roots: {} };

// `prepare` sets a client's handlers; `answer` sets what the human does next, and returns what is asked from then on.
export async function checkRevisions(prepare, answer) {
  await check('2025-06-18: forms and structured results, no pages to visit', async () => {
    const { client, wire } = await connect({ asking: '2025-06-18', capabilities, prepare });
    assert.equal(wire.revision, '2025-06-18');
    assert.deepEqual(Object.keys(wire.messages[0].result.serverInfo).sort(), ['name', 'title', 'version']);
    const asked = answer({ action: 'accept', content: { name: 'Ada' } });
    assert.equal(text(await client.callTool({ name: 'test_input_required_result_elicitation' })), 'Hello, Ada!');
    assert.equal('mode' in asked[0], false);
    const weather = await client.callTool({ name: 'weather', arguments: { city: 'Paris' } });
    assert.deepEqual(weather.structuredContent, { celsius: 21.5, humidity: 0.4, sky: 'clear' });
    assert.equal((await client.callTool({ name: 'sign_in' })).isError, true);
    await client.close();
    if (isHttp) assert.ok(wire.requests.slice(1).every(({ revision }) => revision === '2025-06-18'));
  });

  await check('2025-03-26: a result for programs is text, and nobody is asked to fill in a form', async () => {
    const { client, wire } = await connect({ asking: '2025-03-26', capabilities, prepare });
    assert.equal(wire.revision, '2025-03-26');
    assert.deepEqual(Object.keys(wire.messages[0].result.serverInfo).sort(), ['name', 'version']);
    const { tools } = await client.listTools();
    const known = ['annotations', 'description', 'inputSchema', 'name'];
    for (const tool of tools) assert.deepEqual(Object.keys(tool).filter((key) => !known.includes(key)), [], tool.name);
    const weather = await client.callTool({ name: 'weather', arguments: { city: 'Paris' } });
    assert.equal('structuredContent' in weather, false);
    assert.equal(JSON.parse(text(weather)).sky, 'clear');
    assert.equal((await client.callTool({ name: 'test_input_required_result_elicitation' })).isError, true);
    const said = text(await client.callTool({ name: 'test_sampling', arguments: { prompt: 'Hello' } }));
    assert.equal(said, 'LLM response: You said: Hello');
    await client.close();
  });

  await check('a revision that is not spoken: the newest that opens with initialize is offered', async () => {
    for (const asking of ['2024-11-05', '2026-07-28', '1999-01-01']) {
      const { client, wire } = await connect({ asking });
      assert.equal(wire.revision, REVISION, asking);
      await client.ping();
      await client.close();
    }
  });
}
