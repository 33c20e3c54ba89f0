import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startGateway } from '../../../adapter/gateway/startGateway.ts';

test('an upstream that cannot be one is refused in a sentence that names its API', async () => {
  for (const address of [
    'nonsense',
    '',
    'ftp://models.example',
    'http://models.example',
    'https://a:b@models.example',
  ]) {
    await assert.rejects(
      startGateway({ port: 0, upstreams: { openai: address }, folder: '/nonexistent' }),
      /^Error: The upstream address for openai must /,
    );
  }
});
