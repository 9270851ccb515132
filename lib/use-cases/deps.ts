import type { Database } from '@/lib/db/database'
import type { ProviderBlock } from '@/lib/db/provider-store'
import type { CompensationPolicy } from '@/lib/domain/compensation'
import type { Model } from '@/lib/domain/model'
import type { Provider } from '@/lib/domain/provider'
import type { Payments } from '@/lib/domain/purchase'
import type { Logger } from '@/lib/logger'
import type { Mailer } from '@/lib/mail/mailer'
import type { EvidenceFiles } from '@/lib/storage/evidence-files'
import type { ImageStore } from '@/lib/storage/image-store'
import type { Trace } from '@/lib/trace/trace'
import type { WatchSettings } from './watch'

/** What the use cases need of the world. Built once per process. */
export type Deps = {
  readonly db: Database
  readonly images: ImageStore
  readonly models: readonly Model[]
  /** The providers that are out of offer now, at most a moment old. */
  readonly readBlocks: () => Promise<readonly ProviderBlock[]>
  readonly signupCredits: number
  /** More credits than this move only when a second admin agrees; undefined: none has to. */
  readonly approvalAbove: number | undefined
  /** Free images per account and UTC day. */
  readonly dailyAllowance: number
  /** Keys the tokens in callback addresses. */
  readonly callbackSecret: string
  /** Undefined where credits are not sold. */
  readonly payments?: Payments | undefined
  readonly newId: () => string
  readonly log: Logger
  readonly trace: Trace
}

/** What acting on attempts needs besides. Only the worker has it. */
export type WorkerDeps = Deps & {
  readonly providers: ReadonlyMap<string, Provider>
  readonly compensationPolicy: CompensationPolicy | undefined
  readonly evidence: EvidenceFiles
  readonly watch: WatchSettings
  /** Absent where no mail is sent. */
  readonly mailer?: Mailer | undefined
  readonly workerId: string
  readonly appUrl: string
  /** Whether results may come from private networks, as self-hosted providers' do. */
  readonly allowPrivateResultHosts: boolean
  readonly leaseMs: number
  readonly submitTimeoutMs: number
  /** In [0, 1). */
  readonly random: () => number
  /** Milliseconds that only ever grow, whatever happens to the clock on the wall. */
  readonly monotonicMs: () => number
}
