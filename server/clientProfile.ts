import type { InitializeParams } from 'vscode-languageserver';
import { negotiateEncoding, type PositionEncoding } from './positionEncoding.ts';

/** What the client can do, as far as the server's wiring depends on it. Absent capabilities are false. */
export interface ClientProfile {
  readonly encoding: PositionEncoding;
  /** Whether the client asks for diagnostics; else they are published to it. Never both. */
  readonly pullsDiagnostics: boolean;
  readonly registersDiagnostics: boolean;
  readonly refreshesDiagnostics: boolean;
  readonly relatedInformation: boolean;
  readonly diagnosticTags: boolean;
  readonly codeDescriptions: boolean;
  readonly diagnosticData: boolean;
  readonly answersConfiguration: boolean;
  readonly registersConfiguration: boolean;
  readonly workspaceFolders: boolean;
  readonly watchesFiles: boolean;
  readonly relativeWatchPatterns: boolean;
}

export function clientProfileOf({ capabilities }: InitializeParams): ClientProfile {
  const { general, textDocument, workspace } = capabilities;
  const pull = textDocument?.diagnostic;
  const publish = textDocument?.publishDiagnostics;
  // Clients declare what a diagnostic may hold for the way in which they get it; older ones only for publishing.
  const shows = (feature: 'relatedInformation' | 'codeDescriptionSupport' | 'dataSupport'): boolean =>
    (pull?.[feature] ?? publish?.[feature]) === true;
  return {
    encoding: negotiateEncoding(general?.positionEncodings),
    pullsDiagnostics: pull !== undefined,
    registersDiagnostics: pull?.dynamicRegistration ?? false,
    refreshesDiagnostics: workspace?.diagnostics?.refreshSupport ?? false,
    relatedInformation: shows('relatedInformation'),
    diagnosticTags: (pull?.tagSupport ?? publish?.tagSupport) !== undefined,
    codeDescriptions: shows('codeDescriptionSupport'),
    diagnosticData: shows('dataSupport'),
    answersConfiguration: workspace?.configuration ?? false,
    registersConfiguration: workspace?.didChangeConfiguration?.dynamicRegistration ?? false,
    workspaceFolders: workspace?.workspaceFolders ?? false,
    watchesFiles: workspace?.didChangeWatchedFiles?.dynamicRegistration ?? false,
    relativeWatchPatterns: workspace?.didChangeWatchedFiles?.relativePatternSupport ?? false,
  };
}
