import { drillsIn, planFault, type FaultDefaults, type FaultPlan } from './drills'

export type ArmedFault = {
  readonly fault: string
  readonly reference: string | undefined
  readonly ms: number | undefined
  readonly timesLeft: number
}

export type Faults = ReturnType<typeof createFaults>

/**
 * Faults armed for the next submissions. Kept in memory on purpose: a restart ends the experiment,
 * while the faults already dealt out stay with their tasks.
 */
export function createFaults(defaults: FaultDefaults) {
  let armed: readonly ArmedFault[] = []

  /** Takes one use of the first armed fault that fits this reference. */
  function take(reference: string): FaultPlan {
    const index = armed.findIndex(
      (one) => one.reference === undefined || one.reference === reference,
    )
    const found = armed[index]
    if (!found) return {}
    const used = { ...found, timesLeft: found.timesLeft - 1 }
    armed = armed.toSpliced(index, 1, ...(used.timesLeft > 0 ? [used] : []))
    return planFault(found.fault, defaults, found.ms) ?? {}
  }

  return {
    arm: (fault: ArmedFault) => {
      armed = [...armed, fault]
    },
    disarmAll: () => {
      armed = []
    },
    list: () => armed,

    /** Drills named in the prompt and an armed fault add up; where they disagree the armed one wins. */
    planFor({ reference, prompt }: { reference: string; prompt: string }): FaultPlan {
      const drills = drillsIn(prompt).flatMap((name) => planFault(name, defaults) ?? [])
      return [...drills, take(reference)].reduce((all, plan) => ({ ...all, ...plan }), {})
    },
  }
}
