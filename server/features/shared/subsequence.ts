/** Whether the wanted characters stand in the text in this order; true when nothing is wanted. */
export function isSubsequence(wanted: string, text: string): boolean {
  let matched = 0;
  for (let at = 0; at < text.length && matched < wanted.length; at++) {
    if (text.charCodeAt(at) === wanted.charCodeAt(matched)) {
      matched++;
    }
  }
  return matched === wanted.length;
}
