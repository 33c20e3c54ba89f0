/**
 * Words by which people say what must hold. They are cues, no grammar: a sentence too many is kept word for word, which costs
 * a few tokens, and a user message without any keeps its first sentence, so that no language loses what was asked for.
 */
const CONSTRAINT_WORDS: readonly string[] = [
  // English
  'must',
  'never',
  'always',
  'only',
  'do not',
  "don't",
  'don’t',
  'cannot',
  "can't",
  'may not',
  'should',
  "shouldn't",
  'shall',
  'require',
  'requires',
  'required',
  'requirement',
  'forbidden',
  'not allowed',
  'make sure',
  'ensure',
  'avoid',
  'no more than',
  'at most',
  'at least',
  'without',
  'instead of',
  'keep',
  'important',
  'constraint',
  // German
  'muss',
  'müssen',
  'darf',
  'dürfen',
  'nie',
  'niemals',
  'immer',
  'nur',
  'soll',
  'sollen',
  'sollte',
  'verboten',
  'kein',
  'keine',
  'ohne',
  'mindestens',
  'höchstens',
  // French
  'doit',
  'doivent',
  'jamais',
  'toujours',
  'seulement',
  'uniquement',
  'interdit',
  'ne pas',
  'sans',
  'il faut',
  // Spanish, Portuguese, Italian
  'debe',
  'deben',
  'nunca',
  'siempre',
  'solo',
  'sólo',
  'solamente',
  'prohibido',
  'deve',
  'devem',
  'sempre',
  'apenas',
  'somente',
  'mai',
  'soltanto',
  'vietato',
  'senza',
  // Russian, Ukrainian
  'должен',
  'должна',
  'должно',
  'должны',
  'нельзя',
  'никогда',
  'всегда',
  'только',
  'обязательно',
  'запрещено',
  'не надо',
  'нужно',
  'повинен',
  'ніколи',
  'завжди',
  'тільки',
  // Polish, Turkish
  'musi',
  'nigdy',
  'zawsze',
  'tylko',
  'asla',
  'her zaman',
  'sadece',
  'zorunlu',
];

/** In scripts without blanks between words, a cue may stand anywhere. */
const CONSTRAINT_SIGNS: readonly string[] = [
  // Chinese
  '必须',
  '必須',
  '不要',
  '不得',
  '不能',
  '不可',
  '禁止',
  '只能',
  '只用',
  '只有',
  '务必',
  '務必',
  '总是',
  '總是',
  '永远',
  '永遠',
  '不许',
  '确保',
  '確保',
  // Japanese
  '必ず',
  'てはいけない',
  'てはいけません',
  'てはならない',
  'ではならない',
  'しないで',
  '絶対',
  '常に',
  'のみ',
  'だけ',
  'べき',
  'なければ',
  // Korean
  '반드시',
  '절대',
  '항상',
  '하지 마',
  '금지',
  '해야',
  '오직',
  // Arabic, Hebrew, Hindi, Thai
  'يجب',
  'لا تستخدم',
  'دائما',
  'ممنوع',
  'חייב',
  'תמיד',
  'אסור',
  'हमेशा',
  'कभी नहीं',
  'केवल',
  'ต้อง',
  'ห้าม',
  'เสมอ',
];

const DECISION_WORDS: readonly string[] = [
  "let's",
  'let’s',
  'lets',
  'we will',
  "we'll",
  'we’ll',
  'decided',
  'decide',
  'decision',
  'agreed',
  'go with',
  'choose',
  'chose',
  'instead',
  'use',
  'prefer',
  'switch to',
  'approved',
  'entscheiden',
  'entschieden',
  'nehmen',
  'décidé',
  'choisir',
  'decidido',
  'решили',
];

const DECISION_SIGNS: readonly string[] = ['决定', '決定', '采用', '採用', '選ぶ', '결정'];

/** What people say to be polite. */
const GREETINGS: ReadonlySet<string> = new Set([
  'hi',
  'hello',
  'hey',
  'thanks',
  'thank you',
  'thanks a lot',
  'thank you very much',
  'good morning',
  'good evening',
  'good job',
  'well done',
  'great',
  'nice',
  'perfect',
  'ok',
  'okay',
  'cool',
  'please',
  'bye',
  'you are welcome',
  "you're welcome",
  'sure',
  'hallo',
  'danke',
  'guten morgen',
  'bitte',
  'bonjour',
  'merci',
  'hola',
  'gracias',
  'olá',
  'obrigado',
  'ciao',
  'grazie',
  'привет',
  'спасибо',
  '你好',
  '谢谢',
  '謝謝',
  'こんにちは',
  'ありがとう',
  'ありがとうございます',
  '안녕하세요',
  '감사합니다',
]);

/** With what people put around it. */
const LONGEST_GREETING = 40;

const constraintPattern = patternOf(CONSTRAINT_WORDS, CONSTRAINT_SIGNS);
const decisionPattern = patternOf(DECISION_WORDS, DECISION_SIGNS);

/** Whether a sentence says what must hold. */
export function isConstraint(sentence: string): boolean {
  return constraintPattern.test(sentence);
}

/** Whether a sentence says what was chosen. */
export function isDecision(sentence: string): boolean {
  return decisionPattern.test(sentence);
}

/** Whether a sentence says nothing that a summary needs. */
export function isGreeting(sentence: string): boolean {
  return (
    sentence.length <= LONGEST_GREETING &&
    GREETINGS.has(sentence.toLowerCase().replace(/^[\s\p{P}]+|[\s\p{P}\p{S}]+$/gu, ''))
  );
}

/** A word counts where no letter stands beside it; a sign counts anywhere. */
function patternOf(words: readonly string[], signs: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])|${signs.join('|')}`, 'iu');
}
