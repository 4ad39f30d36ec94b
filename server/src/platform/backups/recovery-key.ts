/**
 * How a recovery key is written on paper: 13 groups of five characters of Crockford's base 32, four for the key and one
 * that checks its group at its place. A mistyped group is so named, and one that stands in the place of another.
 */
import { createHash } from 'node:crypto'
import { BackupFailure } from './failure.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const groupCount = 13
const keyBytes = 32
/** 13 × 20 bits are four more than the key has: they check the whole. */
const checkBits = 4n

/** 32 bytes as groups with dashes between them. */
export const writeRecoveryKey = (key: Uint8Array): string => {
  let bits = (BigInt(`0x${Buffer.from(key).toString('hex')}`) << checkBits) | BigInt(checkOfAll(key))
  const groups: string[] = []
  for (let number = groupCount - 1; number >= 0; number -= 1) {
    let group = ''
    for (let at = 0; at < 4; at += 1) {
      group = `${alphabet[Number(bits & 31n)]}${group}`
      bits >>= 5n
    }
    groups.unshift(group + checkOf(group, number))
  }
  return groups.join('-')
}

/** The groups of a recovery key that were mistyped, counted from 1; those that are missing, too. */
export const wrongGroupsIn = (text: string): number[] => {
  const groups = groupsIn(text)
  return Array.from({ length: groupCount }, (_, number) => number)
    .filter((number) => !isGroup(groups[number] ?? '', number))
    .map((number) => number + 1)
}

/** The 32 bytes. Case, dashes and spaces do not matter, nor I and L for 1 and O for 0. Throws BackupFailure `mistyped`. */
export const readRecoveryKey = (text: string): Buffer => {
  const groups = groupsIn(text)
  const wrong = wrongGroupsIn(text)
  if (wrong.length === groupCount)
    throw new BackupFailure('mistyped', 'This isn’t a recovery key, which has 13 groups of five characters.')
  if (wrong.length > 0) {
    const which = wrong.length === 1 ? `group ${wrong[0]}` : `groups ${wrong.join(', ')}`
    throw new BackupFailure('mistyped', `The recovery key has a mistake in ${which}.`)
  }
  if (groups.length > groupCount) throw new BackupFailure('mistyped', 'The recovery key has more than 13 groups.')
  let bits = 0n
  for (const group of groups) for (const sign of group.slice(0, 4)) bits = (bits << 5n) | BigInt(alphabet.indexOf(sign))
  const key = Buffer.from((bits >> checkBits).toString(16).padStart(keyBytes * 2, '0'), 'hex')
  if (Number(bits & 15n) !== checkOfAll(key))
    throw new BackupFailure('mistyped', 'The recovery key has a mistake, and its groups do not tell where.')
  return key
}

/** By the dashes and spaces where there are any, else five at a time. */
const groupsIn = (text: string): string[] => {
  const plain = text.trim().toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  const typed = plain.split(/[^0-9A-Z]+/).filter((group) => group !== '')
  return typed.length > 1 ? typed : (plain.match(/.{1,5}/g) ?? [])
}

const isGroup = (group: string, number: number): boolean =>
  /^[0-9A-HJKMNP-TV-Z]{5}$/.test(group) && checkOf(group.slice(0, 4), number) === group[4]

/** Odd weights: one wrong character is always found. What is added tells a group from the same at another place. */
const checkOf = (group: string, number: number): string => {
  const sum = Array.from(group).reduce(
    (all, sign, at) => all + alphabet.indexOf(sign) * (2 * at + 1),
    11 * (number + 1),
  )
  return alphabet[sum & 31] ?? ''
}

const checkOfAll = (key: Uint8Array): number =>
  (createHash('sha256').update('atrium recovery key').update(key).digest()[0] ?? 0) & 15
