/**
 * `node tools/common-passwords.ts <file>`: writes the digests of common passwords that the server compares with, from a
 * list with one password to a line, the commonest first. Kept are the commonest that are long enough to be chosen here,
 * and the commonest short ones, as people lengthen those.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { digestOf, listForm } from '../server/src/core/accounts/password/common-passwords.ts'

const [path = ''] = process.argv.slice(2)
const entries = readFileSync(path, 'utf8').split('\n')
const most = (count: number, from: number, to: number): string[] =>
  entries.filter((entry) => entry.length >= from && entry.length <= to).slice(0, count)

const forms = new Set([...most(6000, 12, 200), ...most(10_000, 4, 11)].map(listForm))
const digests = [...forms].map(digestOf).toSorted(Buffer.compare)
const packed = Buffer.concat(digests).toString('base64')
const file = new URL('../server/src/core/accounts/password/common-passwords.json', import.meta.url)
const about =
  'The first five bytes of SHA-256 of common passwords, in Base64: 6000 of 12 characters and more, 10000 shorter ones. From the ten million passwords that Mark Burnett gave into the public domain in 2015, sorted by how often they occur (SecLists). Written by tools/common-passwords.ts.'
writeFileSync(file, `${JSON.stringify({ about, digests: packed.match(/.{1,100}/g) }, null, 2)}\n`)
