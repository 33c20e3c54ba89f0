import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../protocol/request/json.ts';
import type { Sealed } from '../../sessionTypes.ts';
import type { GatewayApi, SplitBody } from '../apis/gatewayApi.ts';
import type { BodyItem, BodyPart, BodyView } from '../body/bodyView.ts';
import type { HostCopies } from './hostCopies.ts';

/** A body as it came, and what is left of it when the host's copies of sources are cut. */
export interface CutBody {
  readonly received: SplitBody;
  /** The same object where nothing was cut. */
  readonly cut: SplitBody;
  /** What stands in the list before the messages: as it came, and cut. */
  readonly leading: readonly (readonly [received: JsonObject, cut: JsonObject])[];
}

/** Cuts the host's copies of loaded sources out of a body's system prompt and messages. Throws as `api.split` does. */
export function cutBody(api: GatewayApi, body: JsonObject, received: SplitBody, copies: HostCopies): CutBody {
  const { list, leading, messages, systemMember } = received;
  const items = body[list];
  const before = (isJsonArray(items) ? items.slice(0, leading) : []).filter(isJsonObject);
  const all = [...before, ...messages];
  const system = systemMember === undefined ? undefined : body[systemMember];
  const now = copies.cut(system, all);
  const pairs = before.map((item, place) => [item, now.messages[place] ?? item] as const);
  if (now.messages === all && now.system === system) {
    return { received, cut: received, leading: pairs };
  }
  const cutSystem = systemMember !== undefined && now.system !== undefined ? { [systemMember]: now.system } : {};
  return { received, cut: api.split({ ...body, ...cutSystem, [list]: now.messages }), leading: pairs };
}

/**
 * What is to leave: the host's items at their places, without those that edits of the budget layer took, and between them what
 * the session put in. `isEdited`: the session has such edits.
 */
export function bodyViewOf({ received, cut, leading }: CutBody, sealed: Sealed, isEdited: boolean): BodyView {
  if (!isEdited && sealed.hosts.filter(host => host !== undefined).length < received.messages.length) {
    throw new TypeError('A message of the agent is in no request, and no edit has taken it.');
  }
  const system = leading.map(
    ([before, now], place): BodyItem => ({ value: now, received: place, same: now === before }),
  );
  const messages = sealed.messages.map((value, place): BodyItem => {
    const host = sealed.hosts[place];
    if (host === undefined) {
      return { value, same: false, sealed: place };
    }
    const isWhole = sealed.origins[place] !== undefined && cut.messages[host] === received.messages[host];
    return { value, received: received.leading + host, same: isWhole, sealed: place };
  });
  const { systemMember } = received;
  const members = new Map<string, Json>();
  if (systemMember !== undefined && cut.system !== received.system && cut.system !== undefined) {
    members.set(systemMember, cut.system);
  }
  return { list: received.list, items: [...system, ...messages], members, parts: partsOf(received, sealed) };
}

/** Parts that a request has: it drops empty ones. */
function partsOf({ systemMember }: SplitBody, { system, tools }: Sealed): readonly BodyPart[] {
  return [
    ...(systemMember !== undefined && system !== undefined && system !== ''
      ? [{ part: 'system', member: systemMember, value: system } as const]
      : []),
    ...(tools && tools.length > 0 ? [{ part: 'tools', member: 'tools', value: tools } as const] : []),
  ];
}
