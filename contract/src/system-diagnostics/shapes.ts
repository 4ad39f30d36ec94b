/** What the machine and the process are like now. */
import { z } from 'zod'
import { Time } from '../common.ts'

const Size = z.number().min(0)

export const Host = z.strictObject({
  hostname: z.string(),
  /** As Node names it: `linux`, `darwin`, `win32`. */
  platform: z.string(),
  release: z.string(),
  architecture: z.string(),
  uptimeMs: z.number().int(),
  bootedAt: Time,
  logicalCpus: z.number().int(),
  cpuModel: z.string().nullable(),
  /** Over one, five and fifteen minutes; zeros on Windows. */
  loadAverage: z.tuple([z.number(), z.number(), z.number()]),
  /** Whether this process runs in a container. */
  containerized: z.boolean(),
})

export const Runtime = z.strictObject({
  appVersion: z.string(),
  nodeVersion: z.string(),
  processId: z.number().int(),
  processUptimeMs: z.number().int(),
  /** Null when the folder is gone. */
  workingDirectory: z.string().nullable(),
})

export const Memory = z.strictObject({
  totalBytes: Size,
  freeBytes: Size,
  usedBytes: Size,
  usedPercent: z.number().min(0).max(100),
  processRssBytes: Size,
  heapUsedBytes: Size,
  heapTotalBytes: Size,
  externalBytes: Size,
})

export const Filesystem = z.strictObject({
  /** `root` or `data`, for the folder that it was looked at for. */
  label: z.enum(['root', 'data']),
  path: z.string(),
  totalBytes: Size,
  /** What an ordinary user may still write. */
  freeBytes: Size,
  usedBytes: Size,
  usedPercent: z.number().min(0).max(100),
})

export const NetworkInterface = z.strictObject({
  name: z.string(),
  addresses: z
    .array(
      z.strictObject({
        address: z.string(),
        family: z.enum(['IPv4', 'IPv6']),
        cidr: z.string().nullable(),
        internal: z.boolean(),
      }),
    )
    .max(16),
  /** Since the interface is there; on Linux only. */
  receivedBytes: Size.optional(),
  transmittedBytes: Size.optional(),
})

/** Why nothing is known of the container engine. */
export const ContainerEngineReason = z.enum([
  'not_mounted',
  'unreadable',
  'unreachable',
  'remote_endpoint',
  'bad_answer',
])
export type ContainerEngineReason = z.infer<typeof ContainerEngineReason>

export const Container = z.strictObject({
  /** The first twelve characters. */
  id: z.string(),
  name: z.string(),
  image: z.string(),
  /** In the engine's word, such as `running` or `exited`. */
  state: z.string(),
  /** In the engine's words, such as `Up 3 hours`. */
  status: z.string(),
  createdAt: Time.nullable(),
})

const Count = z.number().int().min(0)

/** The container engine, as it describes itself. What it does not tell is absent. */
export const ContainerEngine = z.strictObject({
  /** Whether all that was asked was answered. */
  available: z.boolean(),
  /** Whether its socket is there. */
  socketMounted: z.boolean(),
  /** Where it is not available. */
  reason: ContainerEngineReason.optional(),
  serverVersion: z.string().optional(),
  operatingSystem: z.string().optional(),
  architecture: z.string().optional(),
  kernelVersion: z.string().optional(),
  logicalCpus: Count.optional(),
  memoryBytes: Count.optional(),
  totalContainers: Count.optional(),
  runningContainers: Count.optional(),
  stoppedContainers: Count.optional(),
  pausedContainers: Count.optional(),
  /** Those that run first. */
  containers: z.array(Container).max(100).optional(),
})
export type ContainerEngine = z.infer<typeof ContainerEngine>

export const SystemReport = z.strictObject({
  generatedAt: Time,
  /** These three are null where the system does not tell. */
  host: Host.nullable(),
  runtime: Runtime.nullable(),
  memory: Memory.nullable(),
  /** Those that answer. */
  filesystems: z.array(Filesystem),
  network: z.strictObject({ interfaces: z.array(NetworkInterface).max(64) }),
  docker: ContainerEngine,
})
export type SystemReport = z.infer<typeof SystemReport>
