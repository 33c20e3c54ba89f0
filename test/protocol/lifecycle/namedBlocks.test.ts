import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MissingBlockTextError } from '../../../protocol/lifecycle/blockTexts.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { assistant, definition, discardLine, policyOf, Run, sha256, user } from './lifecycleKit.ts';

test('seed 1: a valid definition, loaded from an explicitly trusted source, becomes active immediately', () => {
  const run = new Run();
  assert.deepEqual(run.load('AGENTS.md', `intro\n${definition('rules')}outro\n`), ['activated']);
  assert.equal(run.request(user('hi')).blocks, definition('rules'));
});

test('seed 1: a definition that is loaded between two requests is in the next one', () => {
  const run = new Run();
  assert.equal(run.request(user('hi')).blocks, undefined);
  run.load('SKILL.md', definition('skill'));
  assert.equal(run.request(user('hi'), assistant('yes')).blocks, definition('skill'));
});

test('seed 1: an active block takes part in every model request; conversation turns do not expire it', () => {
  const run = new Run();
  run.load('AGENTS.md', definition('rules'));
  const history = [user('0')];
  for (let turn = 1; turn <= 50; turn++) {
    assert.equal(run.request(...history).blocks, definition('rules'));
    run.ended('completed');
    history.push(assistant(`answer ${turn}`), user(`${turn}`));
  }
});

test('seed 1: an active block takes part in every request after a resume, loaded again or not', () => {
  const run = new Run();
  run.load('AGENTS.md', definition('rules'));
  const resumed = run.resumed();
  assert.equal(resumed.request(user('hi')).blocks, definition('rules'));
  assert.deepEqual(resumed.load('AGENTS.md', definition('rules')), []);
  assert.equal(resumed.request(user('hi')).blocks, definition('rules'));
});

test('seed 1: definition order is kept', () => {
  const run = new Run();
  run.load('one.md', `${definition('z')}${definition('a')}`);
  run.load('two.md', definition('m'));
  const order = [definition('z'), definition('a'), definition('m')];
  assert.equal(run.session.blocksText(), order.join(''));
  run.control(discardLine('a'));
  assert.equal(run.session.blocksText(), definition('z') + definition('m'));
  assert.deepEqual([...run.state.blocks.keys()], ['z', 'a', 'm']);
});

test('seed 1: an invalid block definition is ordinary Markdown and activates nothing', () => {
  const run = new Run();
  assert.deepEqual(
    run.load('AGENTS.md', `${definition('twice')}${definition('twice')}<!--BLOCK_ID:open-->\nnever closed\n`),
    [],
  );
  assert.equal(run.session.blocksText(), undefined);
  assert.deepEqual(
    run.audits('source/loaded').map(({ blocks, problems }) => ({ blocks, problems })),
    [
      {
        blocks: [],
        problems: [
          { code: 'duplicate-block-id', line: 4, blockId: 'twice' },
          { code: 'unclosed-block', line: 7, blockId: 'open' },
        ],
      },
    ],
  );
});

test('seed 1: where separately loaded sources collide on an ID, the first definition stays authoritative', () => {
  const run = new Run();
  run.load('user.md', definition('rules', 'the first'));
  assert.deepEqual(run.load('repository.md', `# x\n${definition('rules', 'the second')}`), ['conflict']);
  assert.equal(run.request(user('hi')).blocks, definition('rules', 'the first'));
});

test('seed 1: a collision is reported instead of silently replaced', () => {
  const run = new Run();
  run.load('user.md', definition('rules'));
  run.load('repository.md', `# x\n${definition('rules', 'the second')}`);
  const [audit, ...more] = run.audits('block/conflict');
  assert.equal(more.length, 0);
  const { blockId, source, line, winner, trigger, class: sourceClass }: JsonObject = audit ?? {};
  assert.deepEqual(
    { blockId, source, line, winner, trigger, sourceClass },
    {
      blockId: 'rules',
      source: 'repository.md',
      line: 2,
      winner: { source: 'user.md', line: 1 },
      trigger: 'load',
      sourceClass: 'context-file',
    },
  );
  assert.equal(run.state.blocks.get('rules')?.conflicts.length, 1);
  assert.deepEqual(run.resumed().load('repository.md', `# x\n${definition('rules', 'the second')}`), []);
});

test('a source that lost a conflict and drifts has not lost another one', () => {
  const run = new Run();
  run.load('user.md', definition('rules'));
  assert.deepEqual(run.load('repository.md', definition('rules', 'the second')), ['conflict']);
  assert.deepEqual(run.load('repository.md', definition('rules', 'the third')), []);
  assert.equal(run.audits('block/conflict').length, 1);
});

test('a source whose definitions were denied is silent when it has its first text again', () => {
  const run = new Run();
  assert.deepEqual(run.load('page', definition('a'), 'web'), ['denied']);
  assert.deepEqual(run.load('page', 'nothing', 'web'), []);
  assert.deepEqual(run.load('page', definition('a'), 'web'), []);
});

test('seed 1: every activation records block ID, source, trigger, request sequence and timestamp', () => {
  const run = new Run();
  run.request(user('hi'));
  run.load('AGENTS.md', `# x\n${definition('rules')}`);
  const text = definition('rules');
  assert.deepEqual(run.audits('block/activated'), [
    {
      blockId: 'rules',
      source: 'AGENTS.md',
      line: 2,
      trigger: 'load',
      class: 'context-file',
      rule: 'rule 1: context-file "*" may define',
      requestSequence: 2,
      endLine: 4,
      bytes: text.length,
      sha256: sha256(text),
      text,
      time: 1000 + run.events.length - 1,
    },
  ]);
});

test('DESIGN flow 2: a block’s text goes from the opening line to the closing line, and gets the line end that it lacks', () => {
  const run = new Run();
  const windows = '<!--BLOCK_ID:a-->\r\nbody\r\n<!--/BLOCK_ID:a-->\r\n';
  const open = '<!--BLOCK_ID:b-->\nbody\n<!--/BLOCK_ID:b-->';
  run.load('a.md', `before\r\n${windows}after`);
  run.load('b.md', open);
  run.load('c.md', definition('c'));
  assert.equal(run.session.blocksText(), `${windows}${open}\n${definition('c')}`);
});

test('DESIGN flow 2: with no active block there is no blocks’ message', () => {
  const run = new Run();
  run.load('AGENTS.md', definition('rules'));
  run.control(discardLine('rules'));
  assert.equal(run.request(user('hi')).blocks, undefined);
});

test('issue 3: the same source loaded again unchanged is silent', () => {
  const run = new Run();
  const text = `${definition('rules')}${discardLine('rules')}\n`;
  run.load('AGENTS.md', text);
  const before = run.events.length;
  assert.deepEqual(run.load('AGENTS.md', text), []);
  assert.equal(run.events.length, before);
});

test('a log that was cut anywhere while a source was loaded: loading it again does what is missing, and nothing twice', () => {
  const policy = policyOf({ class: 'context-file', pattern: 'AGENTS.md', may: ['define', 'discard'] });
  const text = `${definition('a')}${definition('b')}${discardLine('a')}\n`;
  const whole = new Run({ policy });
  whole.load('AGENTS.md', text);
  const factsOf = (run: Run) =>
    run.events
      .filter(({ type }) => type !== 'session/opened')
      .map(({ type, data }) => [type, (data as JsonObject)['blockId']]);
  const facts = factsOf(whole);
  assert.equal(facts.length, 4);
  for (let cut = 1; cut <= whole.events.length; cut++) {
    const resumed = new Run({ policy }, whole.events.slice(0, cut));
    resumed.load('AGENTS.md', text);
    resumed.load('AGENTS.md', text);
    assert.deepEqual(factsOf(resumed), facts, `cut at ${cut}`);
    assert.equal(resumed.request(user('hi')).blocks, definition('b'));
  }
});

test('a definition that an earlier policy denied becomes active where the policy of a resumed session allows it', () => {
  const run = new Run({ policy: policyOf() });
  assert.deepEqual(run.load('AGENTS.md', definition('a')), ['denied']);
  const resumed = run.resumed({});
  assert.deepEqual(resumed.load('AGENTS.md', definition('a')), ['activated']);
  assert.deepEqual(resumed.load('AGENTS.md', definition('a')), []);
});

test('issue 3: a source that changed on disk leaves the active content and says that it has drifted', () => {
  const run = new Run();
  run.load('AGENTS.md', definition('rules', 'first'));
  assert.deepEqual(run.load('AGENTS.md', definition('rules', 'changed')), []);
  assert.equal(run.session.blocksText(), definition('rules', 'first'));
  const drifted = definition('rules', 'changed');
  assert.deepEqual(
    run.audits('source/drifted').map(audit => ({ ...audit, time: 0 })),
    [
      {
        time: 0,
        source: 'AGENTS.md',
        class: 'context-file',
        sha256: sha256(drifted),
        bytes: drifted.length,
        drifted: true,
      },
    ],
  );
  const before = run.events.length;
  run.load('AGENTS.md', drifted);
  assert.equal(run.events.length, before, 'said once');
  run.load('AGENTS.md', definition('rules', 'first'));
  assert.equal(run.audits('source/drifted').at(-1)?.['drifted'], false);
  assert.equal([...run.state.sources.values()][0]?.drifted, undefined);
});

test('issue 3: a new ID in a source that drifted becomes active, at the end of the order', () => {
  const run = new Run();
  run.load('AGENTS.md', definition('rules'));
  assert.deepEqual(run.load('AGENTS.md', `${definition('new')}${definition('rules')}`), ['activated']);
  assert.equal(run.session.blocksText(), definition('rules') + definition('new'));
});

test('DESIGN, Trust: a discarded ID stays taken: a later definition of it is a conflict', () => {
  const run = new Run();
  run.load('AGENTS.md', definition('rules'));
  run.control(discardLine('rules'));
  assert.deepEqual(run.load('other.md', definition('rules', 'again')), ['conflict']);
  assert.equal(run.request(user('hi')).blocks, undefined);
  assert.deepEqual(run.resumed().load('third.md', definition('rules', 'again')), ['conflict']);
});

test('issue 3: block definitions come out of the copy that the host’s own prompt shows', () => {
  const run = new Run();
  const source = `# Rules\n${definition('a')}between\n${definition('b')}after\n`;
  run.load('AGENTS.md', source);
  const prompt = `You are an agent.\n<file>\n${source}</file>\n`;
  const without = 'You are an agent.\n<file>\n# Rules\nbetween\nafter\n</file>\n';
  assert.equal(run.session.withoutDefinitions(prompt), without);
  run.control(discardLine('a'));
  assert.equal(run.session.withoutDefinitions(prompt), without, 'a discarded block shows up nowhere');
  const resumed = run.resumed();
  assert.equal(resumed.session.withoutDefinitions(prompt), without, 'nor after a resume');
});

test('issue 3: definitions come out of a host’s copy in which line ends were changed or the last one dropped', () => {
  const run = new Run();
  run.load('AGENTS.md', definition('a').replaceAll('\n', '\r\n'));
  assert.equal(run.session.withoutDefinitions(`x\n${definition('a').trimEnd()}`), 'x\n');
});

test('issue 3: only the definitions that are loaded and allowed come out of a host’s copy', () => {
  const run = new Run();
  run.load('AGENTS.md', definition('a'));
  run.load('web', definition('w'), 'web');
  const prompt = `${definition('a', 'another text')}${definition('w')}${discardLine('a')}\n`;
  assert.equal(run.session.withoutDefinitions(prompt), prompt);
  run.load('other.md', definition('a', 'another text'));
  assert.equal(
    run.session.withoutDefinitions(prompt),
    `${definition('w')}${discardLine('a')}\n`,
    'one that lost a conflict is a definition all the same',
  );
});

const withoutTexts = (events: readonly LogEvent[]): readonly LogEvent[] =>
  events.map(event => ({ ...event, data: { ...(event.data as object), text: undefined } }) as unknown as LogEvent);

test('a log without content takes the texts of its blocks from the sources that are loaded again', () => {
  const run = new Run();
  run.load('AGENTS.md', definition('rules'));
  const resumed = new Run({}, JSON.parse(JSON.stringify(withoutTexts(run.events))) as LogEvent[]);
  resumed.load('AGENTS.md', definition('rules'));
  assert.equal(resumed.session.blocksText(), definition('rules'));
});

test('an active block whose text nobody has any more stops the request by name, until it is discarded', () => {
  const run = new Run();
  run.load('AGENTS.md', definition('rules'));
  const resumed = new Run({}, JSON.parse(JSON.stringify(withoutTexts(run.events))) as LogEvent[]);
  resumed.load('AGENTS.md', definition('rules', 'changed'));
  assert.throws(
    () => resumed.session.blocksText(),
    (error: unknown) => error instanceof MissingBlockTextError && /block 'rules' .* AGENTS\.md/.test(error.message),
  );
  resumed.control(discardLine('rules'));
  assert.equal(resumed.session.blocksText(), undefined);
});

test('the state of a log holds no text of a block', () => {
  const run = new Run();
  run.load('AGENTS.md', definition('rules', 'the secret rules'));
  assert.doesNotMatch(JSON.stringify([...run.state.blocks.values()]), /secret/);
});

test('a hostile source with 20,000 blocks is loaded in linear work', () => {
  const run = new Run({ policy: policyOf({ class: 'context-file', pattern: '*', may: ['define'] }) });
  const text = Array.from({ length: 20_000 }, (_, index) => definition(`b${index}`, 'x')).join('');
  run.load('AGENTS.md', text);
  assert.equal(run.session.blocksText(), text);
});
