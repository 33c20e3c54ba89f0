export interface N {
  code: 'byte-order-mark' | 'utf-16' | 'invalid-utf8' | 'mixed-line-ends' | 'lone-cr';
  offset: number;
}
export function decodeBytes(bytes: Uint8Array): { text: string; notes: readonly N[] } {
  return { text: new TextDecoder().decode(bytes), notes: [] };
}
