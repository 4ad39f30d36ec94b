import { describe, expect, test } from 'vitest'
import { answerFromExcerpts } from './excerpts.ts'
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

const ask = (question: string, documents = [kites, bread], language = 'en') => {
  const { sources, parts } = answerFromExcerpts({ question, documents, language })
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
    expect(text).toMatch(/^I am not a language model/)
    expect(text).toContain('Settings → Connections')
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
    expect(ask('Anything?', [])).toMatchObject({ sources: [], text: expect.stringContaining('No file is attached') })
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
