import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { inRepository } from '../../scripts/build/paths.ts';
import { runNode } from '../../scripts/build/tools.ts';

interface Finding {
  readonly code: string;
  readonly filename: string;
}

interface Planted {
  readonly file: string;
  readonly code: string;
  /** The rule that must speak; absent for code that is allowed. */
  readonly rule?: string;
}

const imports = 'eslint(no-restricted-imports)';
const globals = 'eslint(no-restricted-globals)';

function importing(room: string, specifier: string, allowed = false): Planted {
  const file = `${room}/plant${plants++}.ts`;
  return {
    file,
    code: `import { x } from '${specifier}';\nexport const y = x;\n`,
    ...(allowed ? {} : { rule: imports }),
  };
}
let plants = 0;

function holding(room: string, rule: string, code: string): Planted {
  return { file: `${room}/plant${plants++}.ts`, code, rule };
}

const planted: readonly Planted[] = [
  importing('protocol', 'node:fs'),
  importing('protocol', 'fs'),
  importing('protocol', 'vscode-uri'),
  importing('protocol', '../server/localize.ts'),
  importing('protocol', '../local/folder.ts'),
  importing('protocol', './lifecycle/text.ts', true),
  importing('protocol/lifecycle', '../product.ts', true),
  importing('protocol/lifecycle', '../budget/plan.ts'),
  importing('protocol/lifecycle', '../../client/nodeMain.ts'),
  importing('protocol/lifecycle', 'node:path'),
  importing('protocol/budget', '../lifecycle/text.ts', true),
  importing('local', '../protocol/index.ts', true),
  importing('local', '../adapter/session.ts'),
  importing('local', 'vscode'),
  importing('adapter', '../local/folder.ts', true),
  importing('adapter/agents', '../../server/check/finding.ts'),
  importing('adapter', 'vscode'),
  importing('server', '../protocol/product.ts', true),
  importing('server/features', '../../protocol/lifecycle/text.ts', true),
  importing('server', 'vscode-languageserver/node', true),
  importing('server', '../client/nodeMain.ts'),
  importing('server/features', '../../cli/main.ts'),
  importing('server', '../adapter/session.ts'),
  importing('server', 'vscode'),
  importing('server', 'vscode-languageclient/node'),
  importing('client', '../protocol/product.ts', true),
  importing('client', 'vscode', true),
  importing('client', 'vscode-languageclient/node', true),
  importing('client', '../server/nodeMain.ts'),
  importing('client/views', '../../adapter/session.ts'),
  importing('client', 'vscode-languageserver/node'),
  importing('cli', '../server/check/finding.ts', true),
  importing('cli/commands', '../../server/check/finding.ts', true),
  importing('cli', '../server/document.ts'),
  importing('cli/commands', '../../server/features/hover.ts'),
  importing('cli', 'vscode-languageserver-textdocument', true),
  importing('cli', '../client/nodeMain.ts'),
  importing('cli', 'vscode-languageserver'),
  importing('cli', '../test/kit.ts'),
  holding('protocol', globals, 'export const now = Date.now();\n'),
  holding('protocol/lifecycle', globals, 'export const now = new Date();\n'),
  holding('protocol', 'eslint(no-restricted-properties)', 'export const dice = Math.random();\n'),
  holding('protocol', globals, 'export const node = process.version;\n'),
  holding('protocol', 'eslint(no-console)', "console.log('x');\n"),
  holding('server', 'eslint(no-console)', "console.log('x');\n"),
  holding('server', 'typescript(no-floating-promises)', 'const wait = async () => 1;\nwait();\n'),
  holding(
    'server',
    'typescript(no-misused-promises)',
    'const wait = async () => true;\nif (wait()) throw new Error();\n',
  ),
  holding('server', 'typescript(no-explicit-any)', 'export const x: any = 1;\n'),
  holding(
    'server',
    'typescript(no-non-null-assertion)',
    'export const length = (x: string | undefined) => x!.length;\n',
  ),
  holding(
    'client',
    'typescript(switch-exhaustiveness-check)',
    "export function f(x: 'a' | 'b'): void {\n  switch (x) {\n    case 'a':\n      break;\n  }\n}\n",
  ),
  holding('cli', 'eslint(eqeqeq)', 'export const same = (a: string, b: string) => a == b;\n'),
  holding('cli', 'eslint(no-unused-vars)', 'const unused = 1;\n'),
  holding('cli', 'eslint(max-lines)', 'export {};\n'.repeat(301)),
  { file: 'server/circleA.ts', code: "export { b as a } from './circleB.ts';\n", rule: 'import(no-cycle)' },
  { file: 'server/circleB.ts', code: "export { a as b } from './circleA.ts';\n", rule: 'import(no-cycle)' },
];

const folder = mkdtempSync(join(tmpdir(), 'layers-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const findings = await lintPlanted();

async function lintPlanted(): Promise<readonly Finding[]> {
  for (const { file, code } of planted) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), code);
  }
  cpSync(inRepository('.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  cpSync(inRepository('tsconfig.base.json'), join(folder, 'tsconfig.json'));
  symlinkSync(inRepository('node_modules'), join(folder, 'node_modules'), 'junction');
  const { stdout } = await runNode([inRepository('node_modules/oxlint/bin/oxlint'), '-f', 'json'], folder);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly Finding[] };
  return diagnostics.map(({ code, filename }) => ({ code, filename: filename.replaceAll('\\', '/') }));
}

for (const { file, code, rule } of planted) {
  const found = findings.filter(finding => finding.filename === file).map(finding => finding.code);
  const shown = code.split('\n')[0] ?? '';
  if (rule === undefined) {
    test(`${dirname(file)}/ may: ${shown}`, () => assert.ok(!found.includes(imports), found.join()));
  } else {
    test(`${rule} bites in ${dirname(file)}/: ${shown}`, () => assert.ok(found.includes(rule), found.join()));
  }
}
