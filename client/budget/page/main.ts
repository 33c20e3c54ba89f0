import { html } from './elements.ts';
import type { DrawMessage, PageData, PageMessage } from './pageData.ts';
import { drawParts } from './parts.ts';
import { patterns } from './patterns.ts';
import { drawRequests } from './requests.ts';

/** What the editor gives to a page, once. */
declare function acquireVsCodeApi(): {
  postMessage(message: PageMessage): void;
  getState(): Kept | undefined;
  setState(kept: Kept): void;
};

/** What stays when the tab is hidden, which ends the page. */
interface Kept {
  readonly asTable: boolean;
  readonly request?: number;
}

const editor = acquireVsCodeApi();
const head = html('header');
const parts = html('section');
const requests = html('section');
const page = html('main', {}, head, parts, requests);
let kept: Kept = editor.getState() ?? { asTable: false };
let data: PageData | undefined;
let width = 0;
/** What each section shows, to leave alone what stays the same. */
const drawn = new Map<HTMLElement, string>();

document.body.append(patterns(), page);
// Only the extension can send here: the page loads nothing else and has no frames.
window.addEventListener('message', ({ data: message }: MessageEvent<DrawMessage>) => {
  ({ data } = message);
  draw();
});
new ResizeObserver(() => {
  if (page.clientWidth !== width) {
    draw();
  }
}).observe(page);
editor.postMessage({ type: 'ready' });

function draw(): void {
  if (!data) {
    return;
  }
  width = page.clientWidth;
  const { parts: partsData, requests: requestsData, heading, level, reason, about, back } = data;
  show(head, { heading, level, reason, about, back }, () => headOf(heading, level, reason, about, back));
  show(parts, partsData, () => (partsData ? drawParts(partsData) : []));
  show(requests, { requestsData, width, asTable: kept.asTable }, () =>
    requestsData
      ? drawRequests(requestsData, {
          asTable: kept.asTable,
          request: kept.request,
          width,
          toggle: () => keep({ ...kept, asTable: !kept.asTable }),
          took: request => keep({ ...kept, request }),
          open: request => editor.postMessage({ type: 'open', request }),
        })
      : [],
  );
}

function keep(next: Kept): void {
  const isOther = next.asTable !== kept.asTable;
  kept = next;
  editor.setState(kept);
  if (isOther) {
    draw();
  }
}

/** Draws a section anew where it shows something else; the keys stay at what they were at. */
function show(section: HTMLElement, content: unknown, make: () => readonly HTMLElement[]): void {
  const text = JSON.stringify(content) ?? '';
  if (drawn.get(section) === text) {
    return;
  }
  drawn.set(section, text);
  const key = section.contains(document.activeElement) ? document.activeElement?.getAttribute('data-key') : undefined;
  section.replaceChildren(...make());
  if (key) {
    section.querySelector<HTMLElement | SVGElement>(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  }
}

function headOf(
  heading: string,
  level: PageData['level'],
  reason: string,
  about: readonly string[],
  back: string | undefined,
): readonly HTMLElement[] {
  const leadBack = back === undefined ? undefined : html('button', { 'data-key': 'back' }, back);
  leadBack?.addEventListener('click', () => editor.postMessage({ type: 'back' }));
  return [
    html('h1', {}, heading),
    ...(reason === '' ? [] : [html('p', { class: `reason ${level}` }, reason)]),
    ...about.map(sentence => html('p', {}, sentence)),
    ...(leadBack ? [leadBack] : []),
  ];
}
