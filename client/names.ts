/** The section of all our settings, and the id of the language client, which looks for `trace.server` below it. */
export const SECTION = 'contextLifecycle';

/** Every command of the manifest. */
export const COMMANDS = {
  restartServer: 'contextLifecycle.restartServer',
  showLog: 'contextLifecycle.showLog',
  openSample: 'contextLifecycle.openSample',
  wrapSelection: 'contextLifecycle.wrapSelection',
  goToSource: 'contextLifecycle.goToSource',
  copyBlockId: 'contextLifecycle.copyBlockId',
  goToWinner: 'contextLifecycle.goToWinner',
} as const;

/** Commands about sessions, which only the entry for Node registers: elsewhere the manifest hides them. */
export const SESSION_COMMANDS = {
  connect: 'contextLifecycle.connect',
  disconnect: 'contextLifecycle.disconnect',
  removeSession: 'contextLifecycle.removeSession',
  openSessionLog: 'contextLifecycle.openSessionLog',
  deleteSessionLog: 'contextLifecycle.deleteSessionLog',
  startDemoSession: 'contextLifecycle.startDemoSession',
} as const;

/** Commands of the gateway in front of model APIs; only the entry for Node registers them. */
export const GATEWAY_COMMANDS = {
  gatewayStart: 'contextLifecycle.gateway.start',
  gatewayStop: 'contextLifecycle.gateway.stop',
  gatewayCopyEnvironment: 'contextLifecycle.gateway.copyEnvironment',
  gatewayOpenTerminal: 'contextLifecycle.gateway.openTerminal',
} as const;

/** Commands about what the views of sessions show; only the entry for Node registers them. */
export const VIEW_COMMANDS = {
  discardBlock: 'contextLifecycle.discardBlock',
  copySessionBlockId: 'contextLifecycle.copySessionBlockId',
  showRequest: 'contextLifecycle.showRequest',
  showRawRequest: 'contextLifecycle.showRawRequest',
  compareRequests: 'contextLifecycle.compareRequests',
  showStateAtRequest: 'contextLifecycle.showStateAtRequest',
  showStateOfNow: 'contextLifecycle.showStateOfNow',
  compareWithPrevious: 'contextLifecycle.compareWithPrevious',
  showBlockInRequest: 'contextLifecycle.showBlockInRequest',
  filterAudit: 'contextLifecycle.filterAudit',
  clearAuditFilter: 'contextLifecycle.clearAuditFilter',
  copyUsage: 'contextLifecycle.copyUsage',
  exportSession: 'contextLifecycle.exportSession',
} as const;

/** Commands about the budget of a session; only the entry for Node registers them. */
export const BUDGET_COMMANDS = {
  showBudget: 'contextLifecycle.showBudget',
  showUsageReport: 'contextLifecycle.showUsageReport',
  setTask: 'contextLifecycle.setTask',
  updateConstraint: 'contextLifecycle.updateConstraint',
  rebasePrefix: 'contextLifecycle.rebasePrefix',
} as const;

/** Commands of rows, which need data of theirs: no menu and no palette has them. */
export const SHOW_MORE_COMMAND = 'contextLifecycle.showMore';
export const OPEN_SOURCE_COMMAND = 'contextLifecycle.openSource';
export const CHOOSE_SESSION_COMMAND = 'contextLifecycle.chooseSession';
export const OPEN_AUDIT_COMMAND = 'contextLifecycle.openAuditEntry';

/** The views of sessions, which show something only where there are sessions. */
export const SESSION_VIEWS = {
  blocks: 'contextLifecycle.blocks',
  ephemerals: 'contextLifecycle.ephemerals',
  requests: 'contextLifecycle.requests',
  audit: 'contextLifecycle.audit',
  session: 'contextLifecycle.session',
} as const;

/** Commands of the session's marks in editors; only the entry for Node registers them. */
export const MARK_COMMANDS = {
  diffActiveContent: 'contextLifecycle.diffActiveContent',
} as const;

/** Read-only documents of a block as a session loaded it. */
export const BLOCK_SCHEME = 'context-lifecycle-block';

/**
 * Runs after the server's "Wrap Selection in Block…" and lets the person name the block. It needs a place that only the
 * server knows, so no menu and no palette has it.
 */
export const RENAME_AT_COMMAND = 'contextLifecycle.renameAt';

export type CommandName = keyof typeof COMMANDS;

export const DECLARED_BLOCKS_VIEW = 'contextLifecycle.declaredBlocks';

/** Every context key of ours; when-clauses of the manifest know no others. */
export const CONTEXT_KEYS = [
  // A `ServerState`.
  'contextLifecycle.serverState',
  // `scanning`, `empty` or `filled`: what the view of declared blocks has to show.
  'contextLifecycle.blockList',
  // The walkthrough's sample was opened, and its near miss was mended.
  'contextLifecycle.sampleFixed',
  // A `SessionsState`: what there is to show of sessions. Unset where no session can be watched, as in a browser.
  'contextLifecycle.session.state',
  // A page of the editor was opened while a session was connected: for the walkthrough.
  'contextLifecycle.session.read',
  // `starting` or `running`; unset while there is no gateway of this window.
  'contextLifecycle.gateway.state',
] as const;

export type ContextKey = (typeof CONTEXT_KEYS)[number];
