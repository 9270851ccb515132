'use client'

import { historyWords } from '@/lib/web/history-words'
import { useWords } from '@/lib/web/use-words'
import { utcWords } from '@/lib/web/time-words'
import type { EvidenceLineView } from '@/lib/web/views'
import { Age } from './age'

/** What was seen, when and by whom, with the evidence as it was recorded. */
export function EvidenceTable({ evidence }: { readonly evidence: readonly EvidenceLineView[] }) {
  const say = useWords()
  return (
    <ol className="divide-y rounded-lg border bg-surface text-sm">
      {evidence.map((line) => (
        <li
          key={line.seq}
          className="grid gap-x-6 gap-y-1.5 px-4 py-3.5 lg:grid-cols-[13rem_14rem_minmax(0,1fr)]"
        >
          <div className="font-mono text-xs leading-5 text-muted tabular-nums">
            {utcWords(line.at)}
            <span className="block">
              <Age iso={line.at} /> ago, by {line.actor}
            </span>
          </div>
          <div>
            <span className="font-mono text-[0.8125rem]">{line.kind}</span>
            <span className="block font-mono text-xs leading-5 text-muted">
              {line.from_state === null || line.from_state === line.to_state
                ? line.to_state
                : `${line.from_state} → ${line.to_state}`}
            </span>
          </div>
          <div className="min-w-0">
            <p>{say(historyWords(line.kind))}</p>
            {!isEmpty(line.evidence) && (
              <pre className="mt-1 max-h-72 overflow-auto font-mono text-xs leading-5 break-all whitespace-pre-wrap text-muted">
                {JSON.stringify(line.evidence, null, 2)}
              </pre>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

const isEmpty = (evidence: EvidenceLineView['evidence']) =>
  typeof evidence === 'object' && evidence !== null && Object.keys(evidence).length === 0
