/** Certificates for servers of tests (RFC 5280): signed by themselves, for the names and the time that a test wants. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'

export interface TestCertificate {
  /** PEM. */
  readonly key: string
  readonly cert: string
}

export const makeCertificate = ({
  name = 'localhost',
  until = Date.UTC(2049, 11, 31),
}: {
  name?: string
  until?: number
} = {}): TestCertificate => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicInfo = publicKey.export({ type: 'spki', format: 'der' })
  const who = sequence(set(sequence(oid('2.5.4.3'), tagged(0x0c, Buffer.from(name)))))
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'))
  const serial = createHash('sha256').update(publicInfo).digest().subarray(0, 8)
  serial[0] = 0x40
  const subjectNames = sequence(tagged(0x82, Buffer.from(name)))
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, serial),
    algorithm,
    who,
    sequence(time(Date.UTC(2020, 0, 1)), time(until)),
    who,
    publicInfo,
    tagged(0xa3, sequence(sequence(oid('2.5.29.17'), tagged(0x04, subjectNames)))),
  )
  const signature = tagged(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]))
  const der = sequence(body, algorithm, signature)
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  }
}

const tagged = (tag: number, content: Buffer): Buffer => {
  const { length } = content
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content])
  const bytes = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...bytes]), content])
}
const sequence = (...parts: Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts))
const set = (...parts: Buffer[]): Buffer => tagged(0x31, Buffer.concat(parts))

const oid = (text: string): Buffer => {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const part of rest) {
    const groups = [part & 0x7f]
    for (let left = part >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80)
    bytes.push(...groups)
  }
  return tagged(0x06, Buffer.from(bytes))
}

/** UTCTime: two digits for the year, so until 2049. */
const time = (at: number): Buffer => {
  const digits = new Date(at).toISOString().replace(/[-:T]/g, '').slice(2, 14)
  return tagged(0x17, Buffer.from(`${digits}Z`))
}
