/** How fast passages are found by words and by vectors at once. */
import { fill, perDocument, partitions, timesOf, type Times } from './keyword.ts'
import { openPlace } from './place.ts'
import { createSource } from './texts.ts'

export interface HybridFigures {
  readonly chunks: number
  readonly size: number
  readonly both: Times
  readonly vectors: Times
  readonly account: Times
  /** How many of the ten nearest are among those that were found, of all. */
  readonly recall: number
  readonly bytes: number
  readonly vectorsPerSecond: number
}

/** Around centres, as texts of a subject are. */
const centres = 500

export async function measureHybrid(chunks: number, size: number): Promise<HybridFigures> {
  const place = await openPlace()
  try {
    await fill(place, chunks)
    const { random, question } = createSource(31)
    const normal = () => Math.sqrt(-2 * Math.log(random() || 1e-9)) * Math.cos(2 * Math.PI * random())
    const middles = Array.from({ length: centres }, () => Float32Array.from({ length: size }, normal))
    const make = () => (middles[Math.floor(random() * centres)] ?? new Float32Array()).map((value) => value + normal())
    const all: Float32Array[] = []
    const began = performance.now()
    for (let at = 0; at < chunks; at += 64) {
      const entries = Array.from({ length: Math.min(64, chunks - at) }, (_, i) => {
        const vector = make()
        all.push(vector)
        return { id: `d${Math.floor((at + i) / perDocument)}:${(at + i) % perDocument}`, vector }
      })
      await place.vectors.put('m', entries)
    }
    const vectorsPerSecond = chunks / ((performance.now() - began) / 1000)
    const asked = Array.from({ length: 60 }, () => ({ text: question(), vector: make() }))
    const nearest = (vector: Float32Array, of = partitions) =>
      place.vectors.nearest({ model: 'm', vector, partitions: of, limit: 50 })
    let hit = 0
    const looked = asked.slice(0, 10)
    for (const { vector } of looked) {
      const found = new Set((await nearest(vector)).map(({ id }) => id))
      const best = all
        .map((one, at) => ({ at, worth: similarity(one, vector) }))
        .sort((a, b) => b.worth - a.worth)
        .slice(0, 10)
      hit += best.filter(({ at }) => found.has(`d${Math.floor(at / perDocument)}:${at % perDocument}`)).length
    }
    return {
      chunks,
      size,
      vectorsPerSecond,
      recall: hit / (10 * looked.length),
      bytes: await place.database.size(),
      both: await timesOf(asked, ({ text, vector }) =>
        Promise.all([place.texts.find({ text, partitions, limit: 50 }), nearest(vector)]),
      ),
      vectors: await timesOf(asked, ({ vector }) => nearest(vector)),
      account: await timesOf(asked, ({ vector }) => nearest(vector, partitions.slice(3, 4))),
    }
  } finally {
    await place.close()
  }
}

const similarity = (one: Float32Array, other: Float32Array): number => {
  let dot = 0
  let length = 0
  for (let at = 0; at < one.length; at++) {
    const value = one[at] ?? 0
    dot += value * (other[at] ?? 0)
    length += value * value
  }
  return dot / Math.sqrt(length)
}
