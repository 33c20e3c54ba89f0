/** Tool calls and results of a view do not fit together. Nothing is sent: a provider would refuse it for good (users-ask 55). */
export class PairingError extends Error {
  override readonly name = 'PairingError';
}

/** The log alone does not give the request that was sealed. Nothing is sent. */
export class CrossCheckError extends Error {
  override readonly name = 'CrossCheckError';

  constructor(requestSequence: number) {
    super(
      `Request ${requestSequence} was not sent, because the session log does not rebuild it. Please report this, with the log if you can share it.`,
    );
  }
}

/** A begun request was not sealed before the next one, which took its place. */
export class GivenUpRequestError extends Error {
  override readonly name = 'GivenUpRequestError';

  constructor() {
    super('The request was not sent, because another one was begun before it was complete. Send it again.');
  }
}

/** A session was asked for something after it was closed. */
export class SessionClosedError extends Error {
  override readonly name = 'SessionClosedError';

  constructor() {
    super('The session is closed, so nothing can be built or logged any more. Open it again.');
  }
}

/** A session was told something that cannot stand in a log. */
export class UnloggableEventError extends TypeError {
  override readonly name = 'UnloggableEventError';

  constructor(type: string, reason: string, mend = 'Mend the adapter that said so.') {
    super(`Nothing was logged of ${type}, because ${reason}. ${mend}`);
  }
}
