import { describe, expect, it } from 'vitest'
import { withoutAddresses } from './diagram-source.ts'

const far = 'https://evil.example/stolen'
const near = '/api/chat/pictures?url=stolen'

describe('the description of a diagram', () => {
  it.each([
    ['an image shape', `flowchart LR\n  A@{ img: "${near}", label: "A", w: 60 } --> B`],
    ['an image shape whose key is quoted', `flowchart LR\n  A@{ "img": '${far}', label: "A" }`],
    ['an image shape whose key is spelt with escapes', `flowchart LR\n  A@{ "\\x69mg": "${near}" }`],
    ['an image shape over several lines', `flowchart LR\n  A@{\n    ? img\n    : ${near}\n    label: A\n  }`],
    ['an image shape by an alias', `flowchart LR\n  A@{ label: &k img, *k : ${near} }`],
    ['a style', `flowchart LR\n  A --> B\n  style A fill:url(${far})`],
    ['a class with an escaped call', `flowchart LR\n  A:::x\n  classDef x fill:#fff,background:\\75rl(${near})`],
    ['a click', `flowchart LR\n  A --> B\n  click A href "${far}"`],
    ['a link of a sequence', `sequenceDiagram\n  participant A\n  link A: Board @ ${far}`],
    ['links of a sequence', `sequenceDiagram\n  participant A\n  links A: {"Board": "${far}"}`],
    ['settings with styles', `%%{init: {"themeCSS": "@import url(${far});"}}%%\nflowchart LR\n  A --> B`],
    [
      'settings before the diagram',
      `---\ntitle: T\nconfig:\n  themeCSS: "* { background: url(${far}) }"\n---\nflowchart LR\n  A`,
    ],
    ['a picture in a label', `flowchart LR\n  A["<img src='${near}'>"] --> B`],
    ['a picture in a label without an end', `flowchart LR\n  A["<image href=${far}"] --> B`],
  ])('loses the address of %s', (_, written) => {
    const { source, lost } = withoutAddresses(written)
    expect(lost).toBe(true)
    expect(source).not.toMatch(/stolen|@import|\\/)
    expect(source).toMatch(/flowchart|sequenceDiagram/)
  })

  it('keeps everything else as it was written', () => {
    const plain = [
      'flowchart LR',
      '  A["see https://example.com \\n or a/b"] -->|yes| link@{ shape: rounded, label: "Next" }',
      '  link --> C{$$x^2$$}',
      '  style A fill:#f9f,stroke:rgb(1, 2, 3),stroke-width:4px',
      '  classDef warm fill:orange;',
    ].join('\n')
    expect(withoutAddresses(plain)).toEqual({ source: plain, lost: false })
    const themed = '---\ntitle: Plan\nconfig:\n  theme: forest\n---\ngantt\n  section A'
    expect(withoutAddresses(themed)).toEqual({ source: '---\ntitle: Plan\n---\ngantt\n  section A', lost: false })
  })

  it('takes long hostile descriptions in linear time', () => {
    for (const piece of ['@{', '<img ', '%%{', 'style a:b(', 'link a ', '---\n', '"', 'url(', '{$link="'])
      expect(withoutAddresses(piece.repeat(20_000)).source.length).toBeGreaterThan(-1)
  })
})
