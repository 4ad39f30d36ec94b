/** Zip archives: every member of a kind that we read, under its name; of the others only the name. */
import { openArchive } from './archive.ts'
import { compose } from './compose.ts'
import { ReadFault } from './fault.ts'
import type { Reader } from './reader.ts'
import type { Picture } from './types.ts'

export const readZip: Reader = async (bytes, _about, { budget, readInner }) => {
  const archive = openArchive(bytes, budget)
  const out = compose()
  const pictures: Picture[] = []
  const failures = new Set<string>()
  let read = 0
  let unpacked = 0
  for (const name of archive.names) {
    // What systems put beside the files of people.
    if (/(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/.test(name)) continue
    const place = { kind: 'file', label: name, number: null } as const
    const member = readMember(() => archive.read(name))
    if (!member.failure) unpacked += 1
    const result = member.failure ? member : await readInner(member.bytes, name, '')
    if ('failure' in result) {
      failures.add(result.failure)
      out.add(name, place)
      continue
    }
    read += 1
    pictures.push(...result.pictures.map((picture) => ({ ...picture, page: null })))
    if (result.extract.segments.length === 0) out.add(`${name}\n\n${result.extract.text}`, place)
    else {
      out.add(name)
      out.append(result.extract, (segment) => ({ ...segment, ...place, label: `${name} › ${segment.label}` }))
    }
  }
  if (read === 0) throw new ReadFault(whyNone(failures, unpacked))
  return { extract: out.finish(), pictures }
}

/** Locked, or packed in a way that is not known: then it is the archive that cannot be read. */
const whyNone = (failures: ReadonlySet<string>, unpacked: number): ReadFault['failure'] => {
  if (failures.size !== 1) return 'no_text'
  if (failures.has('encrypted')) return 'encrypted'
  return unpacked === 0 && failures.has('unsupported') ? 'unsupported' : 'no_text'
}

type Member = { readonly bytes: Uint8Array; readonly failure?: undefined } | { readonly failure: ReadFault['failure'] }

/** One member that cannot be had leaves the others as they are; a budget that is spent ends all. */
const readMember = (take: () => Uint8Array | null): Member => {
  try {
    return { bytes: take() ?? new Uint8Array() }
  } catch (error) {
    if (error instanceof ReadFault && error.failure !== 'too_complex') return { failure: error.failure }
    throw error
  }
}
