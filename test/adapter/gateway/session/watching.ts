import assert from 'node:assert/strict';
import { join } from 'node:path';
import { listAnnouncements } from '../../../../local/announcements.ts';
import { connectToSession, type SessionConnection } from '../../../../local/sessionConnection.ts';
import { inTime } from '../../../server/deadline.ts';
import type { GatewayHouse } from './gatewayHouse.ts';

/** A watcher of the only session that is announced. */
export async function watch(house: GatewayHouse): Promise<SessionConnection> {
  const [announcement] = listAnnouncements(join(house.home, 'run')).found;
  assert.ok(announcement);
  let connection: SessionConnection | undefined;
  const attached = new Promise<void>(resolve => {
    connection = connectToSession(announcement, { state: () => {}, attached: () => resolve(), events: () => {} });
  });
  await inTime(attached, 'the watcher was let in');
  assert.ok(connection);
  return connection;
}
