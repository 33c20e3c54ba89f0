import { isAbsolute, relative } from 'node:path';
import type { Source } from '../../sessionTypes.ts';
import { sourceText } from '../../sourceText.ts';
import type { BeforeAgentStart } from './piApi.ts';

export interface LoadedSources {
  /** In load order: what the person wrote for all projects before what a project brings along. */
  readonly sources: readonly Source[];
  /** Sentences about files that could not be read. */
  readonly problems: readonly string[];
}

/**
 * The files that pi itself loads as instructions. Their class follows from that, not from what they say. pi gives the text of
 * context files and only the path of skills, which are read here.
 */
export function piSources(options: BeforeAgentStart['systemPromptOptions'], agentFolder: string): LoadedSources {
  const problems: string[] = [];
  const files = (options.contextFiles ?? []).map(({ path, content }) => ({
    ofUser: isWithin(agentFolder, path),
    source: contextFile(path, withoutMark(content)),
  }));
  const skills = (options.skills ?? []).flatMap(({ name, filePath, sourceInfo }) => {
    try {
      const ofUser = sourceInfo?.scope ? sourceInfo.scope === 'user' : isWithin(agentFolder, filePath);
      return [{ ofUser, source: contextFile(filePath, sourceText(filePath)) }];
    } catch (error) {
      problems.push(`The skill ${name} could not be read, so none of its blocks is known: ${String(error)}`);
      return [];
    }
  });
  const all = [...files, ...skills];
  const ordered = [...all.filter(({ ofUser }) => ofUser), ...all.filter(({ ofUser }) => !ofUser)];
  return { sources: ordered.map(({ source }) => source), problems };
}

function contextFile(source: string, text: string): Source {
  return { source, class: 'context-file', text };
}

/** DESIGN, flow 1: a reader of files takes one leading mark; pi leaves it in. */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}
