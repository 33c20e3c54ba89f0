import type { LogEvent } from '../../protocol/request/logEvent.ts';
import type { DemoProject } from './demoProject.ts';

/** Who shows a person what the demo does. Texts are not escaped. */
export interface DemoTeller {
  begin(project: DemoProject): void;
  /** A new part of the session, with a sentence on what to look at. */
  chapter(title: string, sentence: string): void;
  say(who: 'you' | 'model' | 'tool', text: string): void;
  /** What the agent does with a file, given by its path. */
  file(action: 'loads' | 'runs', path: string): void;
  /** Called for each event of the session's log after it is on disk. */
  event(event: LogEvent): void;
}
