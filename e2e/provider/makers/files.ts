/** A host of files that were made: whoever has the address gets them, and no key is wanted there. */
import type { Maker } from './call.ts'
import { sendBytes } from './call.ts'
import { film, mp3, pixel } from './samples.ts'

const files: Readonly<Record<string, () => readonly [string, Buffer]>> = {
  png: () => ['image/png', pixel],
  mp3: () => ['audio/mpeg', mp3],
  mp4: () => ['video/mp4', film()],
}

export const madeFiles: Maker = (_state, { method, url }, res) => {
  const [, ending = ''] = /^\/files\/[\w-]+\.(\w+)$/.exec(url.pathname) ?? []
  const file = files[ending]
  if (method !== 'GET' || !file) return false
  sendBytes(res, ...file())
}
