import type { Diagnostic } from 'vscode-languageserver';
import type { DocumentOutline } from '../protocol/lifecycle/document.ts';
import { checkDocument } from './check/checkDocument.ts';
import type { Finding } from './check/finding.ts';
import type { Project } from './check/project.ts';
import type { Rules } from './check/rules.ts';
import type { OpenDocument } from './document.ts';
import { type DiagnosticSupport, diagnostics } from './features/diagnostics.ts';
import { fileName } from './folders.ts';
import { localize } from './localize.ts';
import type { Log } from './log.ts';
import type { ServerNotes } from './serverNotes.ts';
import type { Workspace } from './workspace.ts';

/** A check slower than this is logged, in milliseconds. */
const LOGGED = 50;
/** A check slower than this is told to the person who types, in milliseconds. */
const TOLD = 500;

/** What was found in one version of a document. */
export interface CheckResult {
  /** New with every new result, so that a client need not get the same one twice. */
  readonly id: string;
  readonly version: number;
  /** What was checked. */
  readonly outline: DocumentOutline;
  readonly findings: readonly Finding[];
  readonly diagnostics: Diagnostic[];
  /** What the document was checked against. */
  readonly project: Project;
  readonly rules: Rules;
}

/** Checks open documents, each text against each state of its project once, and watches the time that takes. */
export class DocumentChecks {
  readonly #workspace: Workspace;
  readonly #support: DiagnosticSupport;
  readonly #log: Log;
  readonly #notes: ServerNotes;
  readonly #results = new WeakMap<OpenDocument, CheckResult>();
  /** The document that the note on time is about. */
  #slow: OpenDocument | undefined;
  #count = 0;

  constructor(workspace: Workspace, support: DiagnosticSupport, log: Log, notes: ServerNotes) {
    this.#workspace = workspace;
    this.#support = support;
    this.#log = log;
    this.#notes = notes;
  }

  /** What there is to say of the document as it is now. */
  check(document: OpenDocument): CheckResult {
    const started = performance.now();
    const { project, rules, uri, path, noted } = this.#workspace.contextOf(document);
    const { outline } = document;
    const known = this.#results.get(document);
    // Not the version: a client may forget to raise it.
    if (known && known.outline === outline && known.project === project && known.rules === rules) {
      return known;
    }
    const findings = checkDocument({ uri, path, outline }, project, rules, noted);
    const result: CheckResult = {
      id: String(++this.#count),
      version: document.version,
      outline,
      findings,
      diagnostics: diagnostics(document, findings, this.#support),
      project,
      rules,
    };
    this.#results.set(document, result);
    this.#judge(performance.now() - started, document);
    return result;
  }

  /** A closed document is slow no longer. */
  closed(document: OpenDocument): void {
    if (this.#slow === document) {
      this.#slow = undefined;
      this.#notes.set('time', undefined);
    }
  }

  #judge(time: number, document: OpenDocument): void {
    const milliseconds = Math.round(time);
    if (milliseconds > LOGGED) {
      const characters = document.outline.text.length;
      this.#log.info(`Checking ${document.uri} took ${milliseconds} ms (${characters} characters).`);
    }
    if (milliseconds > TOLD) {
      const values = [fileName(document.uri), String(milliseconds)];
      const template = 'Checking {0} takes {1} ms after each change: the file is very large.';
      this.#slow = document;
      this.#notes.set('time', localize({ template, values }));
    } else {
      this.closed(document);
    }
  }
}
