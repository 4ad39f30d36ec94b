/** The variables of the process itself: where it listens, where its data are, and who stands in front of it. */
import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { logLevels } from '../platform/log/log.ts'
import { BASE_URL, declareVariables, urlOf, wholeNumber } from '../platform/settings/index.ts'

const absolutePath = (path: string): string => resolve(path.replace(/^~(?=\/|$)/, homedir()))

/** A number of proxies, or their addresses: an address, a network (`10.0.0.0/8`), or `loopback` and its kin. */
const proxies = z.string().transform((text, context): number | string[] => {
  const plain = text.trim().toLowerCase()
  if (plain === 'false' || plain === 'no') return 0
  if (/^\d{1,2}$/.test(plain)) return Number(plain)
  const items = plain.split(/[\s,]+/).filter((item) => item !== '')
  if (items.every(isNetwork)) return items
  context.addIssue('must be the number of proxies in front, or their addresses or networks, separated by commas')
  return z.NEVER
})

const isNetwork = (text: string): boolean => {
  if (/^(loopback|linklocal|uniquelocal)$/.test(text)) return true
  const [host = '', bits, ...rest] = text.split('/')
  const version = isIP(host)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

const encryptionKey = z
  .string()
  .trim()
  .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits (`openssl rand -hex 32` makes one)')

const others = declareVariables({
  PORT: [wholeNumber(0, 65_535), 'the port to listen on', { usual: '`3001`', plain: true }],
  HOST: [
    z
      .string()
      .trim()
      .regex(/^[^\s/]+$/, 'must be an address to listen at, such as 127.0.0.1 or 0.0.0.0'),
    'the address to listen on',
    { usual: '`127.0.0.1`', plain: true },
  ],
  DATA_DIR: [
    z.string().trim().transform(absolutePath),
    'holds the database, the key and snapshots, and a marker: if the marker is there and the database is missing, Atrium doesn’t start and says how to start over',
    { usual: '`./data`' },
  ],
  DATABASE_URL: [
    urlOf(/^postgres(ql)?:$/, 'postgres://user:password@host:5432/atrium').transform((url) => url.href),
    '`postgres://…` to use PostgreSQL, with any number of processes',
    { usual: 'unset: SQLite' },
  ],
  DATABASE_POOL_SIZE: [
    wholeNumber(2, 200),
    'with PostgreSQL, how many connections each process opens at most, plus one that listens',
    { usual: '`10`', plain: true },
  ],
  STORAGE_KEPT_FREE_BYTES: [
    wholeNumber(0, 2 ** 50),
    'with SQLite, the disk space to keep free; uploads are refused below it, and everything else continues',
    { usual: '`268435456` (256 MiB)', plain: true },
  ],
  ENCRYPTION_KEY: [
    encryptionKey,
    '64 hex digits; without it, nothing can be decrypted',
    { usual: 'made once, in `DATA_DIR`' },
  ],
  ENCRYPTION_KEY_PREVIOUS: [
    encryptionKey,
    'the previous key, while it is being replaced ([docs/operations/rotate.md](docs/operations/rotate.md))',
  ],
  TRUST_PROXY: [
    proxies,
    'the number of proxies in front, or their addresses and networks, separated by commas',
    { usual: '`0`', plain: true },
  ],
  LOG_LEVEL: [
    z
      .string()
      .trim()
      .toLowerCase()
      .pipe(z.enum(logLevels, `must be one of ${logLevels.join(', ')}`)),
    '`silent`, `error`, `warn`, `info`, `debug`',
    { usual: '`warn` in a terminal, else `info`', plain: true },
  ],
  DRAIN_SECONDS: [
    wholeNumber(0, 3600),
    'how long answers in progress may continue after SIGTERM; with none, it stops at once',
    { usual: '`25`', plain: true },
  ],
  METRICS_TOKEN: [
    z.string().trim().min(16, 'must have at least 16 characters'),
    'bearer token for `/metrics` (Prometheus; [docs/metrics.md](docs/metrics.md))',
    { usual: 'unset: off' },
  ],
})

export const processVariables = { BASE_URL, ...others }
