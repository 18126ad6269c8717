import { setTimeout as sleep } from 'node:timers/promises'
import { FACT_MS } from './timeouts.ts'

/** Asks again and again until the fact is there. @param what is said when it never comes */
export async function waitUntil(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const giveUpMs = performance.now() + FACT_MS
  while (!(await isTrue())) {
    if (performance.now() > giveUpMs) throw new Error(`Waited ${FACT_MS / 1000} s in vain: ${what}`)
    await sleep(100)
  }
}
