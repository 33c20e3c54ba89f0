/** More characters of one text from outside are shown nowhere. */
const LONGEST = 200;

/** Text from a document or a session as part of one line: nothing in it is obeyed, and it is no longer than a line may be. */
export function plainLine(text: string): string {
  const visible = text.slice(0, LONGEST + 1).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '\ufffd');
  return visible.length > LONGEST ? `${visible.slice(0, LONGEST - 1)}…` : visible;
}
