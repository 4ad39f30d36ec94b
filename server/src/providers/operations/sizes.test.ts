import { expect, test } from 'vitest'
import { fittingSize } from './sizes.ts'

const shapes = { sizes: ['1:1', '16:9', '9:16', '3:2', '2:3'] }
const pixels = { sizes: ['1024x1024', '1536x1024', '1024x1536', 'auto'] }

const cases: [string, string | undefined, object, string | undefined][] = [
  ['a size of its own', '3:2', shapes, '3:2'],
  ['pixels where shapes are known', '1536x1024', shapes, '3:2'],
  ['pixels between two shapes', '1792x1024', shapes, '16:9'],
  ['upright pixels', '1024x1792', shapes, '9:16'],
  ['a shape where pixels are known', '9:16', pixels, '1024x1536'],
  ['other pixels than are known', '512x512', pixels, '1024x1024'],
  ['a word', 'auto', shapes, 'auto'],
  ['what is no shape', '0x0', pixels, '0x0'],
  ['anything, where nothing is known', '640x480', {}, '640x480'],
  ['nothing', undefined, shapes, undefined],
]
test.each(cases)('%s', (_, size, config, fitting) => {
  expect(fittingSize(size, config as Record<string, unknown>)).toBe(fitting)
})
