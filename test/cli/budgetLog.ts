import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyEdits } from '../../protocol/budget/applyEdits.ts';
import type { BudgetEvent } from '../../protocol/budget/budgetEvents.ts';
import type { BudgetView } from '../../protocol/budget/budgetView.ts';
import type { NewEvent } from '../../protocol/log/sessionEvents.ts';
import type { JsonObject } from '../../protocol/request/json.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { RequestHistory } from '../../protocol/request/requestHistory.ts';
import { surfaceEdits } from '../../protocol/request/surfaceEdits.ts';
import { BudgetRun } from '../protocol/budget/budgetKit.ts';
import { opened } from '../protocol/log/sessions.ts';

/** A session with the layer on whose log holds its messages too, as an adapter writes it. */
export class LoggedRun extends BudgetRun {
  readonly #history = new RequestHistory();
  #view: BudgetView | undefined;
  #stepStart = 0;

  override viewOf(messages: readonly JsonObject[]): BudgetView {
    this.#view = super.viewOf(messages);
    return this.#view;
  }

  override append(event: NewEvent | BudgetEvent): void {
    if (event.type === 'step/start') {
      const { entries = [], order } = this.#view ?? {};
      this.#catchUp();
      surfaceEdits(this.#history.surface, applyEdits(entries, this.edits, order)).forEach(edit => super.append(edit));
      this.#stepStart = this.events.length;
    }
    super.append(
      event.type === 'request/sealed' ? { ...event, data: { ...event.data, stepStart: this.#stepStart } } : event,
    );
  }

  #catchUp(): void {
    this.events.slice(this.#taken).forEach(event => this.#history.append(event));
    this.#taken = this.events.length;
  }

  #taken = 0;
}

/** Events as the log of a past session, in a home of `homeOf`; gives its path. */
export function writeLog(
  home: string,
  id: string,
  events: readonly LogEvent[],
  { agent = 'test', cwd = '/w' }: { readonly agent?: string; readonly cwd?: string } = {},
): string {
  const folder = join(home, 'sessions');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${Buffer.from(id).toString('hex').slice(0, 32)}.jsonl`);
  const header = { version: 1, id, agent, cwd, created: 1 };
  writeFileSync(path, [header, ...events].map(line => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
  return path;
}

/** The layer is on for everything that is done in this home. */
export function turnOn(home: string, budget: JsonObject = {}, others: JsonObject = {}): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const config = JSON.stringify({ ...others, budget: { enabled: true, ...budget } });
  writeFileSync(join(home, 'config.json'), config, { mode: 0o600 });
}

/** The only event of a log whose messages have this form and content. */
export function openedWith(facts: { readonly format?: string; readonly content?: 'hashes' }): LogEvent {
  return { type: 'session/opened', seq: 0, time: 1, data: { ...opened.data, ...facts } };
}
