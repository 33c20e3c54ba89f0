import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
export const quietSettings: Settings = {
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
};

/** Makes the folders of a profile; those that are given are used as they are. */
export function makeProfile(
  given: { readonly userData?: string | undefined; readonly extensions?: string | undefined } = {},
): Profile {
  const folder = mkdtempSync(join(tmpdir(), 'context-lifecycle-host-'));
  const userData = given.userData ?? join(folder, 'user-data');
  const extensions = given.extensions ?? join(folder, 'extensions');
  mkdirSync(join(userData, 'User'), { recursive: true });
  mkdirSync(extensions, { recursive: true });
  return { folder, userData, extensions };
}

/** Replaces the user settings; a running VS Code sees the change at once. */
export function writeSettings(profile: Profile, settings: Settings): void {
  const all = { ...quietSettings, ...settings };
  writeFileSync(join(profile.userData, 'User/settings.json'), JSON.stringify(all, undefined, 2));
}

export function removeProfile(profile: Profile): void {
  rmSync(profile.folder, { recursive: true, force: true, maxRetries: 5 });
}
