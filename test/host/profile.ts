import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './cleanUp.ts';

/** User settings by name, as in settings.json. */
export type Settings = Readonly<Record<string, unknown>>;

/** The folders of one VS Code: nothing of the user's own profile is read or written. */
export interface Profile {
  /** Holds the server's own files, and the other two unless they were given. */
  readonly folder: string;
  readonly userData: string;
  readonly extensions: string;
}

/** What VS Code would fetch from a network or show on its first start, off. */
const quietSettings: Settings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.enableExperiments': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'chat.disableAIFeatures': true,
  'chat.agentHost.enabled': false,
  // the web's default writes unsaved edits to disk; the desktop's is off
  'files.autoSave': 'off',
  'git.openRepositoryInParentFolders': 'never',
  'npm.fetchOnlinePackageInfo': false,
  'window.confirmBeforeClose': 'never',
  // a server's port is nothing that this window must show
  'remote.autoForwardPorts': false,
};

/** Makes a folder that is removed when this process ends. */
export function makeTemporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `context-lifecycle-${name}-`));
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Makes the folders of a profile; those that are given are used as they are. All others are removed when this process ends. */
export function makeProfile(
  given: { readonly userData?: string | undefined; readonly extensions?: string | undefined } = {},
): Profile {
  const folder = makeTemporaryFolder('host');
  const userData = given.userData ?? join(folder, 'user-data');
  const extensions = given.extensions ?? join(folder, 'extensions');
  mkdirSync(join(userData, 'User'), { recursive: true });
  mkdirSync(extensions, { recursive: true });
  return { folder, userData, extensions };
}

/** Replaces the user settings: ours, with `settings` over them. A running VS Code sees the change at once. */
export function writeSettings(profile: Profile, settings: Settings = {}): void {
  const file = join(profile.userData, 'User/settings.json');
  // by way of another file: VS Code does not notice every write into the file itself
  writeFileSync(`${file}.new`, JSON.stringify({ ...quietSettings, ...settings }, undefined, 2));
  renameSync(`${file}.new`, file);
}
