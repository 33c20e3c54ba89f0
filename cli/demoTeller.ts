import { dirname, sep } from 'node:path';
import type { DemoProject } from '../adapter/demo/demoProject.ts';
import type { DemoTeller } from '../adapter/demo/demoTeller.ts';
import { countText } from '../protocol/log/countText.ts';
import type { EventData } from '../protocol/log/sessionEvents.ts';
import { isJsonObject } from '../protocol/request/json.ts';
import type { LogEvent } from '../protocol/request/logEvent.ts';
import { printable } from './printable.ts';
import { type KnownFolders, sentenceOf, withoutFolder } from './session/eventLine.ts';
import type { Style } from './style.ts';
import { amount, byteSize, wrapped } from './words.ts';

type Colour = Parameters<Style>[0];

const WHO = { you: 'cyan', model: 'magenta', tool: 'dim' } as const satisfies Record<string, Colour>;
/** Of what the adapter did; other events are in the log. */
const TOLD: Readonly<Record<string, Colour>> = {
  'block/activated': 'green',
  'block/conflict': 'yellow',
  'block/discarded': 'green',
  'discard/denied': 'yellow',
  'ephemeral/admitted': 'green',
  'ephemeral/consumed': 'green',
  'session/problem': 'red',
  'budget/tier1-set': 'green',
  'budget/tier1-updated': 'green',
  'budget/pass': 'yellow',
  'budget/checked': 'green',
  'budget/contradiction': 'yellow',
  'budget/reset-requested': 'red',
};
const LABEL_WIDTH = 9;
const MARGIN = ' '.repeat(LABEL_WIDTH);

/** Prints the demo as it goes. */
export class PrintedDemo implements DemoTeller {
  readonly #style: Style;
  readonly #width: number;
  readonly #print: (text: string) => void;
  /** Folders whose names say nothing. */
  #folders: KnownFolders = [];

  /** `width` is how many characters a line may have. */
  constructor(style: Style, width: number, print: (text: string) => void) {
    this.#style = style;
    this.#width = width;
    this.#print = print;
  }

  begin({ folder, userFile }: DemoProject): void {
    this.#folders = [folder, dirname(dirname(userFile))].map(path => path + sep);
    this.#print(
      `${this.#style('bold', 'Context Lifecycle demo')}\nAn agent works on ${printable(folder)}.\nIts model and its tools are scripted. Blocks, requests and log are real.\n`,
    );
  }

  chapter(title: string, sentence: string): void {
    this.#print(`\n${this.#style('bold', `── ${title} ──`)}\n${this.#style('dim', sentence)}\n\n`);
  }

  say(who: keyof typeof WHO, text: string): void {
    this.#line(who, WHO[who], printable(text));
  }

  file(action: 'loads' | 'runs', path: string): void {
    this.#line('agent', 'dim', `${action} ${printable(withoutFolder(path, this.#folders))}`);
  }

  event(event: LogEvent): void {
    if (event.type === 'request/sealed') {
      this.#request(event.data as unknown as EventData<'request/sealed'>);
    }
    const colour = isAppended(event) ? 'green' : TOLD[event.type];
    if (colour && !isSaidAlready(event)) {
      const lines = wrapped(sentenceOf(event, this.#folders), this.#width - LABEL_WIDTH - 2);
      const shown = lines.map((line, index) => this.#style(colour, `${index === 0 ? '• ' : '  '}${line}`));
      this.#print(shown.map(line => `${MARGIN}${line}\n`).join(''));
    }
  }

  #request({ requestSequence, messages, bytes, hash, sizes }: EventData<'request/sealed'>): void {
    const tokens = sizes ? `, ${countText(sizes.total)} tokens` : '';
    const text = `${requestSequence}: ${amount(messages, 'message')}, ${byteSize(bytes)}${tokens}, sha256 ${hash.slice(0, 12)}…`;
    this.#line('request', 'bold', text);
  }

  #line(label: string, colour: Colour, text: string): void {
    const [first = '', ...rest] = wrapped(text, this.#width - LABEL_WIDTH);
    const lines = [this.#style(colour, label.padEnd(LABEL_WIDTH)) + first, ...rest.map(line => MARGIN + line)];
    this.#print(lines.map(line => `${line}\n`).join(''));
  }
}

/** The budget layer tells the model something; its other edits are those of a pass. */
function isAppended({ type, data }: LogEvent): boolean {
  return type === 'budget/edit' && isJsonObject(data) && data['kind'] === 'append';
}

/** A problem of a source stands beside the event that it is about. */
function isSaidAlready({ type, data }: LogEvent): boolean {
  return type === 'session/problem' && isJsonObject(data) && data['source'] !== undefined;
}
