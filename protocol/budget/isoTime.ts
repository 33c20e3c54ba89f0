const MILLISECONDS_A_DAY = 86_400_000;

/** Days of 400 years, after which the calendar repeats itself. */
const DAYS_AN_ERA = 146_097;

/** A time in Unix milliseconds as ISO 8601 in UTC, to the second. The protocol has no `Date`. */
export function isoTime(time: number): string {
  const days = Math.floor(time / MILLISECONDS_A_DAY);
  const seconds = Math.floor((time - days * MILLISECONDS_A_DAY) / 1000);
  const [year, month, day] = civilDate(days);
  const [hour, minute, second] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}T${padded(hour, 2)}:${padded(minute, 2)}:${padded(second, 2)}Z`;
}

/** Of a day that is counted from 1970-01-01. Years are counted from March, so that the leap day is the last of one. */
function civilDate(days: number): readonly [year: number, month: number, day: number] {
  const fromMarch = days + 719_468;
  const era = Math.floor(fromMarch / DAYS_AN_ERA);
  const inEra = fromMarch - era * DAYS_AN_ERA;
  const year = Math.floor(
    (inEra - Math.floor(inEra / 1460) + Math.floor(inEra / 36_524) - Math.floor(inEra / (DAYS_AN_ERA - 1))) / 365,
  );
  const inYear = inEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const fromMarchMonth = Math.floor((5 * inYear + 2) / 153);
  const day = inYear - Math.floor((153 * fromMarchMonth + 2) / 5) + 1;
  const month = fromMarchMonth < 10 ? fromMarchMonth + 3 : fromMarchMonth - 9;
  return [year + era * 400 + (month <= 2 ? 1 : 0), month, day];
}

function padded(number: number, digits: number): string {
  return String(number).padStart(digits, '0');
}
