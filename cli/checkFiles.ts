import { buildProject } from '../server/check/buildProject.ts';
import { checkDocument } from '../server/check/checkDocument.ts';
import type { CheckedDocument } from '../server/check/checkedDocument.ts';
import type { Finding } from '../server/check/finding.ts';
import { anyPathMatcher } from '../server/check/globs.ts';
import { sourceMatcher } from '../server/check/sources.ts';
import { summarize } from '../server/check/summarize.ts';
import { eachBounded } from './eachBounded.ts';
import { type Failure, reasonOf } from './failure.ts';
import { filesBelow } from './findFiles.ts';
import { type ProjectFolder, projectOf } from './project.ts';
import { type Repair, repairOf, replaceFile } from './repair.ts';
import { isSilent, readFileBytes, type SourceFile, STDIN, sourceFileOf } from './sourceFile.ts';
import { shownPath, type Targets, targetsOf } from './targets.ts';

export interface CheckOptions {
  readonly cwd: string;
  /** Files, folders and globs; empty means the working folder, unless standard input is given. */
  readonly names: readonly string[];
  /** The bytes of standard input and the absolute path that stands for it. */
  readonly stdin?: { readonly path: string; readonly bytes: Uint8Array };
  /** `write` repairs files, `preview` only says what it would do; findings are those that are left. */
  readonly repair: 'none' | 'preview' | 'write';
  /** Called after each file. */
  onFile(): void;
}

export interface CheckedFile {
  readonly file: SourceFile;
  readonly findings: readonly Finding[];
}

export interface RepairedFile {
  readonly file: SourceFile;
  readonly repair: Repair;
}

export interface CheckResult {
  /** Only files with findings, in the order in which they were named. */
  readonly files: readonly CheckedFile[];
  /** How many files were checked. */
  readonly count: number;
  readonly repaired: readonly RepairedFile[];
  readonly failures: readonly Failure[];
  /** The path that people see for a URI in a finding's related places. */
  shownPathOf(uri: string): string;
}

/** Enough to hide a slow disk, few enough not to run out of file handles. */
const READS_AT_ONCE = 16;

/** Checks files; never rejects for what is in them or for files that cannot be read. */
export function checkFiles(options: CheckOptions): Promise<CheckResult> {
  return new CheckRun(options).run();
}

/** What reading one file came to. */
interface Outcome {
  /** Absent when the file could not be read or has nothing to say. */
  readonly file?: SourceFile | undefined;
  readonly repaired?: RepairedFile;
  readonly failure?: Failure;
}

class CheckRun {
  readonly #options: CheckOptions;
  readonly #project: ProjectFolder;

  constructor(options: CheckOptions) {
    this.#options = options;
    this.#project = projectOf(options.cwd);
  }

  async run(): Promise<CheckResult> {
    const targets = this.#targets();
    const outcomes = await this.#readAll(targets.paths, this.#options.repair);
    const files = outcomes.flatMap(({ file }) => file ?? []);
    const others = await this.#otherSources(files, new Set(targets.paths));
    const { rules, failures } = this.#project;
    const all = [...files, ...others];
    const summaries = all.map(file => summarize(file.uri, file.projectPath, file.outline, 0));
    const project = buildProject(summaries, rules);
    const shown = new Map(all.map(file => [file.uri, file.shown]));
    const unreadable = outcomes.flatMap(({ file, failure }) => (failure && !file ? failure : []));
    return {
      files: files
        .map(file => ({ file, findings: checkDocument(documentOf(file), project, rules, file.noted) }))
        .filter(({ findings }) => findings.length > 0),
      count: targets.paths.length - unreadable.length,
      repaired: outcomes.flatMap(({ repaired }) => repaired ?? []),
      failures: [...failures, ...targets.failures, ...outcomes.flatMap(({ failure }) => failure ?? [])],
      shownPathOf: uri => shown.get(uri) ?? uri,
    };
  }

  #targets(): Targets {
    const { cwd, names, stdin } = this.#options;
    const { root, rules } = this.#project;
    const found = targetsOf(names.length === 0 && !stdin ? ['.'] : names, cwd, path => this.#isSource(path));
    const excluded = anyPathMatcher(rules.exclude);
    const paths = found.paths.filter(path => path !== stdin?.path && !excluded(shownPath(path, root)));
    return { paths: stdin ? [stdin.path, ...paths] : paths, failures: found.failures };
  }

  /**
   * The context sources that were not named but decide on conflicts and unknown blocks, so that checking one file in a
   * commit hook says the same as checking everything. They are read only when a named file opens or discards a block;
   * one that cannot be read is not what the person asked about, so it is left out.
   */
  async #otherSources(files: readonly SourceFile[], known: ReadonlySet<string>): Promise<readonly SourceFile[]> {
    const asks = files.some(({ outline }) =>
      outline.declarations.some(({ kind }) => kind === 'opening' || kind === 'discard'),
    );
    if (!asks) {
      return [];
    }
    const isOther = (path: string): boolean => !known.has(path) && this.#isSource(path);
    const outcomes = await this.#readAll([...filesBelow(this.#project.root, isOther, () => undefined)], 'none');
    return outcomes.flatMap(({ file }) => file ?? []);
  }

  #isSource(path: string): boolean {
    const { root, rules } = this.#project;
    const shown = shownPath(path, root);
    return sourceMatcher(rules.sources).order(shown) !== undefined && !anyPathMatcher(rules.exclude)(shown);
  }

  #readAll(paths: readonly string[], repair: CheckOptions['repair']): Promise<readonly Outcome[]> {
    return eachBounded(paths, READS_AT_ONCE, async path => {
      const outcome = await this.#read(path, repair).catch((error: unknown) => this.#failed(path, reasonOf(error)));
      this.#options.onFile();
      return outcome;
    });
  }

  async #read(path: string, repair: CheckOptions['repair']): Promise<Outcome> {
    const { cwd, stdin } = this.#options;
    const { root, rules } = this.#project;
    const bytes = path === stdin?.path ? stdin.bytes : await readFileBytes(path);
    const file = sourceFileOf(path, bytes, cwd, root);
    if (isSilent(file)) {
      return {};
    }
    const found = repair === 'none' ? undefined : repairOf(documentOf(file), bytes, rules);
    if (!found) {
      return { file };
    }
    if (!found.bytes) {
      const reason = 'It was not repaired: it is not plain UTF-8, so writing it would change other bytes.';
      return { file, ...this.#failed(path, reason) };
    }
    if (repair === 'write') {
      try {
        await replaceFile(path, found.bytes);
      } catch (error) {
        return { file, ...this.#failed(path, `It was not repaired: ${reasonOf(error)}`) };
      }
    }
    return { file: sourceFileOf(path, found.bytes, cwd, root), repaired: { file, repair: found } };
  }

  #failed(path: string, reason: string): Outcome {
    return { failure: { path: path === STDIN ? STDIN : shownPath(path, this.#options.cwd), reason } };
  }
}

function documentOf({ uri, projectPath, outline }: SourceFile): CheckedDocument {
  return { uri, path: projectPath, outline };
}
