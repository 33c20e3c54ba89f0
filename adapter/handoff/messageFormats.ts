import type { MessageFormat } from '../../protocol/lifecycle/messageFormat.ts';
import { seedTwoFormat } from '../../protocol/lifecycle/seedTwoFormat.ts';
import { aiSdkFormat } from '../agents/aiSdk/aiSdkFormat.ts';
import { opencodeFormat } from '../agents/opencode/opencodeFormat.ts';
import { piFormat } from '../agents/pi/piFormat.ts';
import { anthropicFormat } from '../gateway/apis/anthropicFormat.ts';
import { chatFormat } from '../gateway/apis/chatFormat.ts';
import { geminiFormat } from '../gateway/apis/geminiFormat.ts';
import { responsesFormat } from '../gateway/apis/responsesFormat.ts';

const FORMATS: readonly MessageFormat[] = [
  seedTwoFormat,
  piFormat,
  opencodeFormat,
  aiSdkFormat,
  anthropicFormat,
  responsesFormat,
  chatFormat,
  geminiFormat,
];

/** The format that a log names (`session/opened`); absent where it is that of a program of somebody else. */
export function messageFormat(name: string): MessageFormat | undefined {
  return FORMATS.find(format => format.name === name);
}
