import { v4 } from 'uuid'
import type { RequestId } from '@/lib/domain/ids'

/** The id of a request that is just being made. The server checks that it is one. */
export const newRequestId = (): RequestId => v4() as RequestId
