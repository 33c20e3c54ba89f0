import { Uri, workspace } from 'vscode';
import { SECTION } from './names.ts';
import { SERVER_SETTINGS } from './serverSettings.ts';

/**
 * What the user or the workspace has set, as the server reads the section; defaults are left out, because a project
 * file must win over them. `scope` is a folder or a file; absent for a window without folders.
 */
export function explicitSettings(scope: string | undefined): Readonly<Record<string, unknown>> {
  const configuration = workspace.getConfiguration(SECTION, scope === undefined ? null : Uri.parse(scope));
  const section: Record<string, unknown> = {};
  for (const name of SERVER_SETTINGS) {
    const levels = configuration.inspect(name);
    const set = [levels?.globalValue, levels?.workspaceValue, levels?.workspaceFolderValue];
    if (set.some(value => value !== undefined)) {
      // A copy, for the editor's own objects cannot be sent to a worker.
      place(section, name.split('.'), JSON.parse(JSON.stringify(configuration.get(name) ?? null)));
    }
  }
  return section;
}

function place(section: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [head = '', ...rest] = path;
  if (rest.length === 0) {
    section[head] = value;
    return;
  }
  const inner = (section[head] ?? {}) as Record<string, unknown>;
  section[head] = inner;
  place(inner, rest, value);
}
