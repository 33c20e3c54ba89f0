import { readFileSync } from 'node:fs';

const endOfCentralDirectory = 0x06054b50;
const centralEntry = 0x02014b50;

/** Names of the files in a zip archive (a .vsix is one), from its central directory, sorted. */
export function zipNames(path: string): readonly string[] {
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(Buffer.from(Uint32Array.of(endOfCentralDirectory).buffer));
  if (end < 0) throw new Error(`${path} is no zip archive.`);
  const names: string[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (bytes.readUInt32LE(at) !== centralEntry) throw new Error(`${path} has a damaged directory.`);
    const [name, extra, comment] = [28, 30, 32].map(offset => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    names.push(bytes.toString('utf8', at + 46, at + 46 + name));
    at += 46 + name + extra + comment;
  }
  return names.sort();
}
