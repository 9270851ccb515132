import type { AttemptView } from '@/lib/web/views'
import { LocalTime } from './local-time'

/** A picture that its owner deleted says so, and what is still there. */
export function DeletedNotice({ attempt }: { readonly attempt: AttemptView }) {
  if (attempt.deleted_at === null) return null
  return (
    <p className="border-l-2 border-line-strong pl-3 text-sm leading-relaxed">
      You deleted this picture on <LocalTime iso={attempt.deleted_at} />. Its file is gone. The
      prompt, the history and every line about credits stay.
    </p>
  )
}
