import type { Source } from '@atrium/contract/generation'
import { describe, expect, test } from 'vitest'
import { type ExcerptsQuestion, answerFromExcerpts } from './excerpts.ts'
import { passagesOf } from './passages.ts'
import { rank } from './rank.ts'
import { wordsOf } from './words.ts'

const kites = {
  attachmentId: 'a1',
  name: 'kites.md',
  text: `# Kites

A kite is a tethered craft.

## How high

Most kites fly below 150 metres. The record stands at 4879 metres.

## Where

Beaches are good places: the wind there is steady.

\`\`\`python
# not a heading
fly(kite)
\`\`\`
`,
}
const bread = {
  attachmentId: 'a2',
  name: 'bread.txt',
  text: 'Flour, water, salt.\n\nBake at 230 degrees for forty minutes.',
}

const ask = (
  question: string,
  documents = [kites, bread],
  language = 'en',
  elsewhere: Pick<ExcerptsQuestion, 'found' | 'nearest'> = {},
) => {
  const { sources, parts } = answerFromExcerpts({ question, documents, language, ...elsewhere })
  const text = parts
    .flat()
    .map((part) => (part.type === 'text' ? part.delta : ''))
    .join('')
  return { sources, text, last: parts.at(-1) }
}

describe('excerpts', () => {
  test('quote the best passage with its file and section, and say what they are', () => {
    const { sources, text, last } = ask('How high do kites fly?')
    expect(sources[0]).toMatchObject({ attachmentId: 'a1', name: 'kites.md', section: 'How high' })
    expect(text).toContain('> Most kites fly below 150 metres. The record stands at 4879 metres.')
    expect(text).toContain('From `kites.md`, section “How high”')
    expect(text).toMatch(/^I’m not a language model/)
    expect(text).toContain('[Settings → Connections](/settings/connections)')
    expect(last).toEqual([{ type: 'finish', reason: 'stop' }])
  })

  test('find the right file among several', () => {
    expect(ask('At how many degrees do I bake?').sources.map((source) => source.name)).toEqual(['bread.txt'])
  })

  test('say so when nothing matches, and when nothing is attached', () => {
    expect(ask('Quantum chromodynamics?')).toMatchObject({
      sources: [],
      text: expect.stringContaining('`kites.md`, `bread.txt`'),
    })
    expect(ask('Anything?', [])).toMatchObject({ sources: [], text: expect.stringContaining('There is no file here') })
  })

  test('a part of a word is no match, and words that say nothing match nothing', () => {
    expect(ask('kit').sources).toEqual([])
    expect(ask('the?').sources.every((source) => /\bthe\b/i.test(source.passage))).toBe(true)
    expect(ask('What is the of zebra?').sources).toEqual([])
  })

  test('answer in Arabic where asked, and find Arabic words whatever their vowel marks', () => {
    const document = { attachmentId: 'a3', name: 'حديقة.txt', text: 'تُزهِرُ الأشجار في الربيع.\n\nالشتاء بارد.' }
    const { sources, text } = ask('متى تزهر الأشجار؟', [document], 'ar')
    expect(sources).toHaveLength(1)
    expect(text).toMatch(/^لستُ نموذجًا لغويًا/)
    expect(text).toContain('> تُزهِرُ الأشجار في الربيع.')
  })

  test('find words in scripts without spaces', () => {
    const document = { attachmentId: 'a4', name: 'zh.txt', text: '猫喜欢睡觉。\n\n狗喜欢跑步。' }
    expect(ask('狗', [document]).sources.map((source) => source.passage)).toEqual(['狗喜欢跑步。'])
  })

  test('are always the same', () => {
    expect(ask('wind on beaches')).toEqual(ask('wind on beaches'))
  })

  test('keep file names from being read as Markdown', () => {
    const { text } = ask('flour', [{ ...bread, name: 'a`*b*`.txt' }])
    expect(text).toContain('From `a *b* .txt`')
  })
})

describe('excerpts from documents', () => {
  const page = (number: number, passage: string, name = 'bridges.pdf'): Source => ({
    kind: 'document',
    documentId: name,
    name,
    section: null,
    location: { kind: 'page', label: `Page ${number}`, number },
    passage,
    score: 5,
    foundBy: 'both',
  })
  const elsewhere = (...found: Source[]) => ({ found })

  test('are quoted in their own order, with the page and the number by which the answer cites them', () => {
    const found = elsewhere(page(3, 'The arch carries the load.'), page(9, 'Cables hang from towers.'))
    const { text, sources } = ask('What carries it?', [], 'en', found)
    expect(text).toContain('> The arch carries the load.\n\nFrom `bridges.pdf`, Page 3 [1]')
    expect(text).toContain('From `bridges.pdf`, Page 9 [2]')
    expect(sources.map(({ number }) => number)).toEqual([1, 2])
    expect(ask('?', [], 'ar', found).text).toContain('من `bridges.pdf`، Page 3 [1]')
  })

  test('are ranked together with the files of the chat; what was found by its meaning alone comes last', () => {
    const found = elsewhere(page(1, 'A crossing on stone vaults.'), page(2, 'The record stands at nine metres.'))
    const { sources } = ask('What is the record?', [kites], 'en', found)
    expect(sources.map(({ name }) => name)).toContain('kites.md')
    expect(sources.at(-1)?.passage).toBe('A crossing on stone vaults.')
  })

  test('say so when nothing is found, with the three names that came nearest', () => {
    const nearest = ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf']
    const { text, sources } = ask('zebra', [], 'en', { found: [], nearest })
    expect(sources).toEqual([])
    expect(text).toContain('No passage matches')
    expect(text).toContain('`a.pdf`, `b.pdf`, `c.pdf`')
    expect(text).not.toContain('d.pdf')
    expect(ask('zebra', [], 'en', elsewhere()).text).toContain('No passage matches your question.')
  })
})

describe('passages', () => {
  test('keep code together and take no heading from it', () => {
    const passages = passagesOf(kites.text)
    expect(passages.map((passage) => passage.section)).toEqual(['Kites', 'How high', 'Where', 'Where'])
    expect(passages.at(-1)?.text).toContain('# not a heading\nfly(kite)')
  })

  test('cut what is too long between sentences, and lose nothing', () => {
    const long = Array.from({ length: 200 }, (_, n) => `Sentence number ${n} stands here.`).join(' ')
    const passages = passagesOf(long)
    expect(passages.every((passage) => passage.text.length <= 1200 && passage.text.endsWith('.'))).toBe(true)
    expect(passages.map((passage) => passage.text).join(' ')).toBe(long)
    expect(passagesOf('🌍'.repeat(2000)).length).toBe(0)
    expect(
      passagesOf('x'.repeat(5000))
        .map((passage) => passage.text)
        .join(''),
    ).toBe('x'.repeat(5000))
  })
})

describe('ranking', () => {
  test('prefers rare words, then more of them', () => {
    const texts = ['wind wind sea', 'wind and rain', 'snow and wind', 'sea'].map(wordsOf)
    expect(rank(wordsOf('snow wind'), texts)[0]?.index).toBe(2)
    expect(rank(wordsOf('nothing here'), texts)).toEqual([])
    expect(rank([], texts)).toEqual([])
  })
})
