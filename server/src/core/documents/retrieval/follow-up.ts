/** Whether a question can be understood without what was said before it. Pure. */

const fewWords = 4

/** Words that stand for something that was said before, in the languages that we know them in. */
const pointers = new Set(
  [
    'it its it’s they them their theirs this that these those he him his she her hers there then one ones',
    'same such above former latter previous also instead else',
    'er sie es ihn ihm ihr ihre ihren ihrem dies diese dieser dieses diesen das dort damit davon dazu darin darüber',
    'il elle ils elles lui leur leurs ce cela ça celui celle ceux cette ces y en',
    'él ella ellos ellas lo le les esto eso este esta ese esa estos estas su sus allí',
    'lui lei loro questo questa quello quella questi queste ciò ne',
    'ele ela eles elas isso isto esse essa este deste desse disso dele dela',
    'он она оно они его её их это этот эта эти тот та те там',
    'هو هي هم هذا هذه ذلك تلك هؤلاء هناك منه منها عنه عنها له لها',
  ]
    .join(' ')
    .split(' '),
)

/** Beginnings that go on with what was said. */
const goesOn =
  /^(and|but|so|or|und|aber|oder|et|mais|ou|y|pero|e|ma|mas|и|а|но|و|لكن)\s|^(what|how|was|wie)\s+(about|if|ist mit|wäre)\b/iu

/** It is short, points at something, or goes on; Chinese, Japanese and Korean are judged by their length alone. */
export const isFollowUp = (question: string): boolean => {
  const text = question.trim().toLowerCase()
  if (/[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/u.test(text)) return text.length <= 10
  const words = text.split(/[^\p{L}\p{M}\p{N}’']+/u).filter((word) => word !== '')
  return words.length <= fewWords || goesOn.test(text) || words.some((word) => pointers.has(word.replace("'", '’')))
}
