import type { ScriptLine } from '../scriptedModel.ts';
import { FEATURES, type Feature } from './features.ts';
import {
  allTests,
  commitCommand,
  commitOf,
  diffCommand,
  failingTests,
  newSource,
  newTest,
  sourcePath,
  testPath,
} from './featureTools.ts';

/** What a person says, and what the model answers until it calls no tool. */
export interface StoryTurn {
  readonly say: string;
  readonly lines: readonly ScriptLine[];
}

/** One feature, from its issue to its commit. */
export interface StoryPart {
  readonly feature: Feature;
  readonly turns: readonly StoryTurn[];
}

/** Before this feature the plan for all is agreed, and one constraint changes. */
export const MIDWAY = 6;

/** What always holds, as the person sets it before the first request. */
export const TASK = 'Give the to-do service the thirteen fields that the issues of milestone 2.0 ask for.';
export const BRANCH = { id: 'branch', text: 'Commit to the branch next, and do not touch main.' } as const;
export const DEPENDENCIES = {
  id: 'dependencies',
  text: 'Use the standard library of Node only: no dependencies.',
} as const;
/** What `BRANCH` becomes midway. */
export const NEW_BRANCH = 'Commit to the branch release-2, and do not touch main.';

export const STORY: readonly StoryPart[] = FEATURES.map((feature, index) => ({
  feature,
  turns: [planned(feature), written(feature, index), committed(feature)],
}));

export const LAST_TURN: StoryTurn = {
  say: 'Is anything left to do?',
  lines: [{ text: `All ${FEATURES.length} fields are in, each with its tests, and committed. Nothing is left to do.` }],
};

function planned(feature: Feature): StoryTurn {
  const { issue, title, field, good, bad, rule, constraint } = feature;
  const also = constraint === undefined ? '' : ` ${constraint}`;
  return {
    say: `Next is issue ${issue}: ${title}. Read it and plan.${also}`,
    lines: [
      {
        text: 'First the issue, and the module that it touches.',
        calls: [
          ['read_issue', { number: issue }],
          ['read_file', { path: sourcePath(feature) }],
        ],
      },
      { text: 'Now the tests that are there.', calls: [['read_file', { path: testPath(feature) }]] },
      {
        text: `Plan: POST /todos and PATCH /todos/:id take an optional "${field}". ${rule} A value like ${good} is stored and given back; one like ${bad} is refused with 400. Old clients send none and notice nothing.`,
      },
    ],
  };
}

function written(feature: Feature, index: number): StoryTurn {
  const { title, field } = feature;
  const tests = 2 * (index + 1);
  return {
    say: 'Good. Go on.',
    lines: [
      {
        text: 'The test comes first.',
        calls: [['write_file', { path: testPath(feature), content: newTest(feature) }]],
      },
      { text: 'It must fail now.', calls: [['run_command', { command: failingTests(feature) }]] },
      // One answer of the long session fails: it is no interaction, and consumes nothing.
      ...(index === 2 ? [{ error: 'overloaded, try again' }] : []),
      {
        text: 'Two tests fail, as they should. Now the code.',
        calls: [['write_file', { path: sourcePath(feature), content: newSource(feature) }]],
      },
      { text: 'All tests.', calls: [['run_command', { command: allTests(feature) }]] },
      { text: `All ${tests} tests pass. To-dos have ${title} now, in the field ${field}.` },
    ],
  };
}

function committed(feature: Feature): StoryTurn {
  const { title, issue } = feature;
  return {
    say: 'Commit it.',
    lines: [
      {
        text: 'A look at what changed, then the commit.',
        calls: [
          ['run_command', { command: diffCommand(feature) }],
          ['run_command', { command: commitCommand(feature) }],
        ],
      },
      { text: `Committed as ${commitOf(feature)}: ${title}, issue ${issue}.` },
    ],
  };
}
