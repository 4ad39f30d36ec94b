/** Password hashing: argon2id on the thread pool, a few at a time, in equal time for names that do not exist. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { fail } from '../../../platform/http/refusal.ts'
import { plainPassword } from '../rules.ts'

/** Stands in place of a hash for an account without a password: nothing that is typed matches it. */
export const noPassword = '!'

export interface PasswordHasher {
  /** Hashes a password with a fresh salt, as a PHC string. */
  hash(password: string): Promise<string>
  /** Compares a password with a hash; `null` (no such account) takes as long and is false. */
  verify(password: string, phc: string | null): Promise<boolean>
  /** Whether a hash was made with lower costs than those of today. */
  isOutdated(phc: string): boolean
}

export interface PasswordCosts {
  /** KiB. */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** What OWASP recommends for argon2id; about 30 ms. */
export const passwordCosts: PasswordCosts = { memory: 19 * 1024, passes: 2, parallelism: 1 }

export const createPasswordHasher = (costs: PasswordCosts = passwordCosts): PasswordHasher => {
  /** A hash of nothing that anybody can type, with the costs of today. */
  const nobody = written(costs, randomBytes(16), randomBytes(32))
  return {
    async hash(password) {
      const salt = randomBytes(16)
      return written(costs, salt, await derive(password, { ...costs, salt, length: 32 }))
    },
    async verify(password, phc) {
      const isNobody = phc === null || phc === noPassword
      const { salt, hash, ...costsThen } = read(isNobody ? nobody : phc)
      const derived = await derive(password, { ...costsThen, salt, length: hash.length })
      return timingSafeEqual(derived, hash) && !isNobody
    },
    isOutdated(phc) {
      const { memory, passes } = read(phc)
      return memory < costs.memory || passes < costs.passes
    },
  }
}

/** The thread pool also serves files and names; two hashes at a time leave room there, and 38 MiB is all they take. */
const atOnce = 2
const longestQueue = 200
let running = 0
const waiting: (() => void)[] = []

const derive = async (password: string, costs: PasswordCosts & { salt: Buffer; length: number }): Promise<Buffer> => {
  if (running >= atOnce) {
    if (waiting.length >= longestQueue) throw fail('unavailable')
    // The one that leaves hands its place on, so `running` stays as it is.
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else {
    running++
  }
  try {
    return await argon2id(password, costs)
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

const argon2id = (password: string, costs: PasswordCosts & { salt: Buffer; length: number }): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const parameters = {
      message: Buffer.from(plainPassword(password), 'utf8'),
      nonce: costs.salt,
      parallelism: costs.parallelism,
      tagLength: costs.length,
      memory: costs.memory,
      passes: costs.passes,
    }
    argon2('argon2id', parameters, (error, derived) => (error ? reject(error) : resolve(derived)))
  })

/** In PHC form. */
const written = ({ memory, passes, parallelism }: PasswordCosts, salt: Buffer, hash: Buffer): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plainBase64(salt)}$${plainBase64(hash)}`

const plainBase64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

const read = (phc: string): PasswordCosts & { salt: Buffer; hash: Buffer } => {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(phc)
  if (!parts) throw new Error('A stored password hash is not in PHC form.')
  const [, memory, passes, parallelism, salt = '', hash = ''] = parts
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}
