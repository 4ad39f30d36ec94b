/** What the built-in provider says around its quotations, by language. */
export interface Wording {
  readonly intro: string
  readonly nothingAttached: string
  readonly nothingMatches: (names: string) => string
  readonly found: (count: number) => string
  readonly from: (name: string, section: string | null) => string
  readonly connect: string
  readonly comma: string
}

export const wordings = (language: string): Wording => (language.split('-')[0] === 'ar' ? ar : en)

/** Headings are quoted as plain text: emphasis around them must not break on what they hold. */
const plain = (section: string): string => section.replace(/[\\`*_[\]<>]/g, '\\$&')

const en: Wording = {
  intro: 'I am not a language model: I can only look up passages in the files of this chat and quote them.',
  nothingAttached:
    'No file is attached here yet. Attach plain text or Markdown to your next message, and I will look for the words of your question in it.',
  nothingMatches: (names) =>
    `None of the words of your question stand in ${names}. Try words that the file itself would use.`,
  found: (count) =>
    count === 1 ? 'This passage matches your question:' : `These ${count} passages match your question best:`,
  from: (name, section) => (section === null ? `From ${name}` : `From ${name}, section “${plain(section)}”`),
  connect:
    'For answers in sentences, connect a model: start a local runtime on the machine of this server, or add a provider under **Settings → Connections**.',
  comma: ', ',
}

const ar: Wording = {
  intro: 'لستُ نموذجًا لغويًا: كل ما أستطيعه هو البحث عن مقاطع في ملفات هذه المحادثة واقتباسها.',
  nothingAttached:
    'لا يوجد ملف مرفق هنا بعد. أرفق نصًا عاديًا أو ملف Markdown مع رسالتك التالية، وسأبحث فيه عن كلمات سؤالك.',
  nothingMatches: (names) => `لا ترد أي كلمة من سؤالك في ${names}. جرّب كلمات يستخدمها الملف نفسه.`,
  found: (count) => (count === 1 ? 'هذا المقطع يطابق سؤالك:' : `أفضل المقاطع المطابقة لسؤالك (${count}):`),
  from: (name, section) => (section === null ? `من ${name}` : `من ${name}، قسم «${plain(section)}»`),
  connect:
    'للحصول على إجابات مصوغة، اربط نموذجًا: شغّل بيئة تشغيل محلية على جهاز هذا الخادم، أو أضف مزوّدًا من **الإعدادات ← الاتصالات**.',
  comma: '، ',
}
