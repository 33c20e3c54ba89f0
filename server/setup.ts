import { decodeBytes } from './check/decodeBytes.ts';
import { PROJECT_FILE, parseProjectFile } from './check/projectFile.ts';
import { combineRules, DEFAULT_RULES, type Rules } from './check/rules.ts';
import type { FileSystem } from './fileSystem.ts';
import type { Folder } from './folders.ts';
import { localize } from './localize.ts';
import type { Log } from './log.ts';
import { DEFAULT_SETTINGS, type Settings } from './settings.ts';
import type { SettingsSource } from './settingsSource.ts';

/** What holds in one folder, or outside of all folders. */
export interface Setup {
  readonly settings: Settings;
  readonly rules: Rules;
  /** `rules` without the finding that needs every context source, for as long as not all are known. */
  readonly partialRules: Rules;
}

export const DEFAULT_SETUP: Setup = setupOf(DEFAULT_SETTINGS, DEFAULT_RULES);

/** Reads the settings and the folder's project file. Never rejects; what is refused in the file is logged. */
export async function loadSetup(
  folder: Folder | undefined,
  source: SettingsSource,
  files: FileSystem,
  log: Log,
): Promise<Setup> {
  const [settings, projectRules] = await Promise.all([
    source.settingsOf(folder?.uri),
    folder ? readProjectFile(folder, files, log) : {},
  ]);
  return setupOf(settings, combineRules(projectRules, settings.rules));
}

function setupOf(settings: Settings, rules: Rules): Setup {
  return { settings, rules, partialRules: { ...rules, severities: { ...rules.severities, 'unknown-block': 'off' } } };
}

async function readProjectFile(folder: Folder, files: FileSystem, log: Log): Promise<Partial<Rules>> {
  const read = await files.read(folder, PROJECT_FILE, bytes => parseProjectFile(decodeBytes(bytes).text));
  if (typeof read === 'string') {
    // Most folders have none.
    return {};
  }
  const { rules, problems } = read;
  for (const problem of problems) {
    log.warn(`${folder.name}/${PROJECT_FILE}: ${localize(problem)}`);
  }
  return rules;
}
