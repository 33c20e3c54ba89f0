import { existsSync } from 'node:fs';
import type { ReadConfig } from '../../local/userConfig.ts';
import { amount, listed } from '../words.ts';
import { ok, problem, type Section } from './finding.ts';

/** What a person has set, and what is wrong there. */
export function configSection(path: string, { config, problems }: ReadConfig): Section {
  const { content, announce, countTokens, crossCheck, retentionDays, policy, sources } = config;
  const said = [
    content === 'hashes' ? 'logs hold hashes in place of content' : 'logs hold content',
    announce ? 'sessions can be watched' : 'sessions are not announced',
    ...(countTokens ? [] : ['tokens are not counted']),
    ...(crossCheck ? ['each request is rebuilt and compared'] : []),
    retentionDays === Number.MAX_SAFE_INTEGER ? 'logs are kept' : `logs are kept for ${amount(retentionDays, 'day')}`,
    policy ? `your own policy of ${amount(policy.rules.length, 'rule')} holds` : 'the default policy holds',
    ...(sources.length > 0
      ? [`${amount(sources.length, 'context file')} of yours ${sources.length === 1 ? 'loads' : 'load'} first`]
      : []),
  ];
  const where = existsSync(path) ? path : `${path} is not there`;
  return { title: 'Settings', findings: [ok(`${where}: ${listed(said)}`), ...problems.map(problem)] };
}
