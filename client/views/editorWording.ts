import { say } from '../text.ts';
import type { Wording } from './wording.ts';

/** The editor's language, and the time where it runs. */
export const editorWording: Wording = { say, time: timeText };

/** `23:10:02`, with the date where that is not today. */
function timeText(time: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) {
    return String(time);
  }
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday
    ? clock
    : `${[date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-')} ${clock}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
