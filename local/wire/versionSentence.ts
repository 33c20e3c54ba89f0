import { WIRE_VERSION } from '../../protocol/wire/messages.ts';

/** For a person, where a session speaks another version of the wire; absent where it speaks ours. */
export function versionSentence(version: number): string | undefined {
  if (version === WIRE_VERSION) {
    return undefined;
  }
  const mend = version > WIRE_VERSION ? 'Update Context Lifecycle here' : 'Update Context Lifecycle beside the agent';
  return `This session can't be watched: it speaks version ${version} of the connection, and version ${WIRE_VERSION} is needed. ${mend}.`;
}
