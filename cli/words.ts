/** `1 file`, `2 files`. */
export function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** `812 bytes`, `3.1 kB`, `12 MB`; a kB is 1,000 bytes. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) {
    return amount(bytes, 'byte');
  }
  let size = bytes / 1000;
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${size < 9.95 ? size.toFixed(1) : size.toFixed(0)} ${UNITS[unit]}`;
}

/** `a, b and c`; empty for nothing. */
export function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** Unix milliseconds as a date and a time of day where the program runs: `2026-11-29 23:10:02`. */
export function dateAndTime(time: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) {
    return `time ${time}`;
  }
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-');
  return `${day} ${timeOfDay(time)}`;
}

/** `23:10:02`, where the program runs. */
function timeOfDay(time: number): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/** The text in lines of at most `width` characters, divided at blanks; a longer word has a line of its own. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}
