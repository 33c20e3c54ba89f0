import { isContainer, isJsonArray, isJsonObject, type Json } from '../../protocol/request/json.ts';
import { type MediaKind, mediaTokens } from './media.ts';

/** What a model reads of a value, whichever agent's form it has. */
export interface Contents {
  readonly texts: readonly string[];
  /** Tokens of what is no text, roughly: images, audio, files, sealed reasoning. */
  readonly media: number;
}

/** Members that tell programs something; a model is shown none of them, or a token or two in their place. */
const LABELS: ReadonlySet<string> = new Set([
  ...[
    'role',
    'type',
    'id',
    'callId',
    'call_id',
    'toolCallId',
    'tool_call_id',
    'tool_use_id',
    'responseId',
    'timestamp',
  ],
  ...['mimeType', 'mime_type', 'mediaType', 'media_type', 'detail', 'status', 'isError', 'is_error', 'format', 'index'],
  ...['cache_control', 'cacheControl', 'providerOptions', 'providerMetadata', 'usage', 'api', 'provider', 'model'],
  ...['stopReason', 'stop_reason', 'errorMessage', 'details', 'citations'],
  ...['signature', 'thinkingSignature', 'thoughtSignature', 'thought_signature', 'textSignature'],
]);

/** Members whose objects a model reads as JSON. */
const JSON_MEMBERS: ReadonlySet<string> = new Set(['arguments', 'input', 'args', 'parameters', 'result', 'json']);

/** Members of a media block that hold what is no text, or say where it is. */
const DATA_MEMBERS: ReadonlySet<string> = new Set([
  ...['data', 'url', 'image', 'image_url', 'imageUrl', 'audio', 'file', 'file_data', 'fileData', 'file_id', 'fileId'],
  ...['file_url', 'uri', 'fileUri', 'bytes', 'encrypted_content', 'encryptedContent'],
]);

/** A block that is no text, or stands in one: as what, and whether any of its content was found. */
interface MediaBlock {
  readonly kind: MediaKind;
  found: boolean;
}

interface Place {
  readonly value: Json;
  readonly name: string;
  readonly media: MediaBlock | undefined;
}

/** Never throws, at any depth. What is empty has nothing; everything else has some tokens. */
export function contentsOf(value: Json): Contents {
  const texts: string[] = [];
  const blocks: MediaBlock[] = [];
  let media = 0;
  // What a host hands over may hold itself.
  const seen = new Set<unknown>();
  const pending: Place[] = [{ value, name: '', media: undefined }];
  for (let place = pending.pop(); place; place = pending.pop()) {
    if (typeof place.value === 'string') {
      const tokens = mediaStringTokens(place.value, place);
      if (tokens === undefined) {
        texts.push(place.value);
      } else {
        media += tokens;
      }
    } else if (isContainer(place.value) && !seen.has(place.value)) {
      seen.add(place.value);
      const block = blockOf(place);
      if (block && block !== place.media) {
        blocks.push(block);
      }
      pending.push(...inside(place.value, place.name, block));
    } else if (place.name === 'value' && (typeof place.value === 'number' || typeof place.value === 'boolean')) {
      texts.push(`${place.value}`);
    }
  }
  for (const { kind, found } of blocks) {
    media += found ? 0 : mediaTokens(kind);
  }
  return { texts: texts.filter(text => text !== ''), media };
}

/** The text of a definition that a model reads as JSON: a tool. */
export function jsonContents(value: Json): Contents {
  try {
    return { texts: [JSON.stringify(value)], media: 0 };
  } catch {
    // Nested too deeply for the engine; it can be sent by nobody.
    return contentsOf(value);
  }
}

function inside(value: Json, name: string, media: MediaBlock | undefined): readonly Place[] {
  if (isJsonArray(value)) {
    return value.map(item => ({ value: item, name, media }));
  }
  if (!isJsonObject(value)) {
    return [];
  }
  return Object.entries(value).flatMap(([member, inner]): readonly Place[] => {
    if (LABELS.has(member) || (media?.kind === 'sealed' && !DATA_MEMBERS.has(member))) {
      return [];
    }
    const readAsJson =
      media === undefined && isContainer(inner) && (JSON_MEMBERS.has(member) || isJsonValue(value, member));
    return readAsJson ? jsonPlaces(inner) : [{ value: inner, name: member, media }];
  });
}

/** `{type: "json", value}` of a tool's answer. */
function isJsonValue(parent: Json, member: string): boolean {
  const type = isJsonObject(parent) ? parent['type'] : undefined;
  return member === 'value' && (type === 'json' || type === 'error-json');
}

/** Its JSON text, without the images in it, and those. */
function jsonPlaces(value: Json): readonly Place[] {
  const taken: Place[] = [];
  try {
    const text = JSON.stringify(value, (name, inner: Json) => {
      if (typeof inner === 'string' && DATA_URL.test(inner)) {
        taken.push({ value: inner, name, media: undefined });
        return '';
      }
      return inner;
    });
    return [{ value: text, name: 'text', media: undefined }, ...taken];
  } catch {
    return [{ value, name: 'text', media: undefined }];
  }
}

const DATA_URL = /^data:([a-z]+)\/[^,;]{1,80}(;[^,;]{1,80})*;base64,/i;
const ADDRESS = /^(https?|gs|s3|file):/i;

/** Tokens of a string that is no text; absent for one that is. */
function mediaStringTokens(value: string, { name, media }: Place): number | undefined {
  const url = DATA_URL.exec(value);
  if (url) {
    if (media) {
      media.found = true;
    }
    return mediaTokens(media?.kind ?? kindOf(url[1] ?? ''), value.slice(url[0].length));
  }
  if (!media || !DATA_MEMBERS.has(name) || value === '') {
    return undefined;
  }
  if (media.found) {
    return 0;
  }
  media.found = true;
  const isHere = !ADDRESS.test(value) && !/id$/i.test(name);
  return mediaTokens(media.kind, isHere ? value : undefined);
}

/** The last word of a block's `type` that says what it is: `input_image`, `image_url`, `redacted_thinking` … */
const MEDIA_TYPE = /(?:^|[-_])(image|audio|video|file|document|media)(?:[-_](?:url|data|id))?$|^(redacted|encrypted)/i;

/** The media block that a container is, or stands in. */
function blockOf({ value, media }: Place): MediaBlock | undefined {
  if (!media) {
    return mediaBlock(value);
  }
  // A document whose content is given as text.
  if (mimeOf(value)?.toLowerCase() === 'text') {
    media.found = true;
    return undefined;
  }
  return media;
}

/** By its `type`, or by the type of its data; absent for text, whatever file it came from. */
function mediaBlock(value: Json): MediaBlock | undefined {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const { type } = value;
  const words = typeof type === 'string' ? MEDIA_TYPE.exec(type) : null;
  const word = words?.[1] ?? words?.[2];
  const mime = mimeOf(value);
  if (word !== undefined) {
    const ofWord = kindOf(word);
    return { kind: ofWord === 'file' ? kindOf(mime ?? '') : ofWord, found: false };
  }
  if (typeof value['encrypted_content'] === 'string') {
    return { kind: 'sealed', found: false };
  }
  return mime === undefined || isText(value) ? undefined : { kind: kindOf(mime), found: false };
}

/** What stands before the slash of its data's type; absent where it has none. */
function mimeOf(value: Json): string | undefined {
  const named = isJsonObject(value)
    ? ['mimeType', 'mime_type', 'mediaType', 'media_type'].map(name => value[name])
    : [];
  const mime = named.find(name => typeof name === 'string');
  return typeof mime === 'string' ? mime.split('/')[0] : undefined;
}

function isText(value: Json): boolean {
  return mimeOf(value)?.toLowerCase() === 'text' || (isJsonObject(value) && typeof value['text'] === 'string');
}

function kindOf(word: string): MediaKind {
  switch (word.toLowerCase()) {
    case 'image':
      return 'image';
    case 'audio':
      return 'audio';
    case 'redacted':
    case 'encrypted':
      return 'sealed';
    default:
      return 'file';
  }
}
