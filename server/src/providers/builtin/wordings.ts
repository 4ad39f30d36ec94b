/** What the built-in provider says around its quotations, by language. */
export interface Wording {
  readonly intro: string
  readonly nothingAttached: string
  readonly nothingMatches: (names: string) => string
  /** Where there is no name to name. */
  readonly nothingFound: string
  readonly found: (count: number) => string
  /** `place`: a page, a slide or a sheet. */
  readonly from: (name: string, section: string | null, place: string | null) => string
  readonly connect: string
  readonly comma: string
}

export const wordings = (language: string): Wording => (language.split('-')[0] === 'ar' ? ar : en)

/** Headings are quoted as plain text: emphasis around them must not break on what they hold. */
const plain = (section: string): string => section.replace(/[\\`*_[\]<>]/g, '\\$&')

const en: Wording = {
  intro: 'I am not a language model: I can only look up passages in your files and documents and quote them.',
  nothingAttached:
    'There is no file here yet. Attach one to your next message, or add documents to this chat or to your library, and I will look for the words of your question in them.',
  nothingMatches: (names) =>
    `Nothing matches your question; I looked in ${names} and whatever else belongs to this chat. Try words that the text itself would use.`,
  nothingFound: 'Nothing matches your question. Try words that the text itself would use.',
  found: (count) =>
    count === 1 ? 'This passage matches your question:' : `These ${count} passages match your question best:`,
  from: (name, section, place) =>
    [
      `From ${name}`,
      ...(section === null ? [] : [`section “${plain(section)}”`]),
      ...(place ? [plain(place)] : []),
    ].join(', '),
  connect:
    'For answers in sentences, connect a model: start a local runtime on the machine of this server, or add a provider under **Settings → Connections**.',
  comma: ', ',
}

const ar: Wording = {
  intro: 'لستُ نموذجًا لغويًا: كل ما أستطيعه هو البحث عن مقاطع في ملفاتك ومستنداتك واقتباسها.',
  nothingAttached:
    'لا يوجد ملف هنا بعد. أرفق ملفًا مع رسالتك التالية، أو أضف مستندات إلى هذه المحادثة أو إلى مكتبتك، وسأبحث فيها عن كلمات سؤالك.',
  nothingMatches: (names) =>
    `لا شيء يطابق سؤالك؛ بحثتُ في ${names} وفي كل ما يخص هذه المحادثة. جرّب كلمات يستخدمها النص نفسه.`,
  nothingFound: 'لا شيء يطابق سؤالك. جرّب كلمات يستخدمها النص نفسه.',
  found: (count) => (count === 1 ? 'هذا المقطع يطابق سؤالك:' : `أفضل المقاطع المطابقة لسؤالك (${count}):`),
  from: (name, section, place) =>
    [`من ${name}`, ...(section === null ? [] : [`قسم «${plain(section)}»`]), ...(place ? [plain(place)] : [])].join(
      '، ',
    ),
  connect:
    'للحصول على إجابات مصوغة، اربط نموذجًا: شغّل بيئة تشغيل محلية على جهاز هذا الخادم، أو أضف مزوّدًا من **الإعدادات ← الاتصالات**.',
  comma: '، ',
}
