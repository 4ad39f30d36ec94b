import { type Definition, connectionsRoutes } from '@atrium/contract/connections'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../../e2e/provider/provider.ts'
import type { PlannedCall } from '../../../providers/metering.ts'
import type { OperationName } from '../../../providers/operations/types.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import { type ConnectionsHarness, openConnections } from '../../../testing/connections.ts'
import { withDatabase } from '../../../testing/databases.ts'
import { samplePng } from '../../../testing/sample-pictures.ts'

const key = 'sk-very-secret-key-4242'
const signal = () => new AbortController().signal

withDatabase('capabilities of connections', (open) => {
  let provider: Provider
  let other: Provider
  let harness: ConnectionsHarness
  const planned: PlannedCall[] = []

  beforeEach(async () => {
    planned.length = 0
    provider = await startProvider()
    other = await startProvider()
    provider.control({ apiKey: key, models: ['echo', 'text-embed', 'dall-e-9', 'loud-tts', 'whisper-9'] })
    harness = await openConnections(open, {
      privateAddresses: [provider.address, other.address],
      localRuntimeUrl: other.url,
      admit: async (call) => {
        planned.push(call)
        if (call.model === 'too-dear') throw new ProviderFailure('over_budget', 'The budget is used up.')
        return call
      },
    })
  })
  afterEach(async () => {
    await harness.close()
    await provider.close()
    await other.close()
  })

  const block = (path: string, models: string[], config: Record<string, unknown> = {}) => ({
    endpoint: `${provider.url}${path}`,
    model_map: models,
    config,
  })
  const definition = (change: Partial<Definition> = {}): Definition => ({
    id: 'box',
    name: 'My Box',
    type: 'completion',
    endpoint: `${other.url}/v1/chat/completions`,
    auth: { header: 'Authorization', prefix: 'Bearer ', key_env: 'BOX_API_KEY' },
    model_map: ['echo'],
    capabilities: {
      embedding: block('/v1/embeddings', ['text-embed', 'absent', 'too-dear']),
      image: block('/v1/images/generations', ['drawer', 'by-url', 'by-url-inside', 'by-url-page', 'status-500'], {
        default_size: '1:1',
        size_parameter: 'aspect_ratio',
        max_prompt_length: 100,
        max_n: 4,
      }),
      tts: block('/v1/audio/speech', ['loud-tts', 'reset', 'stall', 'wrong-type', 'status-429'], {
        default_voice: 'alba',
        default_format: 'flac',
        max_characters: 500,
        request_variables: ['speed'],
      }),
      stt: block('/v1/audio/transcriptions', ['hearer'], { max_audio_bytes: 2_000_000, supports_timestamps: true }),
    },
    variables: [{ name: 'speed', type: 'number', label: 'Speed', default: 1.5 }],
    ...change,
  })
  const connect = async (change: Partial<Definition> = {}) => {
    const made = definition(change)
    const params = { id: made.id }
    await harness.ann.call(connectionsRoutes.installPlugin, { body: made })
    await harness.ann.call(connectionsRoutes.activate, { params })
    if (made.auth.header) await harness.ann.call(connectionsRoutes.saveKey, { params, body: { apiKey: key } })
  }
  const usableOf = async <N extends OperationName>(capability: N, model: string, providerId = 'box') => {
    const found = await harness.connections.capability('ann', capability, { providerId, model })
    if ('unavailable' in found) throw new Error(found.unavailable)
    return found.usable
  }
  const why = async (capability: OperationName, model: string, providerId = 'box', who = 'ann') => {
    const found = await harness.connections.capability(who, capability, { providerId, model })
    return 'unavailable' in found ? found.unavailable : 'usable'
  }
  const last = () => provider.requests.at(-1)

  describe('embeddings', () => {
    test('come in the order of their texts, counted in texts', async () => {
      await connect()
      const usable = await usableOf('embedding', 'text-embed')
      const { vectors, inputTokens } = await usable.call({ input: ['aaaa', 'bbbb', 'c d'] }, signal())
      expect(vectors).toHaveLength(3)
      expect(vectors.map((vector) => vector.indexOf(1))).toEqual([97 % 8, 98 % 8, -1])
      expect(inputTokens).toBe(4)
      expect(last()).toMatchObject({ path: '/v1/embeddings', authorization: `Bearer ${key}` })
      expect(last()?.body).toEqual({ model: 'text-embed', input: ['aaaa', 'bbbb', 'c d'], encoding_format: 'float' })
      expect(harness.metered).toMatchObject([
        { model: 'text-embed', status: 'success', inputTokens: 4, units: { kind: 'inputs', input: 3, output: 3 } },
      ])
      expect(planned).toMatchObject([{ accountId: 'ann', providerId: 'box', capability: 'embedding', inputTokens: 3 }])
      expect(harness.metered[0]?.subject).toBe(planned[0])
    })

    test('a call over the budget is never made', async () => {
      await connect()
      const before = provider.requests.length
      const usable = await usableOf('embedding', 'too-dear')
      await expect(usable.call({ input: ['a'] }, signal())).rejects.toMatchObject({ kind: 'over_budget' })
      expect(provider.requests.length).toBe(before)
      expect(harness.metered).toEqual([])
    })

    test('of the local runtime come over its own path', async () => {
      const usable = await usableOf('embedding', 'embedder', 'local')
      const { vectors, inputTokens } = await usable.call({ input: ['aaaa', 'bbbb'] }, signal())
      expect([vectors.length, inputTokens]).toEqual([2, 8])
      expect(other.requests.at(-1)).toMatchObject({ path: '/api/embed', authorization: null })
      expect(await why('embedding', 'echo', 'local')).toContain('no model echo for embeddings')
      expect(await why('image', 'echo', 'local')).toContain('doesn’t support images')
    })

    test('of a compatible chat connection are asked next to its chat route', async () => {
      await connect({
        endpoint: `${provider.url}/v1/chat/completions`,
        capabilities: undefined,
        variables: undefined,
      })
      const { vectors } = await (await usableOf('embedding', 'text-embed')).call({ input: ['a'] }, signal())
      expect(vectors).toHaveLength(1)
      expect(last()?.path).toBe('/v1/embeddings')
      // Nothing else is asked of a place that was connected for chat.
      expect(await why('image', 'dall-e-9')).toContain('doesn’t support images')
      expect(await why('tts', 'loud-tts')).toContain('doesn’t support speech')
      expect(await why('stt', 'whisper-9')).toContain('doesn’t support transcription')
    })
  })

  describe('images', () => {
    test('go to their own endpoint, whatever chat does', async () => {
      await connect()
      const usable = await usableOf('image', 'drawer')
      const { pictures, outputTokens } = await usable.call({ prompt: 'A boat', count: 2 }, signal())
      expect(pictures).toMatchObject([
        { mediaType: 'image/png', revisedPrompt: 'A boat, in oil' },
        { mediaType: 'image/png' },
      ])
      expect(outputTokens).toBe(272)
      expect(last()?.body).toEqual({ model: 'drawer', prompt: 'A boat', n: 2, aspect_ratio: '1:1' })
      expect(other.requests.some(({ path }) => path.includes('images'))).toBe(false)
      expect(harness.metered).toMatchObject([{ units: { kind: 'images', input: 0, output: 2 } }])
    })

    test('more than one call gives are asked for in several calls, each admitted and counted', async () => {
      await connect({
        capabilities: { image: block('/v1/images/generations', ['one'], { supports_n: false }) },
      })
      const { pictures } = await (await usableOf('image', 'one')).call({ prompt: 'A boat', count: 3 }, signal())
      expect(pictures).toHaveLength(3)
      expect(harness.metered.map(({ units }) => units?.output)).toEqual([1, 1, 1])
      expect(planned).toHaveLength(3)
      expect(last()?.body).toEqual({ model: 'one', prompt: 'A boat' })
    })

    test('that lie elsewhere are fetched without the key', async () => {
      await connect()
      const { pictures } = await (await usableOf('image', 'by-url')).call({ prompt: 'A boat' }, signal())
      expect(pictures).toMatchObject([{ mediaType: 'image/png', revisedPrompt: null }])
      expect(last()).toMatchObject({ path: '/pictures/0.png', authorization: null })
    })

    test.each([
      ['by-url-inside', 'unreachable', 'can’t be called'],
      ['by-url-page', 'malformed', 'couldn’t be read'],
    ])('that are said to lie where nobody may look, or are none, are a fault: %s', async (model, kind, reason) => {
      await connect()
      const usable = await usableOf('image', model)
      const failure = await usable.call({ prompt: 'A boat' }, signal()).catch((error: unknown) => error)
      expect(failure).toMatchObject({ kind, message: expect.stringContaining(reason) })
      expect(harness.metered).toMatchObject([{ status: 'error' }])
    })

    test('are drawn anew from others where the definition says so, and from none elsewhere', async () => {
      await connect({
        capabilities: {
          image: block('/v1/images/generations', ['drawer'], {
            edit_endpoint: `${provider.url}/v1/images/edits`,
            max_reference_images: 1,
          }),
        },
      })
      const source = { bytes: samplePng(2, 2), mediaType: 'image/png', name: 'boat.png' }
      const usable = await usableOf('image', 'drawer')
      const { pictures } = await usable.call({ prompt: 'At sea', sources: [source] }, signal())
      expect(pictures).toHaveLength(1)
      expect(last()).toMatchObject({ path: '/v1/images/edits', authorization: `Bearer ${key}` })
      await expect(usable.call({ prompt: 'At sea', sources: [source, source] }, signal())).rejects.toThrow(
        /at most 1 source image\./,
      )
      await connect()
      const plain = await usableOf('image', 'drawer')
      await expect(plain.call({ prompt: 'At sea', sources: [source] }, signal())).rejects.toThrow(/text only/)
      expect(provider.count('/v1/images/edits')).toBe(1)
    })

    test('of which some were withheld, the rest is given with the reason', async () => {
      await connect({ capabilities: { image: block('/v1/images/generations', ['partly', 'blocked'], { max_n: 3 }) } })
      const { pictures, missing } = await (await usableOf('image', 'partly')).call(
        { prompt: 'A boat', count: 6 },
        signal(),
      )
      expect([pictures.length, missing?.count, missing?.failure.kind]).toEqual([4, 2, 'moderated'])
      const refused = (await usableOf('image', 'blocked')).call({ prompt: 'A boat', count: 6 }, signal())
      await expect(refused).rejects.toMatchObject({ kind: 'moderated' })
    })

    test('of which one cannot be read, the rest is given with the reason', async () => {
      await connect({ capabilities: { image: block('/v1/images/generations', ['half-broken']) } })
      const usable = await usableOf('image', 'half-broken')
      const { pictures, missing } = await usable.call({ prompt: 'A boat', count: 3 }, signal())
      expect([pictures.length, missing?.count, missing?.failure.kind]).toEqual([2, 1, 'malformed'])
      await expect(usable.call({ prompt: 'A boat' }, signal())).rejects.toMatchObject({ kind: 'malformed' })
    })

    test('of too long a prompt are not asked for', async () => {
      await connect()
      const usable = await usableOf('image', 'drawer')
      await expect(usable.call({ prompt: 'x'.repeat(101) }, signal())).rejects.toMatchObject({ kind: 'too_large' })
      expect([planned.length, harness.metered.length]).toEqual([0, 0])
    })

    test('an error of the provider is told in our words, and counted', async () => {
      await connect()
      const usable = await usableOf('image', 'status-500')
      const failure = await usable.call({ prompt: 'A boat' }, signal()).catch((error: unknown) => error)
      expect(failure).toMatchObject({ kind: 'rejected', message: expect.stringContaining('error of its own') })
      expect(JSON.stringify([failure, (failure as Error).stack])).not.toContain('sk-')
      expect(harness.metered).toMatchObject([{ status: 'error', units: null }])
    })
  })

  describe('speech', () => {
    test('comes as it is made, with the defaults of the connection, counted in characters', async () => {
      await connect()
      const { mediaType, format, body } = await (await usableOf('tts', 'loud-tts')).call(
        { text: 'one two three' },
        signal(),
      )
      expect([mediaType, format]).toEqual(['audio/flac', 'flac'])
      expect(harness.metered).toEqual([])
      const chunks: Uint8Array[] = []
      for await (const chunk of body) chunks.push(chunk)
      expect(Buffer.concat(chunks)).toEqual(
        Buffer.concat(['one', 'two', 'three'].map((word) => Buffer.alloc(100, word))),
      )
      expect(last()?.body).toEqual({
        speed: 1.5,
        model: 'loud-tts',
        input: 'one two three',
        voice: 'alba',
        response_format: 'flac',
      })
      expect(harness.metered).toMatchObject([
        { status: 'success', units: { kind: 'characters', input: 13, output: 0 } },
      ])
    })

    test('has the voices that its provider lists, by their names, asked for once and with the key', async () => {
      await connect({
        capabilities: {
          tts: block('/v1/audio/speech', ['loud-tts', 'reset'], { voices_endpoint: `${provider.url}/v2/voices` }),
        },
      })
      const listed = await harness.connections.capabilityModels('ann', 'tts')
      expect(listed.filter(({ providerId }) => providerId === 'box').map(({ config }) => config['voices'])).toEqual([
        ['George', 'Sarah'],
        ['George', 'Sarah'],
      ])
      expect(provider.requests.find(({ path }) => path === '/v2/voices')?.authorization).toBe(`Bearer ${key}`)
      for (const [voice, id] of [
        ['Sarah', 'EXAVITQu4vr4xnSDxMaL'],
        ['JBFqnCBsd6RMkjVDRZzb', 'JBFqnCBsd6RMkjVDRZzb'],
      ]) {
        const { body } = await (await usableOf('tts', 'loud-tts')).call({ text: 'one', voice }, signal())
        for await (const _ of body);
        expect(last()?.body).toMatchObject({ voice: id })
      }
      expect(provider.count('/v2/voices')).toBe(1)
      expect(harness.metered.map(({ units }) => units?.kind)).toEqual(['characters', 'characters'])
    })

    test('has the voices that its own server lists, wherever that is', async () => {
      await connect({
        capabilities: { tts: block('/v1/audio/speech', ['loud-tts'], { voices_endpoint: '/v1/audio/voices' }) },
      })
      expect((await usableOf('tts', 'loud-tts')).config['voices']).toEqual(['af_bella', 'am_adam'])
    })

    test('speaks without a list that does not come, or is none', async () => {
      for (const voices_endpoint of [`${provider.url}/absent`, `${provider.url}/api/version`]) {
        await connect({ capabilities: { tts: block('/v1/audio/speech', ['loud-tts'], { voices_endpoint }) } })
        const usable = await usableOf('tts', 'loud-tts')
        expect(usable.config).not.toHaveProperty('voices')
        const { body } = await usable.call({ text: 'one', voice: 'alba' }, signal())
        for await (const _ of body);
      }
    })

    test('that is left early is dropped and counted as cancelled, also before its first sound', async () => {
      await connect()
      provider.control({ msPerToken: 50 })
      const usable = await usableOf('tts', 'loud-tts')
      const { body } = await usable.call({ text: 'one '.repeat(100) }, signal())
      for await (const _ of body) break
      const unheard = await usable.call({ text: 'one '.repeat(100) }, signal())
      await unheard.body.return?.()
      expect(harness.metered.map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
      await expect.poll(() => last()?.ended).toBe('aborted')
    })

    test('that breaks off ends with a reason', async () => {
      await connect()
      const { body } = await (await usableOf('tts', 'reset')).call({ text: 'one two three four five six' }, signal())
      const all = async () => {
        for await (const _ of body);
      }
      await expect(all()).rejects.toMatchObject({ kind: 'malformed', message: expect.stringContaining('broke off') })
      expect(harness.metered).toMatchObject([{ status: 'error' }])
    })

    test('that is no sound, and a provider that is busy, are told before', async () => {
      await connect()
      const ask = async (model: string) => (await usableOf('tts', model)).call({ text: 'one two' }, signal())
      await expect(ask('wrong-type')).rejects.toMatchObject({ kind: 'malformed' })
      await expect(ask('status-429')).rejects.toMatchObject({ kind: 'overloaded' })
      expect(harness.metered.map(({ status }) => status)).toEqual(['error', 'error'])
    })
  })

  test('the built-in voice stands behind what is connected, for everybody, and costs and counts nothing', async () => {
    await connect()
    const listed = await harness.connections.capabilityModels('ann', 'tts')
    expect(listed.at(-1)).toMatchObject({ providerId: 'builtin', model: 'voice' })
    expect(listed.map(({ providerId }) => providerId).indexOf('builtin')).toBe(listed.length - 1)
    expect(await harness.connections.capabilityModels('bob', 'tts')).toHaveLength(1)
    const usable = await usableOf('tts', 'voice', 'builtin')
    const speech = await usable.call({ text: 'Hello there.', voice: 'kal16', format: 'pcm' }, signal())
    let bytes = 0
    for await (const piece of speech.body) bytes += piece.byteLength
    expect(bytes).toBeGreaterThan(8000)
    expect([harness.metered, planned]).toEqual([[], []])
    const stopped = usable.call({ text: 'Hello there.' }, AbortSignal.abort())
    await expect(stopped).rejects.toMatchObject({ kind: 'aborted' })
    expect(await why('tts', 'other', 'builtin')).toContain('no built-in model')
    expect(await why('image', 'voice', 'builtin')).toContain('no built-in model')
  })

  describe('transcription', () => {
    const audio = Buffer.from('RIFF….\r\n--boundary\r\n\0\xff sound', 'latin1')
    const recording = { audio, fileName: 'a "b".wav', mediaType: 'audio/wav' }

    test('sends the recording as a form, and counts its bytes', async () => {
      await connect()
      const usable = await usableOf('stt', 'hearer')
      const answer = await usable.call({ ...recording, language: 'de', temperature: 0.2 }, signal())
      expect(answer).toMatchObject({ text: `I heard ${audio.byteLength} bytes.`, seconds: 3, segments: [] })
      expect(last()?.body).toMatchObject({
        fields: { model: 'hearer', response_format: 'json', language: 'de', temperature: '0.2' },
        file: { name: 'a %22b%22.wav', mediaType: 'audio/wav' },
      })
      const form = last()?.body as { file?: { bytes: Buffer } } | undefined
      expect(form?.file?.bytes.equals(audio)).toBe(true)
      expect(harness.metered).toMatchObject([{ units: { kind: 'bytes', input: audio.byteLength, output: 0 } }])
    })

    test('tells times where they are asked for', async () => {
      await connect()
      const answer = await (await usableOf('stt', 'hearer')).call({ ...recording, segments: true }, signal())
      expect(answer).toMatchObject({ seconds: 2.5, language: 'english', segments: [{ start: 0, end: 2.5 }] })
    })

    test('of a recording that is too large is not asked for', async () => {
      await connect()
      const usable = await usableOf('stt', 'hearer')
      const large = { ...recording, audio: Buffer.alloc(2_000_001) }
      await expect(usable.call(large, signal())).rejects.toMatchObject({
        kind: 'too_large',
        message: expect.stringContaining('1 MB'),
      })
    })
  })

  describe('sound', () => {
    test('comes out of a streamed answer, as a file that plays', async () => {
      await connect({ capabilities: { audio: block('/v1/chat/completions', ['hummer'], { default_format: 'pcm16' }) } })
      const { mediaType, bytes, transcript } = await (await usableOf('audio', 'hummer')).call(
        { prompt: 'Hum' },
        signal(),
      )
      expect([mediaType, bytes.byteLength, transcript]).toEqual(['audio/wav', 24_044, 'Hum.'])
      expect(last()?.body).toMatchObject({ model: 'hummer', modalities: ['text', 'audio'], audio: { format: 'pcm16' } })
      expect(harness.metered).toMatchObject([
        { status: 'success', inputTokens: 5, units: { kind: 'bytes', output: 24_044 } },
      ])
    })
  })

  describe('an installed definition in the place of a bundled one', () => {
    test('speaks the formats of that one, with the account’s own key alone', async () => {
      await connect({
        id: 'elevenlabs',
        type: 'tts',
        endpoint: `${provider.url}/v1/text-to-speech/{voice_id}`,
        auth: { header: 'xi-api-key', prefix: '', key_env: 'ELEVENLABS_API_KEY' },
        model_map: ['eleven_v3'],
        capabilities: { tts: block('/v1/text-to-speech/{voice_id}', ['eleven_v3'], { default_voice: 'George' }) },
        variables: [{ name: 'stability', type: 'number', label: 'Stability', default: 0.4 }],
      })
      const { mediaType, body } = await (await usableOf('tts', 'eleven_v3', 'elevenlabs')).call(
        { text: 'Hi' },
        signal(),
      )
      for await (const _ of body);
      expect(mediaType).toBe('audio/mpeg')
      expect(last()).toMatchObject({
        path: '/v1/text-to-speech/George',
        body: { text: 'Hi', model_id: 'eleven_v3', voice_settings: { stability: 0.4 } },
      })
    })
  })

  describe('films', () => {
    const film = async (model: string) => {
      const config = { cancel_endpoint: `${provider.url}/v1/videos/{job_id}/cancel` }
      await connect({ capabilities: { video: block('/v1/videos', [model], config) } })
      const found = await harness.connections.video('ann', { providerId: 'box', model })
      if ('unavailable' in found) throw new Error(found.unavailable)
      return found.usable
    }
    const origin = { tokenId: null }

    test('are submitted, asked about by what was kept, and fetched; one call is counted, at the end', async () => {
      const usable = await film('film')
      const { handle, count } = await usable.submit({ prompt: 'Waves', seconds: 4 }, signal(), origin)
      const kept = JSON.parse(JSON.stringify(handle)) as typeof handle
      expect(await usable.look(kept, signal())).toEqual({ state: 'running', progress: 0.4 })
      const report = await usable.look(kept, signal())
      if (report.state !== 'done') throw new Error(report.state)
      const pieces: Uint8Array[] = []
      for await (const piece of (await usable.open(report.result, signal())).body) pieces.push(piece)
      expect(Buffer.concat(pieces).subarray(4, 8).toString()).toBe('ftyp')
      expect(harness.metered).toEqual([])
      count('success')
      expect(harness.metered).toMatchObject([{ status: 'success', units: { kind: 'jobs', input: 0, output: 1 } }])
      expect(planned).toMatchObject([{ capability: 'video', providerId: 'box', model: 'film' }])
    })

    test('that were cancelled, blocked or forgotten end with a reason', async () => {
      const usable = await film('film-slow')
      const { handle } = await usable.submit({ prompt: 'Waves' }, signal(), origin)
      expect(usable.cancellable).toBe(true)
      expect(await usable.cancel(handle)).toBe(true)
      expect(await usable.look(handle, signal())).toEqual({ state: 'failed', reason: 'cancelled' })
      for (const [model, reason] of [
        ['film-blocked', 'moderated'],
        ['film-lost', 'expired'],
      ] as const) {
        const other = await film(model)
        const submitted = await other.submit({ prompt: 'Waves' }, signal(), origin)
        expect(await other.look(submitted.handle, signal())).toEqual({ state: 'failed', reason })
      }
    })

    test.each([
      ['film-away', 'redirected'],
      ['film-large', 'too_large'],
    ])('what is no film to keep is not fetched: %s', async (model, kind) => {
      const usable = await film(model)
      const { handle } = await usable.submit({ prompt: 'Waves' }, signal(), origin)
      const report = await usable.look(handle, signal())
      if (report.state !== 'done') throw new Error(report.state)
      const fetched = async () => {
        for await (const _ of (await usable.open(report.result, signal())).body);
      }
      await expect(fetched()).rejects.toMatchObject({ kind })
    })
  })

  test('what cannot be used is told in words, and nothing is asked elsewhere', async () => {
    await connect()
    expect(await why('embedding', 'gone')).toContain('lists no model with this name for embeddings')
    expect(await why('embedding', 'drawer')).toContain('lists no model with this name for embeddings')
    expect(await why('embedding', 'text-embed', 'nobody')).toContain('removed')
    expect(await why('embedding', 'text-embed', 'box', 'bob')).toContain('is off')
    await harness.bob.call(connectionsRoutes.activate, { params: { id: 'box' } })
    expect(await why('embedding', 'text-embed', 'box', 'bob')).toContain('your own API key')
    expect(planned).toEqual([])
  })

  test('a key that was saved for other endpoints is not used for a new one', async () => {
    await connect()
    const moved = { ...definition().capabilities, image: { ...block('/v2/images', ['drawer']) } }
    await harness.ann.call(connectionsRoutes.updatePlugin, {
      params: { id: 'box' },
      body: definition({ capabilities: moved }),
    })
    await harness.ann.call(connectionsRoutes.activate, { params: { id: 'box' } })
    expect(await why('image', 'drawer')).toContain('belongs to another address')
    expect(provider.count('/v2/images')).toBe(0)
  })

  test('a definition of nothing but speech speaks at its main endpoint, without a key where it takes none', async () => {
    provider.control({ apiKey: null })
    await connect({
      type: 'tts',
      endpoint: `${provider.url}/v1/audio/speech`,
      auth: { header: '', key_env: '' },
      model_map: ['loud-tts'],
      capabilities: undefined,
    })
    const { mediaType, body } = await (await usableOf('tts', 'loud-tts')).call({ text: 'one' }, signal())
    for await (const _ of body);
    expect(mediaType).toBe('audio/mpeg')
    expect(last()).toMatchObject({ path: '/v1/audio/speech', authorization: null })
  })

  test('a key that nobody has to have is sent where there is one', async () => {
    provider.control({ apiKey: null })
    await connect({ capabilities: { stt: block('/v1/audio/transcriptions', ['hearer'], { no_auth_required: true }) } })
    const hear = async () =>
      (await usableOf('stt', 'hearer')).call(
        { audio: Buffer.from('a'), fileName: 'a.wav', mediaType: 'audio/wav' },
        signal(),
      )
    await hear()
    expect(last()?.authorization).toBe(`Bearer ${key}`)
    await harness.ann.call(connectionsRoutes.removeKey, { params: { id: 'box' } })
    await hear()
    expect(last()?.authorization).toBeNull()
  })

  test('lists what an account may use, and nothing of what it may not', async () => {
    await connect()
    const list = async (capability: OperationName, who = 'ann') =>
      (await harness.connections.capabilityModels(who, capability)).map(
        ({ providerId, model }) => `${providerId}/${model}`,
      )
    expect(await list('stt')).toEqual(['box/hearer'])
    expect(await list('embedding')).toEqual(expect.arrayContaining(['local/embedder:latest', 'box/text-embed']))
    expect(await list('stt', 'bob')).toEqual([])
  })

  const faults: [string, ProviderFailure['kind']][] = [
    ['half-json', 'malformed'],
    ['wrong-type', 'malformed'],
    ['reset', 'malformed'],
    ['huge', 'too_large'],
    ['status-401', 'rejected'],
    ['redirect', 'redirected'],
    ['context', 'context_overflow'],
  ]
  test.each(faults)('a fault on the way is told in our words: %s', async (fault, kind) => {
    await connect()
    provider.control({ fault: fault as never })
    const calls = [
      async () => (await usableOf('embedding', 'text-embed')).call({ input: ['a'] }, signal()),
      async () =>
        (await usableOf('stt', 'hearer')).call(
          { audio: Buffer.from('a'), fileName: 'a.wav', mediaType: 'audio/wav' },
          signal(),
        ),
    ]
    for (const call of calls) {
      const failure = await call().catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ProviderFailure)
      expect([fault, kind, 'unreachable']).toContain((failure as ProviderFailure).kind)
      expect(JSON.stringify([(failure as Error).message, (failure as Error).stack])).not.toContain('sk-leaked')
    }
    expect(harness.metered.map(({ status }) => status)).toEqual(['error', 'error'])
  })

  test('stopping drops the call at once, and counts it as cancelled', async () => {
    await connect()
    provider.control({ fault: 'stall-headers' })
    const stop = new AbortController()
    const asked = (await usableOf('embedding', 'text-embed')).call({ input: ['a'] }, stop.signal)
    setTimeout(() => stop.abort(), 50)
    await expect(asked).rejects.toMatchObject({ kind: 'aborted' })
    expect(harness.metered).toMatchObject([{ status: 'cancelled' }])
  })
})
