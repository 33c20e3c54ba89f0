import { readdirSync, readFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';
import { noticesTitle } from './entries.ts';
import { inRepository } from './paths.ts';

const modulesFolder = 'node_modules/';
const licenceFile = /^(licen[cs]e|copying|notice|third-?party-?notices?)([.-].*)?$/i;

/** Packages of npm that lack their licence text, and a package of the same author under the same licence that has it. */
const licenceLentBy: Readonly<Record<string, string>> = { '@vscode/l10n': 'vscode-languageserver' };

const ruler = '-'.repeat(80);

/**
 * The licence texts of all packages of which at least one byte is in a bundle.
 * Throws when a package comes without a licence file: then somebody must look at it.
 */
export function noticesOf(metafiles: readonly Metafile[]): string {
  const sections = [...foldersIn(metafiles)].sort().map(sectionOf);
  return [noticesTitle, ...sections].join(`\n\n${ruler}\n\n`);
}

function foldersIn(metafiles: readonly Metafile[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const metafile of metafiles) {
    for (const output of Object.values(metafile.outputs)) {
      for (const [path, input] of Object.entries(output.inputs)) {
        const folder = packageFolder(path);
        if (folder !== undefined && input.bytesInOutput > 0) folders.add(folder);
      }
    }
  }
  return folders;
}

/** `node_modules/@scope/name` of a path such as `node_modules/@scope/name/lib/main.js`; absent for our own files. */
function packageFolder(path: string): string | undefined {
  const start = path.lastIndexOf(modulesFolder);
  if (start < 0) return undefined;
  const names = path.slice(start + modulesFolder.length).split('/');
  const depth = names[0]?.startsWith('@') === true ? 2 : 1;
  return path.slice(0, start) + modulesFolder + names.slice(0, depth).join('/');
}

function sectionOf(folder: string): string {
  const manifest = JSON.parse(readFileSync(inRepository(folder, 'package.json'), 'utf8')) as PackageIdentity;
  const lender = licenceLentBy[manifest.name];
  const texts = licenceTexts(lender === undefined ? folder : modulesFolder + lender);
  if (texts.length === 0) throw new Error(`${folder} has no licence file; look at it before it is shipped.`);
  return [`${manifest.name} ${manifest.version} (${manifest.license ?? 'see below'})`, ...texts].join('\n\n');
}

function licenceTexts(folder: string): readonly string[] {
  return readdirSync(inRepository(folder))
    .filter(name => licenceFile.test(name))
    .sort()
    .map(name => readFileSync(inRepository(folder, name), 'utf8').replace(/\r\n?/g, '\n').trim());
}

interface PackageIdentity {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}
