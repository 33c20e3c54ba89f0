import { fileURLToPath } from 'node:url';
import { buildProject } from '../server/check/buildProject.ts';
import { checkDocument } from '../server/check/checkDocument.ts';
import type { CheckedDocument } from '../server/check/checkedDocument.ts';
import type { Finding } from '../server/check/finding.ts';
import type { Project, SourceSummary } from '../server/check/project.ts';
import { summarize } from '../server/check/summarize.ts';
import { eachBounded } from './eachBounded.ts';
import { type Failure, reasonOf } from './failure.ts';
import { namedPath, shownPath } from './paths.ts';
import { projectOf } from './project.ts';
import type { ProjectFolder } from './projectFolder.ts';
import { sourcesOf, withOneName } from './projectSources.ts';
import { readRegularFileSoon } from './regularFile.ts';
import { type Repair, repairOf, rewriteFile } from './repair.ts';
import { isSilent, type SourceFile, STDIN, sourceFileOf } from './sourceFile.ts';
import { type Targets, targetsOf } from './targets.ts';

export interface CheckOptions {
  readonly cwd: string;
  /** Files, folders and globs; empty means the working folder, unless standard input is given. */
  readonly names: readonly string[];
  /** How to read standard input, and the name of the file that it stands for. */
  readonly stdin?: { readonly name: string | undefined; read(): Promise<Uint8Array> };
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
  /** Only files with findings, in the order in which they were named; of too many findings, the first. */
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

/** Nobody reads more, and a report of a million findings fits into no string. */
const MAX_FINDINGS_A_FILE = 10_000;

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
  readonly #stdinPath: string | undefined;

  constructor(options: CheckOptions) {
    const { cwd, stdin } = options;
    this.#options = options;
    this.#project = projectOf(cwd);
    this.#stdinPath = stdin && (stdin.name === undefined ? STDIN : namedPath(stdin.name, cwd, this.#project.root));
  }

  async run(): Promise<CheckResult> {
    const targets = this.#targets();
    const outcomes = await this.#readAll(targets.paths, this.#options.repair);
    const files = outcomes.flatMap(({ file }) => file ?? []);
    const others = await this.#otherSources(files, new Set(targets.paths));
    const all = withOneName([...files, ...others], this.#project);
    const inside = all.filter(({ path }) => this.#project.pathOf(path) !== undefined);
    // Of the paths of one file the first counts: standard input stands for a file and comes first.
    const byUri = new Map([...inside].reverse().map(file => [file.uri, file]));
    const project = buildProject([...byUri.values()].map(summaryOf), this.#project.rules);
    const checked = all.slice(0, files.length).map(file => ({ file, findings: this.#check(file, project) }));
    const unreadable = outcomes.flatMap(({ file, failure }) => (failure && !file ? failure : []));
    return {
      files: checked
        .filter(({ findings }) => findings.length > 0)
        .map(({ file, findings }) => ({ file, findings: findings.slice(0, MAX_FINDINGS_A_FILE) })),
      count: targets.paths.length - unreadable.length,
      repaired: outcomes.flatMap(({ repaired }) => repaired ?? []),
      failures: [
        ...this.#project.failures,
        ...targets.failures,
        ...outcomes.flatMap(({ failure }) => failure ?? []),
        ...checked.flatMap(unshown),
      ],
      shownPathOf: uri => shownPath(fileURLToPath(uri), this.#options.cwd),
    };
  }

  #targets(): Targets {
    const { cwd, names, stdin } = this.#options;
    const found = targetsOf(names.length === 0 && !stdin ? ['.'] : names, cwd, this.#project);
    const paths = found.paths.filter(path => path !== this.#stdinPath && !this.#project.isExcluded(path));
    return { paths: this.#stdinPath === undefined ? paths : [this.#stdinPath, ...paths], failures: found.failures };
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
    const outcomes = await this.#readAll([...sourcesOf(this.#project, known)], 'none');
    return outcomes.flatMap(({ file }) => file ?? []);
  }

  #check(file: SourceFile, project: Project): readonly Finding[] {
    return checkDocument(documentOf(file), project, this.#project.rulesFor(file.path), file.noted);
  }

  #readAll(paths: readonly string[], repair: CheckOptions['repair']): Promise<readonly Outcome[]> {
    return eachBounded(paths, READS_AT_ONCE, async path => {
      const outcome = await this.#read(path, repair).catch((error: unknown) =>
        this.#failed(path, reasonOf(error, path)),
      );
      this.#options.onFile();
      return outcome;
    });
  }

  async #read(path: string, repair: CheckOptions['repair']): Promise<Outcome> {
    const { cwd, stdin } = this.#options;
    const project = this.#project;
    const bytes = await (stdin && path === this.#stdinPath ? stdin.read() : readRegularFileSoon(path));
    const file = sourceFileOf(path, bytes, cwd, project);
    if (isSilent(file)) {
      return {};
    }
    const found = repair === 'none' ? undefined : repairOf(documentOf(file), bytes, project.rulesFor(path));
    if (!found) {
      return { file };
    }
    if (!found.bytes) {
      const reason = 'It was not repaired: it is not plain UTF-8, so writing it would change other bytes.';
      return { file, ...this.#failed(path, reason) };
    }
    if (repair === 'write') {
      try {
        rewriteFile(path, bytes, found.bytes);
      } catch (error) {
        return { file, ...this.#failed(path, `It was not repaired: ${reasonOf(error)}`) };
      }
    }
    return { file: sourceFileOf(path, found.bytes, cwd, project), repaired: { file, repair: found } };
  }

  #failed(path: string, reason: string): Outcome {
    return { failure: { path: path === STDIN ? STDIN : shownPath(path, this.#options.cwd), reason } };
  }
}

function unshown({ file, findings }: CheckedFile): readonly Failure[] {
  const more = findings.length - MAX_FINDINGS_A_FILE;
  return more > 0 ? [{ path: file.shown, reason: `Only its first findings are shown; there are ${more} more.` }] : [];
}

function documentOf({ uri, checkedPath, outline }: SourceFile): CheckedDocument {
  return { uri, path: checkedPath, outline };
}

function summaryOf({ uri, checkedPath, outline }: SourceFile): SourceSummary {
  return summarize(uri, checkedPath, outline, 0);
}
