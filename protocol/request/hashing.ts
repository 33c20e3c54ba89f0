/** SHA-256 of a text's UTF-8 bytes, in lower-case hex. The protocol holds no cryptography: who uses it hands it over. */
export type Sha256 = (text: string) => string;

/** SHA-256 of the UTF-8 bytes of all pieces so far. No piece ends within a surrogate pair. */
export interface IncrementalSha256 {
  update(piece: string): void;
  /** Goes on from here on its own; the original is left as it was. */
  copy(): IncrementalSha256;
  /** In lower-case hex. Nothing is called on it afterwards. */
  digest(): string;
}

/** Begins a hash of nothing yet. */
export type StartSha256 = () => IncrementalSha256;
