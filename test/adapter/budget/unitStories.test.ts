import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnitStories } from '../../../adapter/budget/unitStories.ts';
import { definition, discardLine, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { budgetSession, CONFIG } from './budgetLayerKit.ts';

test('a unit belongs to the phase whose block was active when it came, and was discarded later', async t => {
  const checked = await budgetSession(t);
  const { session } = checked;
  const workflow = { source: 'workflow', class: 'host-workflow' } as const;
  await checked.turn([user('before')], { config: CONFIG });
  session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') + definition('rules') });
  await checked.turn([user('before'), user('during')], { config: CONFIG });
  session.control({ ...workflow, text: discardLine('plan') });
  await checked.turn([user('before'), user('during'), user('after')], { config: CONFIG });
  const stories = new UnitStories();
  const { events } = await checked.file();
  events.forEach(event => stories.remember(event));
  const units = (await checked.logged('host/message')).flatMap(data => data.units);
  assert.deepEqual(
    units.map(unit => stories.topicOf(unit, session.state.lifecycle)),
    [undefined, 'plan', undefined],
  );
  await checked.close();
});
