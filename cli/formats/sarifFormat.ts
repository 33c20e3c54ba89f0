import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Fix, Location, Log, PhysicalLocation, ReportingDescriptor, Result, Region as SarifRegion } from 'sarif';
import { product } from '../../protocol/product.ts';
import { FINDING_CODES } from '../../server/check/finding.ts';
import { defaultSeverity } from '../../server/check/rules.ts';
import type { Region, Report, ReportedFinding, ReportedPlace } from '../checkReport.ts';
import { printableJson } from '../printable.ts';
import { SUMMARIES } from '../summaries.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
/** The name of the folder that relative addresses start from (SARIF 2.1.0, 3.14.14). */
const ROOT = '%SRCROOT%';

/** For code scanning: a SARIF 2.1.0 log. Files inside the working folder have relative addresses, others absolute ones. */
export function sarifFormat(report: Report, cwd: string): string {
  const log: Log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: product.name,
            semanticVersion: product.version,
            informationUri: product.repository,
            rules: FINDING_CODES.map(ruleOf),
          },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { [ROOT]: { uri: `${pathToFileURL(cwd).href.replace(/\/$/, '')}/` } },
        invocations: [
          {
            executionSuccessful: report.failures.length === 0,
            toolExecutionNotifications: report.failures.map(({ path, reason }) => ({
              level: 'error',
              message: { text: reason },
              locations: [{ physicalLocation: { artifactLocation: artifactOf(path) } }],
            })),
          },
        ],
        results: report.findings.map(resultOf),
      },
    ],
  };
  return `${printableJson(log, 2)}\n`;
}

function ruleOf(code: (typeof FINDING_CODES)[number]): ReportingDescriptor {
  return {
    id: code,
    shortDescription: { text: SUMMARIES[code] },
    helpUri: `${product.diagnosticDocs}#${code}`,
    defaultConfiguration: { level: defaultSeverity(code) },
  };
}

function resultOf(finding: ReportedFinding): Result {
  const { code, severity, message, related, fix, file } = finding;
  return {
    ruleId: code,
    ruleIndex: FINDING_CODES.indexOf(code),
    level: severity,
    message: { text: message },
    locations: [{ physicalLocation: physicalLocationOf(finding) }],
    ...(related.length > 0 && { relatedLocations: related.map(relatedLocationOf) }),
    ...(fix && { fixes: [fixOf(file, fix)] }),
  };
}

function relatedLocationOf(place: ReportedPlace, index: number): Location {
  return { id: index, physicalLocation: physicalLocationOf(place), message: { text: place.message } };
}

function physicalLocationOf(place: ReportedPlace): PhysicalLocation {
  return { artifactLocation: artifactOf(place.file), region: regionOf(place) };
}

function fixOf(file: string, { title, changes }: NonNullable<ReportedFinding['fix']>): Fix {
  return {
    description: { text: title },
    artifactChanges: [
      {
        artifactLocation: artifactOf(file),
        replacements: changes.map(change => ({
          deletedRegion: regionOf(change),
          insertedContent: { text: change.newText },
        })),
      },
    ],
  };
}

function regionOf({ line, column, endLine, endColumn }: Region): SarifRegion {
  return { startLine: line, startColumn: column, endLine, endColumn };
}

/** `file` as shown: relative to the working folder, or absolute. */
function artifactOf(file: string): PhysicalLocation['artifactLocation'] & object {
  return isAbsolute(file)
    ? { uri: pathToFileURL(file).href }
    : { uri: file.split('/').map(encodeURIComponent).join('/'), uriBaseId: ROOT };
}
