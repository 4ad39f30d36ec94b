import { describe, expect, it } from 'vitest'
import { measureCost } from './rendering-cost.ts'

const heavy = (text: string) => measureCost(text, null).heavy

describe('the weight of a text', () => {
  it.each([
    ['tags', '<b>x</b>'.repeat(50_000)],
    ['tags, one in each line', '<p>\n\n'.repeat(50_000)],
    ['formulas', '$x$ '.repeat(50_000)],
    ['formulas in brackets', '\\(x\\)\n\n'.repeat(50_000)],
    ['emphasis without an end', '_a'.repeat(100_000)],
    ['emphasis over many lines', '_a\n'.repeat(100_000)],
    ['brackets', '['.repeat(50_000)],
    ['cells', `${'|'.repeat(50)}\n`.repeat(2_000)],
    ['addresses', 'https://a.b '.repeat(20_000)],
    ['pictures', '![a](b)\n\n'.repeat(1_000)],
    ['diagrams', '```mermaid\nflowchart\n```\n'.repeat(100)],
    ['items', '- a\n'.repeat(50_000)],
    ['quotations in quotations', '>'.repeat(5_000)],
    ['lists in lists', '- '.repeat(5_000)],
    ['lists that step to the side', Array.from({ length: 300 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n')],
    ['characters', 'word '.repeat(200_000)],
  ])('is too much with so many %s', (_, text) => {
    expect(heavy(text)).toBe(true)
  })

  it('lets through what people and models write', () => {
    expect(heavy(`# Title\n\n${'Some **bold** prose with `code` and [a link](https://a.b).\n\n'.repeat(500)}`)).toBe(
      false,
    )
    expect(heavy(`${'| a | b | c |\n'.repeat(1_000)}`)).toBe(false)
    expect(heavy(`${'- **Point**: an item with $x^2$\n'.repeat(800)}`)).toBe(false)
    expect(heavy(`\`\`\`js\n${'a[i] = b_c * "<p>" // $x\n'.repeat(8_000)}\`\`\``)).toBe(false)
    expect(heavy('- - - - - - - -\n\n1. a\n   - b\n     > c\n\n> > > d')).toBe(false)
  })

  it('finds the same piece by piece as at once, and looks at whole lines once only', () => {
    const text = 'Some *text*.\n\n```\n<<<<\n```\n\n'.repeat(300)
    let weight = measureCost('', null)
    for (let end = 0; end <= text.length; end += 37) weight = measureCost(text.slice(0, end), weight)
    expect(measureCost(text, weight)).toEqual(measureCost(text, null))
    expect(measureCost(text, weight).offset).toBe(text.length)
    expect(measureCost(`${text}${'_a'.repeat(2_001)}`, weight).heavy).toBe(true)
  })
})
