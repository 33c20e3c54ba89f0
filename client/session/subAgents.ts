import type { PanelSession } from './sessionModel.ts';

/** The session whose sub-agent this one is, where it is among these; absent also for a session that is nobody's. */
export function parentOf({ key, header }: PanelSession, all: readonly PanelSession[]): PanelSession | undefined {
  return header.subAgent && header.parentSession !== undefined
    ? all.find(
        other => other.key !== key && other.header.id === header.parentSession && other.header.agent === header.agent,
      )
    : undefined;
}

/** The same sessions, each sub-agent behind its parent; otherwise they keep their order. */
export function withSubAgents(all: readonly PanelSession[]): readonly PanelSession[] {
  const children = new Map<PanelSession, PanelSession[]>();
  const roots: PanelSession[] = [];
  for (const session of all) {
    const parent = parentOf(session, all);
    const siblings = parent && (children.get(parent) ?? []);
    if (parent && siblings) {
      children.set(parent, [...siblings, session]);
    } else {
      roots.push(session);
    }
  }
  const ordered: PanelSession[] = [];
  const add = (session: PanelSession): void => {
    ordered.push(session);
    children.get(session)?.forEach(add);
  };
  roots.forEach(add);
  // Sessions that name each other as parents stand below none.
  return [...ordered, ...all.filter(session => !ordered.includes(session))];
}
