/** Sizes of pictures in the words of a provider: pixels (`1536x1024`) or sides (`3:2`). Pure. */
import type { Config } from './route.ts'

/**
 * The size as the provider knows it. A size that is none of its own becomes the one of the nearest shape: clients of the
 * common API ask for pixels, also where only shapes are known.
 */
export function fittingSize(size: string | undefined, config: Config): string | undefined {
  const known = Array.isArray(config['sizes']) ? config['sizes'].filter((one) => typeof one === 'string') : []
  const shape = size === undefined ? null : shapeOf(size)
  if (size === undefined || shape === null || known.includes(size)) return size
  const shaped = known.map((one) => ({ one, away: Math.abs((shapeOf(one) ?? Infinity) - shape) }))
  const nearest = shaped.reduce<(typeof shaped)[number] | null>(
    (best, next) => (next.away < (best?.away ?? Infinity) ? next : best),
    null,
  )
  return nearest?.one ?? size
}

/** The sides' proportion as a logarithm, so that upright and lengthwise are equally far from square. */
function shapeOf(size: string): number | null {
  const [, width = '', height = ''] = /^(\d{1,5})[x:×](\d{1,5})$/.exec(size) ?? []
  const shape = Math.log(Number(width) / Number(height))
  return width !== '' && Number.isFinite(shape) ? shape : null
}
