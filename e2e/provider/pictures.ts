/** Pictures as models draw them: real files, each of one shade. */
import { packPng } from '../../server/src/testing/drawing.ts'

export interface Drawn {
  /** What it looked like on the way. */
  readonly drafts: readonly Buffer[]
  readonly whole: Buffer
}

/** `painter` draws one, `painter-2` two; `painter-avif` an AVIF; `painter-svg` and `painter-page` something that nobody keeps, `painter-huge` a lie, and `painter-broken` what cannot be read. */
export const drawnBy = (model: string): Drawn[] => {
  const [, how] = /painter(?:-(\d|avif|svg|page|huge|broken))?/.exec(model) ?? []
  if (!model.includes('painter')) return []
  if (how === 'svg') return [{ drafts: [], whole: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>') }]
  if (how === 'avif') return [{ drafts: [], whole: avif(64, 48) }]
  if (how === 'page') return [{ drafts: [], whole: Buffer.from('<!doctype html><p>Hello</p>') }]
  if (how === 'huge') return [{ drafts: [], whole: png(50_000, 50_000, 0, 1) }]
  if (how === 'broken') return [{ drafts: [broken], whole: broken }]
  return Array.from({ length: Number(how ?? 1) }, (_, n) => ({
    drafts: [png(48, 32, 90 + n), png(48, 32, 150 + n)],
    whole: png(96, 64, 210 + n),
  }))
}

const broken = Buffer.from('broken')

/** As it goes over a wire; what is broken is so there. */
export const inBase64 = (bytes: Buffer): string => (bytes === broken ? 'no base64!' : bytes.toString('base64'))

/** A PNG in shades of grey; `rows`: so many of its rows are really there. */
function png(width: number, height: number, shade: number, rows = height): Buffer {
  const line = Buffer.concat([Buffer.of(0), Buffer.alloc(width, shade)])
  return Buffer.from(packPng(width, height, 0, Buffer.concat(Array.from({ length: rows }, () => line))))
}

/** The boxes of an AVIF that says how large it is, without the picture itself. */
function avif(width: number, height: number): Buffer {
  const box = (type: string, ...inside: Buffer[]): Buffer => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(8 + Buffer.concat(inside).length)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, ...inside])
  }
  const size = Buffer.alloc(12)
  size.writeUInt32BE(width, 4)
  size.writeUInt32BE(height, 8)
  const described = box('meta', Buffer.alloc(4), box('iprp', box('ipco', box('ispe', size))))
  return Buffer.concat([box('ftyp', Buffer.from('avif\0\0\0\0mif1', 'latin1')), described])
}
