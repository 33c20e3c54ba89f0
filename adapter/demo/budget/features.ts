/** A field that to-dos get in the long session, with what the people of the project say about it. */
export interface Feature {
  readonly issue: number;
  readonly title: string;
  readonly field: string;
  readonly type: 'string' | 'number' | 'boolean' | 'string[]';
  /** A value as it stands in a request, and one that is refused. */
  readonly good: string;
  readonly bad: string;
  /** What is agreed on, in a sentence. */
  readonly rule: string;
  /** What two people add to the issue. */
  readonly comments: readonly [string, string];
  /** What the person asks to be kept from here on, to the character. */
  readonly constraint?: string;
}

export const FEATURES: readonly Feature[] = [
  {
    issue: 41,
    title: 'due dates',
    field: 'due',
    type: 'string',
    good: '"2026-12-24"',
    bad: '"soon"',
    rule: 'A due date is YYYY-MM-DD; one in the past is fine.',
    comments: ['Our calendar writes dates as YYYY-MM-DD.', 'A date in the past is fine: some of mine are late.'],
    constraint: 'You must always write the test before the code.',
  },
  {
    issue: 43,
    title: 'priorities',
    field: 'priority',
    type: 'number',
    good: '2',
    bad: '9',
    rule: 'A priority is a whole number from 1 to 5, and 3 where none is sent.',
    comments: ['Three levels were too few for us.', 'Please let 1 be the highest, as everywhere else.'],
  },
  {
    issue: 44,
    title: 'tags',
    field: 'tags',
    type: 'string[]',
    good: '["home", "garden"]',
    bad: '["a b"]',
    rule: 'A tag is one word of at most 20 characters; a to-do has at most ten.',
    comments: ['I would filter by them in the client.', 'Without blanks they can stand in an address.'],
    constraint: 'Never sort on the server: clients do that.',
  },
  {
    issue: 47,
    title: 'notes',
    field: 'note',
    type: 'string',
    good: '"Ask Ana first."',
    bad: '7',
    rule: 'A note is plain text of at most 2,000 characters, and is given back as it came.',
    comments: ['Half of my titles are notes in truth.', 'Keep line breaks, they are all the layout I need.'],
  },
  {
    issue: 52,
    title: 'people',
    field: 'assignee',
    type: 'string',
    good: '"ana"',
    bad: '""',
    rule: 'An assignee is a short name of a to z; the service knows no accounts.',
    comments: ['We are five people with one list.', 'Nobody needs rights for this, a name is enough.'],
    constraint: 'Do not write names of people into any log.',
  },
  {
    issue: 53,
    title: 'repeats',
    field: 'repeat',
    type: 'string',
    good: '"weekly"',
    bad: '"sometimes"',
    rule: 'Repeats are daily, weekly, monthly or yearly; a finished to-do comes back with its next date.',
    comments: ['The bins go out each week.', 'A finished one should come back by itself.'],
  },
  {
    issue: 58,
    title: 'reminders',
    field: 'remindAt',
    type: 'string',
    good: '"2026-12-23T08:00:00Z"',
    bad: '"2026-12-23 08:00"',
    rule: 'A reminder is a time with Z at its end; the service stores it and sends nothing.',
    comments: ['My phone does the ringing.', 'We live in two time zones.'],
    constraint: 'Times must always be in UTC, with a Z at the end.',
  },
  {
    issue: 59,
    title: 'parts',
    field: 'parent',
    type: 'number',
    good: '12',
    bad: '-1',
    rule: 'A part names the to-do that it belongs to; parts of parts are refused.',
    comments: ['Moving house is forty small things.', 'One level is enough for me.'],
  },
  {
    issue: 63,
    title: 'links',
    field: 'link',
    type: 'string',
    good: '"https://example.org/ticket/7"',
    bad: '"file:///etc/hosts"',
    rule: 'A link begins with https, and has at most 500 characters.',
    comments: ['Most of mine come from a ticket.', 'A preview would be nice, but is not needed.'],
    constraint: 'Never fetch an address that a client sends.',
  },
  {
    issue: 66,
    title: 'estimates',
    field: 'minutes',
    type: 'number',
    good: '45',
    bad: '0',
    rule: 'An estimate is in whole minutes, from 5 to 960.',
    comments: ['I plan my day with them.', 'Hours with commas lead to mistakes.'],
  },
  {
    issue: 70,
    title: 'colours',
    field: 'colour',
    type: 'string',
    good: '"green"',
    bad: '"#00ff00"',
    rule: 'A colour is one of eight names, so that each client can choose its own shade.',
    comments: ['Red means do not forget.', 'Some of us cannot tell red from green: names help.'],
    constraint: 'Only the eight names in docs/colours.md are colours.',
  },
  {
    issue: 71,
    title: 'an archive',
    field: 'archived',
    type: 'boolean',
    good: 'true',
    bad: '"yes"',
    rule: 'GET /todos leaves archived to-dos out, unless it has ?archived=true.',
    comments: ['Deleting feels wrong for what I have done.', 'They should not be in the list by default.'],
  },
  {
    issue: 75,
    title: 'pins',
    field: 'pinned',
    type: 'boolean',
    good: 'true',
    bad: '1',
    rule: 'At most three to-dos are pinned; a fourth is refused with 409.',
    comments: ['Three things a day is my rule.', 'Say which ones are pinned in the error.'],
  },
];
