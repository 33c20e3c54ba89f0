/** `plain`: mechanical. `guess`: a person should look. `none`: no fix. */
export type Repair = 'plain' | 'guess' | 'none';

/**
 * A line with `«` and `»` around the range, words that the message must hold, the text once the fix is applied, and
 * what kind of fix it is.
 */
export type NearMissRow = readonly [marked: string, says: string, fixed: string | undefined, repair: Repair];
