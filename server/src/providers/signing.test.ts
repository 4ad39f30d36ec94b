import { expect, test } from 'vitest'
import { readAwsKey, regionOf, signAws, signerFor } from './signing.ts'
import type { UnsignedRequest } from './types.ts'

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const token =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=='
const key = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: secret }
const scope = { region: 'us-east-1', service: 'service' }
const now = Date.UTC(2015, 7, 30, 12, 36, 0)

// From the test suite that AWS publishes for Signature Version 4 (aws-sig-v4-test-suite).
const published: [string, Partial<UnsignedRequest> & { path?: string; token?: string }, string, string][] = [
  [
    'get-vanilla',
    { method: 'GET' },
    'host;x-amz-date',
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  [
    'get-vanilla-query-order-key-case',
    { method: 'GET', path: '/?Param2=value2&Param1=value1' },
    'host;x-amz-date',
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  ['post-vanilla', {}, 'host;x-amz-date', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  [
    'post-vanilla-query',
    { path: '/?Param1=value1' },
    'host;x-amz-date',
    '28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11',
  ],
  [
    'post-x-www-form-urlencoded',
    { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'Param1=value1' },
    'content-type;host;x-amz-date',
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
  [
    'post-sts-header-before',
    { token },
    'host;x-amz-date;x-amz-security-token',
    '85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
  ],
]

test.each(published)(
  'signs as AWS published it: %s',
  (_, { path = '/', token: session, ...request }, names, signature) => {
    const unsigned: UnsignedRequest = {
      method: 'POST',
      headers: {},
      body: '',
      ...request,
      url: new URL(`https://example.amazonaws.com${path}`),
    }
    const headers = signAws(unsigned, { ...key, ...(session ? { sessionToken: session } : {}) }, scope, now)
    expect(headers).toEqual({
      'x-amz-date': '20150830T123600Z',
      ...(session ? { 'x-amz-security-token': session } : {}),
      authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
    })
  },
)

const keys: [string, string, object | null][] = [
  ['a pair', `AKIDEXAMPLE:${secret}`, key],
  ['a pair with a session', `AKIDEXAMPLE:${secret}:${token}`, { ...key, sessionToken: token }],
  ['a bearer key', 'ABSKQmVkcm9ja0FQSUtleS1leGFtcGxlOnNlY3JldA==', null],
  ['a key of another maker', 'sk-abc:def', null],
  ['half a pair', 'AKIDEXAMPLE:', null],
]
test.each(keys)('knows %s', (_, written, read) => expect(readAwsKey(written)).toEqual(read))

test.each([
  ['bedrock-runtime.eu-central-1.amazonaws.com', 'eu-central-1'],
  ['bedrock-runtime-fips.us-gov-west-1.amazonaws.com', 'us-gov-west-1'],
  ['bedrock-runtime.ap-southeast-2.api.aws', 'ap-southeast-2'],
  ['vpce-0ab-1c.bedrock-runtime.us-west-2.vpce.amazonaws.com', 'us-west-2'],
  ['bedrock-runtime.cn-north-1.amazonaws.com.cn', 'cn-north-1'],
  ['bedrock.example.com', 'us-east-1'],
  ['127.0.0.1', 'us-east-1'],
])('reads the region of %s', (host, region) => expect(regionOf(new URL(`https://${host}/`))).toBe(region))

test('signs for bedrock alone, and only with a pair', () => {
  expect(signerFor('chat-completions', `AKIDEXAMPLE:${secret}`, () => now)).toBeUndefined()
  expect(signerFor('bedrock', 'ABSK-bearer', () => now)).toBeUndefined()
  expect(signerFor('bedrock', null, () => now)).toBeUndefined()
  const sign = signerFor('bedrock', `AKIDEXAMPLE:${secret}`, () => now)
  const url = new URL('https://bedrock-runtime.eu-west-1.amazonaws.com/model/a.b-v1%3A0/converse-stream')
  const headers = sign?.({ method: 'POST', url, headers: { authorization: 'Bearer old' }, body: '{}' })
  expect(headers?.['authorization']).toContain(
    '/20150830/eu-west-1/bedrock/aws4_request, SignedHeaders=host;x-amz-date,',
  )
  expect(JSON.stringify(headers)).not.toContain(secret)
})
