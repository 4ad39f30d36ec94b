/**
 * `node tools/confusables.ts <file>`: writes the letters that look alike which the server compares user names with, from
 * confusables.txt of Unicode Technical Standard 39 (https://www.unicode.org/Public/security/). Kept is what can stand in
 * a user name once it is in the normal forms NFKC and NFD.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const [path = ''] = process.argv.slice(2)
const text = readFileSync(path, 'utf8')
const version = /^# Version: ([\d.]+)/m.exec(text)?.[1]
if (!version) throw new Error('This is no confusables.txt: it does not name its version.')

const decode = (codes: string): string =>
  String.fromCodePoint(
    ...codes
      .trim()
      .split(/\s+/)
      .map((code) => Number.parseInt(code, 16)),
  )
const canStand = (sign: string): boolean =>
  /^[\p{L}\p{N}\p{M}]$/u.test(sign) && sign.normalize('NFKC').normalize('NFD') === sign

const alike = new Map<string, string>()
for (const [, from = '', to = ''] of text.matchAll(/^\s*([\dA-F]+)\s*;\s*([\dA-F ]+);/gm)) {
  const [sign, prototype] = [decode(from), decode(to)]
  if (canStand(sign)) alike.set(prototype, (alike.get(prototype) ?? '') + sign)
}
const file = new URL('../server/src/core/accounts/people/confusables.json', import.meta.url)
const about = `Prototypes, and the signs that look like them: from confusables.txt of Unicode ${version}, UTS 39. Copyright Unicode, Inc., under the Unicode License v3 (https://www.unicode.org/license.txt). Written by tools/confusables.ts.`
writeFileSync(file, `${JSON.stringify({ about, alike: Object.fromEntries(alike) }, null, 2)}\n`)
