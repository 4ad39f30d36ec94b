import { expect, test } from 'vitest'
import { isFollowUp } from './follow-up.ts'

test('questions that lean on what was said before are told from those that stand alone', () => {
  const cases: [string, boolean][] = [
    ['And in winter?', true],
    ['Why?', true],
    ['How long does it take to charge the battery?', true],
    ['What did they decide about the budget of the library?', true],
    ['What about the second quarter of the year 2024 in Spain?', true],
    ['Wie lange dauert das bei der neuen Anlage im Keller?', true],
    ['Combien de temps faut-il pour la recharger, et avec quel câble ? Et cela ?', true],
    ['ماذا عن هذه الوثيقة في السنة الماضية بالتفصيل', true],
    ['它多长时间', true],
    ['How long does charging the battery of the cargo bicycle take?', false],
    ['Which colours may the roof tiles of houses in Bremen have?', false],
    ['Wie lange dauert die Wartung der neuen Heizung im Keller?', false],
    ['公司去年在西班牙的营业收入是多少', false],
  ]
  for (const [question, dependent] of cases) expect(isFollowUp(question), question).toBe(dependent)
})
