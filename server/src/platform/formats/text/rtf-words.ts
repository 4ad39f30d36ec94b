/** What the control words of RTF (1.9.1) mean for its text. */

/** Groups that hold no text to read; `\*` before a word that is not in `starred` says the same. */
export const skippedGroups = new Set([
  ...['colortbl', 'stylesheet', 'listtable', 'listoverridetable', 'filetbl', 'revtbl', 'rsidtbl', 'generator'],
  ...[
    'pict',
    'nonshppict',
    'objdata',
    'objclass',
    'sp',
    'themedata',
    'colorschememapping',
    'datastore',
    'latentstyles',
  ],
  ...['list', 'listlevel', 'leveltext', 'levelnumbers', 'listname', 'listoverride', 'lfolevel', 'listpicture'],
  ...['fldinst', 'bkmkstart', 'bkmkend', 'xe', 'tc', 'tcn', 'private', 'template', 'pgdsctbl', 'xmlnstbl', 'mmath'],
])
export const destinationsWithText = new Set(['shpinst', 'shptxt', 'footnote', 'annotation'])

export const textOfWord: ReadonlyMap<string, string> = new Map([
  ['par', '\n\n'],
  ['sect', '\n\n'],
  ['page', '\n\n'],
  ['line', '\n'],
  ['lbr', '\n'],
  ['softline', '\n'],
  ['row', '\n'],
  ['nestrow', '\n'],
  ['cell', ' | '],
  ['nestcell', ' | '],
  ['tab', '\t'],
  ['emdash', '—'],
  ['endash', '–'],
  ['bullet', '•'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['emspace', ' '],
  ['enspace', ' '],
  ['qmspace', ' '],
  ['~', '\u00a0'],
  ['_', '-'],
  ['{', '{'],
  ['}', '}'],
  ['\\', '\\'],
  ['\n', '\n\n'],
  ['\r', '\n\n'],
])

/** Encodings of the Encoding Standard by `\ansicpg`, and by the `\fcharset` of a font. */
export const byCodePage = (page: number): string =>
  codePages.get(page) ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : 'windows-1252')
export const byCharset = (charset: number): string | null => charsets.get(charset) ?? null

const codePages = new Map([
  [866, 'ibm866'],
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10000, 'macintosh'],
  [10007, 'x-mac-cyrillic'],
  [20866, 'koi8-r'],
  [65001, 'utf-8'],
])
const charsets = new Map([
  [77, 'macintosh'],
  [128, 'shift_jis'],
  [129, 'euc-kr'],
  [134, 'gbk'],
  [136, 'big5'],
  [161, 'windows-1253'],
  [162, 'windows-1254'],
  [163, 'windows-1258'],
  [177, 'windows-1255'],
  [178, 'windows-1256'],
  [186, 'windows-1257'],
  [204, 'windows-1251'],
  [222, 'windows-874'],
  [238, 'windows-1250'],
])
